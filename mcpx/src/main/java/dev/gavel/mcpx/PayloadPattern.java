package dev.gavel.mcpx;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pattern that a capability sets for an envelope's payload: required fields, alternatives or text with wildcards.
 * Immutable.
 */
public sealed interface PayloadPattern {
    /** Matches an object that has every named field with a matching value; other fields are allowed. */
    record Fields(Map<String, PayloadPattern> fields) implements PayloadPattern {
        public Fields {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }

    /** Matches a value that at least one of these patterns matches. */
    record AnyOf(List<PayloadPattern> patterns) implements PayloadPattern {
        public AnyOf {
            patterns = List.copyOf(patterns);
        }
    }

    /**
     * Matches a string, or the JSON text of a number, true, false or null. {@code *} matches any run of characters; a
     * leading {@code !} negates the pattern. A configuration gives a number or boolean by its text.
     */
    record Text(String pattern) implements PayloadPattern {}
}
