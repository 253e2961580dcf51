package dev.gavel.mcpx;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A {@link PayloadPattern} compiled to be tried on what was seen of a payload. Immutable. */
sealed interface PayloadCheck {
    boolean matches(Seen value);

    /** Compiles a pattern whose soundness {@link #problem} has shown. */
    static PayloadCheck compile(PayloadPattern pattern) {
        return switch (pattern) {
            case PayloadPattern.Fields(Map<String, PayloadPattern> fields) -> {
                var checks = new ArrayList<Field>(fields.size());
                fields.forEach((name, of) -> checks.add(new Field(name, compile(of))));
                yield new Fields(List.copyOf(checks));
            }
            case PayloadPattern.AnyOf(List<PayloadPattern> patterns) ->
                new AnyOf(patterns.stream().map(PayloadCheck::compile).toList());
            case PayloadPattern.Text(String text) -> Text.of(text);
        };
    }

    /** What is wrong with a pattern, or null. */
    static @Nullable String problem(PayloadPattern pattern) {
        return pattern instanceof PayloadPattern.Fields
                ? new Soundness().problem(pattern, 1)
                : "the payload pattern must be an object of fields, because a payload is one";
    }

    record Field(String name, PayloadCheck check) {}

    record Fields(List<Field> fields) implements PayloadCheck {
        @Override
        public boolean matches(Seen value) {
            for (Field field : fields) {
                Seen actual = value.field(field.name);
                if (actual == null || !field.check.matches(actual)) {
                    return false;
                }
            }
            return value.object();
        }
    }

    record AnyOf(List<PayloadCheck> checks) implements PayloadCheck {
        @Override
        public boolean matches(Seen value) {
            for (PayloadCheck check : checks) {
                if (check.matches(value)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** One text; {@code number} is set where a negated pattern names a number, which JSON can write in many ways. */
    record Text(Glob glob, boolean negated, @Nullable BigDecimal number) implements PayloadCheck {
        static Text of(String pattern) {
            boolean negated = pattern.startsWith("!");
            Glob glob = Glob.compile(negated ? pattern.substring(1) : pattern);
            return new Text(glob, negated, negated && !glob.wild() ? number(glob.pattern()) : null);
        }

        @Override
        public boolean matches(Seen value) {
            String text = value.text();
            // Objects and arrays satisfy no text, also no negated one: what is forbidden could hide in them.
            if (text == null || (glob.wild() && DotSegments.in(text))) {
                return false;
            }
            if (!negated) {
                return glob.matches(text);
            }
            return !glob.matches(text) && !(number != null && value.number() && same(number, text));
        }

        private static boolean same(BigDecimal number, String text) {
            BigDecimal actual = number(text);
            // A number too long to compare is not shown to be different.
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

    /** Bounds a pattern while it is looked through. */
    final class Soundness {
        private static final int MOST = 1000;
        private static final int DEEPEST = 16;

        private int parts;

        private @Nullable String problem(PayloadPattern pattern, int depth) {
            if (++parts > MOST) {
                return "the payload pattern has more than " + MOST + " parts";
            }
            if (depth > DEEPEST) {
                return "the payload pattern is more than " + DEEPEST + " levels deep";
            }
            return switch (pattern) {
                case PayloadPattern.Fields(Map<String, PayloadPattern> fields) -> first(fields.values(), depth);
                case PayloadPattern.AnyOf(List<PayloadPattern> patterns) ->
                    patterns.isEmpty()
                            ? "an empty list in the payload pattern matches nothing: name what may match"
                            : first(patterns, depth);
                case PayloadPattern.Text(String text) -> text(text);
            };
        }

        private @Nullable String first(Iterable<PayloadPattern> patterns, int depth) {
            for (PayloadPattern each : patterns) {
                String problem = problem(each, depth + 1);
                if (problem != null) {
                    return problem;
                }
            }
            return null;
        }

        private static @Nullable String text(String text) {
            if (text.length() > Capability.LONGEST) {
                return "a text in the payload pattern is longer than " + Capability.LONGEST + " characters";
            }
            return text.equals("!") ? "'!' in the payload pattern negates nothing: write what must not match" : null;
        }
    }
}
