package dev.gavel.app.trace;

import dev.gavel.mcpx.ValueParseResult;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The HTTP headers from {@code OTEL_EXPORTER_OTLP_HEADERS} that are sent to the collector; their values are never
 * printed. Immutable.
 */
public final class OtlpHeaders {
    /** No headers. */
    public static final OtlpHeaders NONE = new OtlpHeaders(Map.of());

    private final Map<String, String> values;

    private OtlpHeaders(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Parses {@code OTEL_EXPORTER_OTLP_HEADERS}: {@code name=value} pairs, separated by commas, values percent-encoded.
     * Problems are described without repeating any of the text.
     */
    public static ValueParseResult<OtlpHeaders> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].isBlank() && !read(parts[i], values)) {
                return new ValueParseResult.Invalid<>(
                        "must be name=value pairs, separated by commas, with percent-encoded values; pair " + (i + 1)
                                + " of " + parts.length + " is not a valid header");
            }
        }
        return new ValueParseResult.Valid<>(new OtlpHeaders(values));
    }

    private static boolean read(String part, Map<String, String> values) {
        int equals = part.indexOf('=');
        if (equals < 1) {
            return false;
        }
        String name = part.substring(0, equals).strip();
        try {
            // Unlike in HTML forms, a plus sign means itself here.
            String value =
                    URLDecoder.decode(part.substring(equals + 1).strip().replace("+", "%2B"), StandardCharsets.UTF_8);
            // The HTTP client decides which headers can be sent.
            HttpRequest.newBuilder(URI.create("http://127.0.0.1")).setHeader(name, value);
            values.put(name, value);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    void addTo(HttpRequest.Builder request) {
        values.forEach(request::setHeader);
    }

    /** Only the number of headers, not their values. */
    @Override
    public String toString() {
        return "headers: " + values.size();
    }
}
