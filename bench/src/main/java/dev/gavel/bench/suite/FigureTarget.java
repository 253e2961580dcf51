package dev.gavel.bench.suite;

import java.util.Locale;

/** The target for a measured figure: a minimum, a maximum, or none. */
sealed interface FigureTarget {
    /** At least the bound. */
    record AtLeast(double bound) implements FigureTarget {}

    /** At most the bound. */
    record AtMost(double bound) implements FigureTarget {}

    /** No target: the figure is informative. */
    record None() implements FigureTarget {}

    static FigureTarget none() {
        return new None();
    }

    static FigureTarget atLeast(double bound) {
        return new AtLeast(bound);
    }

    static FigureTarget atMost(double bound) {
        return new AtMost(bound);
    }

    /** Whether a figure meets the target, at the displayed precision. */
    default boolean isMet(double value) {
        return switch (this) {
            case AtLeast(double bound) -> value >= bound;
            case AtMost(double bound) -> value <= bound;
            case None() -> true;
        };
    }

    /** The target in words, with a unit. */
    default String describe(String unit) {
        return switch (this) {
            case AtLeast(double bound) -> "at least " + formatNumber(bound) + unit;
            case AtMost(double bound) -> "at most " + formatNumber(bound) + unit;
            case None() -> "";
        };
    }

    /** Formats a number with digits according to its size. */
    static String formatNumber(double value) {
        double size = Math.abs(value);
        if (size == Math.rint(size) && size < 1e6) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String format = size >= 1000 ? "%,.0f" : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
