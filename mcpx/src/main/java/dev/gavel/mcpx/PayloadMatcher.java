package dev.gavel.mcpx;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A capability's payload pattern in compiled form, which tests whether the payload of an envelope matches. Immutable.
 */
sealed interface PayloadMatcher {
    boolean matches(MatchablePayloadValue value);

    /** Compiles a pattern for which {@link #findProblem} has found no problem. */
    static PayloadMatcher compile(PayloadPattern pattern) {
        return switch (pattern) {
            case PayloadPattern.Fields(Map<String, PayloadPattern> fields) -> {
                var checks = new ArrayList<Field>(fields.size());
                fields.forEach((name, of) -> checks.add(new Field(name, compile(of))));
                yield new Fields(List.copyOf(checks));
            }
            case PayloadPattern.AnyOf(List<PayloadPattern> patterns) ->
                new AnyOf(patterns.stream().map(PayloadMatcher::compile).toList());
            case PayloadPattern.Text(String text) -> Text.of(text);
        };
    }

    /** The problem of a pattern, or null if it is valid. */
    static @Nullable String findProblem(PayloadPattern pattern) {
        return pattern instanceof PayloadPattern.Fields
                ? new PatternValidator().findProblem(pattern, 1)
                : "the payload pattern must be an object, because a payload is an object";
    }

    record Field(String name, PayloadMatcher matcher) {}

    record Fields(List<Field> fields) implements PayloadMatcher {
        @Override
        public boolean matches(MatchablePayloadValue value) {
            for (Field field : fields) {
                MatchablePayloadValue actual = value.field(field.name);
                if (actual == null || !field.matcher.matches(actual)) {
                    return false;
                }
            }
            return value.object();
        }
    }

    record AnyOf(List<PayloadMatcher> matchers) implements PayloadMatcher {
        @Override
        public boolean matches(MatchablePayloadValue value) {
            for (PayloadMatcher check : matchers) {
                if (check.matches(value)) {
                    return true;
                }
            }
            return false;
        }
    }

    /**
     * Matches one text. A negated pattern of a number sets {@code number}, because JSON can write the same number in
     * many ways.
     */
    record Text(Glob glob, boolean negated, @Nullable BigDecimal number) implements PayloadMatcher {
        static Text of(String pattern) {
            boolean negated = pattern.startsWith("!");
            Glob glob = Glob.compile(negated ? pattern.substring(1) : pattern);
            return new Text(glob, negated, negated && !glob.hasWildcard() ? number(glob.pattern()) : null);
        }

        @Override
        public boolean matches(MatchablePayloadValue value) {
            String text = value.text();
            // Objects and arrays match no text pattern, not even a negated one: a forbidden value could hide in them.
            if (text == null
                    || ControlCharacterDetector.inValue(text)
                    || (glob.hasWildcard() && DotSegmentDetector.containsDotSegment(text))) {
                return false;
            }
            if (!negated) {
                return glob.matches(text);
            }
            return !glob.matches(text) && !(number != null && value.number() && isSameNumber(number, text));
        }

        private static boolean isSameNumber(BigDecimal number, String text) {
            BigDecimal actual = number(text);
            // A number too long to compare could be equal, so it counts as equal.
            return actual == null || number.compareTo(actual) == 0;
        }

        private static @Nullable BigDecimal number(String text) {
            try {
                return new BigDecimal(text);
            } catch (NumberFormatException e) {
                return null;
            }
        }
    }

    /** Validates a pattern and bounds its depth and number of parts. */
    final class PatternValidator {
        private static final int MAX_PARTS = 1000;
        private static final int MAX_DEPTH = 16;

        private int parts;

        private @Nullable String findProblem(PayloadPattern pattern, int depth) {
            if (++parts > MAX_PARTS) {
                return "the payload pattern has more than " + MAX_PARTS + " parts";
            }
            if (depth > MAX_DEPTH) {
                return "the payload pattern is more than " + MAX_DEPTH + " levels deep";
            }
            return switch (pattern) {
                case PayloadPattern.Fields(Map<String, PayloadPattern> fields) ->
                    findFirstProblem(fields.values(), depth);
                case PayloadPattern.AnyOf(List<PayloadPattern> patterns) ->
                    patterns.isEmpty()
                            ? "an empty list in the payload pattern matches nothing: list at least one value"
                            : findFirstProblem(patterns, depth);
                case PayloadPattern.Text(String text) -> findTextProblem(text);
            };
        }

        private @Nullable String findFirstProblem(Iterable<PayloadPattern> patterns, int depth) {
            for (PayloadPattern each : patterns) {
                String problem = findProblem(each, depth + 1);
                if (problem != null) {
                    return problem;
                }
            }
            return null;
        }

        private static @Nullable String findTextProblem(String text) {
            if (text.length() > Capability.MAX_LENGTH) {
                return "a text in the payload pattern is longer than " + Capability.MAX_LENGTH + " characters";
            }
            return text.equals("!") ? "'!' in the payload pattern needs a value: write what must not match" : null;
        }
    }
}
