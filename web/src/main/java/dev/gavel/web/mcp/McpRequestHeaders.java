package dev.gavel.web.mcp;

import dev.gavel.mcp.facade.transport.RequestHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Gives the MCP facade access to the headers of an HTTP request. */
record McpRequestHeaders(HttpServerRequest request) implements RequestHeaders {
    @Override
    public Optional<String> get(String name) {
        List<String> all = request.headers().getAll(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", all));
    }

    @Override
    public Map<String, String> withPrefix(String prefix) {
        Map<String, String> found = new TreeMap<>();
        request.headers().forEach((name, value) -> {
            if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
                found.merge(name.toLowerCase(Locale.ROOT), value, (one, other) -> one + ", " + other);
            }
        });
        return found;
    }
}
