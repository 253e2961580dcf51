package dev.gavel.bench.suite;

/**
 * One measured figure.
 *
 * @param unit what stands behind the number, a space first if one belongs there; empty for a plain ratio
 * @param bare the numbers it was made of, to check it by
 */
record Figure(String part, String what, double value, String unit, Target target, String bare) {
    boolean isMet() {
        return target.isMet(value);
    }

    /** A row of the table. */
    String row() {
        String mark = switch (target) {
            case Target.None() -> "";
            case Target.AtLeast _, Target.AtMost _ -> isMet() ? "met" : "**missed**";
        };
        return "| %s | **%s%s** | %s | %s | %s |"
                .formatted(what, Target.number(value), unit, target.words(unit), mark, bare);
    }
}
