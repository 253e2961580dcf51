package dev.gavel.mcp.facade.transport;

import java.util.Map;
import java.util.Optional;

/** Looks up the headers of an HTTP request by name, independently of the HTTP server in use. */
public interface HttpHeaderLookup {
    /** Returns the value of a header; if it was sent several times, all values. */
    Optional<String> get(String name);

    /** Returns the headers whose names have this prefix, by their lower-case names. */
    Map<String, String> withPrefix(String prefix);
}
