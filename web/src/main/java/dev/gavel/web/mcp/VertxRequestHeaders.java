package dev.gavel.web.mcp;

import dev.gavel.mcp.facade.transport.HttpHeaderLookup;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Gives the MCP facade the headers of a Vert.x HTTP request. */
record VertxRequestHeaders(HttpServerRequest request) implements HttpHeaderLookup {
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
