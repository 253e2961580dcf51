package dev.gavel.app.trace;

import dev.gavel.mcpx.TextParseResult;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The HTTP headers from {@code OTEL_EXPORTER_OTLP_HEADERS} that are sent to the collector; their values are never
 * printed. It may hold a secret, so nothing shows it. Immutable.
 */
public final class OtlpHeaders {
    /** Nothing. */
    public static final OtlpHeaders NONE = new OtlpHeaders(Map.of());

    private final Map<String, String> values;

    private OtlpHeaders(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Reads what {@code OTEL_EXPORTER_OTLP_HEADERS} has: {@code name=value}, divided by commas, values percent-encoded.
     * What is wrong is said without repeating any of it.
     */
    public static TextParseResult<OtlpHeaders> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        String[] parts = text.split(",", -1);
        for (int i = 0; i < parts.length; i++) {
            if (!parts[i].isBlank() && !read(parts[i], values)) {
                return new TextParseResult.Invalid<>(
                        "must be name=value, divided by commas, with values percent-encoded; number " + (i + 1) + " of "
                                + parts.length + " is no header that can be sent");
            }
        }
        return new TextParseResult.Valid<>(new OtlpHeaders(values));
    }

    private static boolean read(String part, Map<String, String> values) {
        int equals = part.indexOf('=');
        if (equals < 1) {
            return false;
        }
        String name = part.substring(0, equals).strip();
        try {
            // A plus is a plus here: this is no form of a web page.
            String value =
                    URLDecoder.decode(part.substring(equals + 1).strip().replace("+", "%2B"), StandardCharsets.UTF_8);
            // The one who sends it says what can be sent.
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

    /** How many there are, and no more. */
    @Override
    public String toString() {
        return "headers: " + values.size();
    }
}
