package dev.gavel.mcp.facade.transport;

import java.util.Map;
import java.util.Optional;

/** Reads the HTTP headers of an MCP request by case-insensitive name. */
public interface RequestHeaders {
    /** Returns the value of a header; if it was sent several times, all values. */
    Optional<String> get(String name);

    /** Returns the headers whose names have this prefix, by their lower-case names. */
    Map<String, String> withPrefix(String prefix);
}
