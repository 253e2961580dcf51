package dev.gavel.mcp.facade.transport;

import java.util.Map;
import java.util.Optional;

/** Reads the HTTP headers of an MCP request by case-insensitive name. Names are in any case. */
public interface RequestHeaders {
    /** One header's value; where it was sent several times, all of them. */
    Optional<String> get(String name);

    /** Those whose names begin so, by their names in small letters. */
    Map<String, String> withPrefix(String prefix);
}
