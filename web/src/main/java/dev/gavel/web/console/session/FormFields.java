package dev.gavel.web.console.session;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The decoded fields of a submitted HTML form. Immutable. */
public record FormFields(Map<String, List<String>> values) {
    /** No form of ours is longer, but for those that say so. */
    static final int MAX_BYTES = 64 * 1024;

    private static final int MAX_FIELDS = 100;

    /** Reads the body of a form; empty where it is not properly encoded. */
    static FormFields parse(byte[] body) {
        try {
            return new FormFields(new QueryStringDecoder(
                            new String(body, StandardCharsets.UTF_8), StandardCharsets.UTF_8, false, MAX_FIELDS)
                    .parameters());
        } catch (IllegalArgumentException e) {
            return new FormFields(Map.of());
        }
    }

    /** A field as it was sent, with all its spaces; browsers end lines with two characters, and we with one. */
    public Optional<String> rawText(String name) {
        return values.getOrDefault(name, List.of()).stream().findFirst().map(text -> text.replace("\r\n", "\n"));
    }

    /** Whether there is such a field at all, filled in or not. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** A field that was filled in. */
    public Optional<String> text(String name) {
        return values.getOrDefault(name, List.of()).stream()
                .findFirst()
                .map(String::strip)
                .filter(text -> !text.isEmpty());
    }

    /** All that was chosen of a field that may be there more than once. */
    public List<String> texts(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }
}
