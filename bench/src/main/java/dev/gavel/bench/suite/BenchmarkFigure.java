package dev.gavel.bench.suite;

/**
 * One measured figure of the benchmark suite with its unit and its target.
 *
 * @param unit the text after the number, with a leading space if needed; empty for a plain ratio
 * @param details the numbers from which it was computed, for verification
 */
record BenchmarkFigure(String part, String label, double value, String unit, FigureTarget target, String details) {
    boolean meetsTarget() {
        return target.isMet(value);
    }

    /** The figure's row in the table. */
    String markdownRow() {
        String mark = switch (target) {
            case FigureTarget.None() -> "";
            case FigureTarget.AtLeast _, FigureTarget.AtMost _ -> meetsTarget() ? "met" : "**missed**";
        };
        return "| %s | **%s%s** | %s | %s | %s |"
                .formatted(label, FigureTarget.formatNumber(value), unit, target.describe(unit), mark, details);
    }
}
