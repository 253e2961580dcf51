package dev.gavel.bench.suite;

import java.util.Locale;

/** What a figure is to be. */
sealed interface Target {
    /** At least so much. */
    record AtLeast(double bound) implements Target {}

    /** At most so much. */
    record AtMost(double bound) implements Target {}

    /** Nobody asked for anything: it is good to know. */
    record None() implements Target {}

    static Target none() {
        return new None();
    }

    static Target atLeast(double bound) {
        return new AtLeast(bound);
    }

    static Target atMost(double bound) {
        return new AtMost(bound);
    }

    /** Whether a figure is what it is to be, to the digits that are shown. */
    default boolean isMet(double value) {
        return switch (this) {
            case AtLeast(double bound) -> value >= bound;
            case AtMost(double bound) -> value <= bound;
            case None() -> true;
        };
    }

    /** In words, with a unit. */
    default String words(String unit) {
        return switch (this) {
            case AtLeast(double bound) -> "at least " + number(bound) + unit;
            case AtMost(double bound) -> "at most " + number(bound) + unit;
            case None() -> "";
        };
    }

    /** A number with as many digits as it deserves. */
    static String number(double value) {
        double size = Math.abs(value);
        if (size == Math.rint(size) && size < 1e6) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String format = size >= 1000 ? "%,.0f" : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
