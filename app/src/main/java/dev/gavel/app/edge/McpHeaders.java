package dev.gavel.app.edge;

import dev.gavel.mcp.facade.port.Headers;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The headers of an HTTP request, for MCP. */
record McpHeaders(HttpServerRequest request) implements Headers {
    @Override
    public Optional<String> get(String name) {
        List<String> all = request.headers().getAll(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", all));
    }

    @Override
    public Map<String, String> beginning(String prefix) {
        Map<String, String> found = new TreeMap<>();
        request.headers().forEach((name, value) -> {
            if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
                found.merge(name.toLowerCase(Locale.ROOT), value, (one, other) -> one + ", " + other);
            }
        });
        return found;
    }
}
