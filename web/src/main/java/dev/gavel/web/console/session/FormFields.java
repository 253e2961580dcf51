package dev.gavel.web.console.session;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The decoded fields of a submitted HTML form. Immutable. */
public record FormFields(Map<String, List<String>> values) {
    /** The maximum size of a form, unless the form's controller sets a higher limit. */
    static final int MAX_BYTES = 64 * 1024;

    private static final int MAX_FIELDS = 100;

    /** Parses the body of a form; returns no fields if the body is not properly encoded. */
    static FormFields parse(byte[] body) {
        try {
            return new FormFields(new QueryStringDecoder(
                            new String(body, StandardCharsets.UTF_8), StandardCharsets.UTF_8, false, MAX_FIELDS)
                    .parameters());
        } catch (IllegalArgumentException e) {
            return new FormFields(Map.of());
        }
    }

    /** Returns a field with all its white space. Browsers end lines with CRLF; the result has LF. */
    public Optional<String> rawText(String name) {
        return values.getOrDefault(name, List.of()).stream().findFirst().map(text -> text.replace("\r\n", "\n"));
    }

    /** Whether the form has the field, filled in or not. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns the value of a field, if it was filled in. */
    public Optional<String> text(String name) {
        return values.getOrDefault(name, List.of()).stream()
                .findFirst()
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    /** Returns all values of a field that may occur more than once. */
    public List<String> texts(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }
}
