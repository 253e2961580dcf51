package dev.gavel.bench.suite;

/**
 * One measured figure of the suite with its unit and its target.
 *
 * @param unit what stands behind the number, a space first if one belongs there; empty for a plain ratio
 * @param details the numbers it was made of, to check it by
 */
record BenchmarkFigure(String part, String label, double value, String unit, FigureTarget target, String details) {
    boolean meetsTarget() {
        return target.isMet(value);
    }

    /** A row of the table. */
    String markdownRow() {
        String mark = switch (target) {
            case FigureTarget.None() -> "";
            case FigureTarget.AtLeast _, FigureTarget.AtMost _ -> meetsTarget() ? "met" : "**missed**";
        };
        return "| %s | **%s%s** | %s | %s | %s |"
                .formatted(label, FigureTarget.formatNumber(value), unit, target.describe(unit), mark, details);
    }
}
