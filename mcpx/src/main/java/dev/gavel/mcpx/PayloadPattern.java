package dev.gavel.mcpx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A pattern of payload fields as a capability defines it: fields, alternatives and text patterns. Immutable. */
public sealed interface PayloadPattern {
    /** An object in which every named field is there and matches; it may have others. */
    record Fields(Map<String, PayloadPattern> fields) implements PayloadPattern {
        public Fields {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** A value that at least one of these matches. */
    record AnyOf(List<PayloadPattern> patterns) implements PayloadPattern {
        public AnyOf {
            patterns = List.copyOf(patterns);
        }
    }

    /**
     * A string, or the JSON text of a number, true, false or null. {@code *} stands for any run of characters; a leading
     * {@code !} turns it into what must not match. A number or boolean in a configuration is given by its text.
     */
    record Text(String pattern) implements PayloadPattern {}
}
