package dev.gavel.bench.suite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Renders a chart of horizontal bars as SVG for light and dark pages.
 *
 * @param fileName the name of the file, without its extension
 * @param subtitle the meaning of a bar's length
 */
record BarChart(String fileName, String title, String subtitle, List<Bar> bars) {
    private static final int WIDTH = 760;
    private static final int LABELS = 270;
    private static final int NUMBERS = 90;
    private static final int TOP = 62;
    private static final int ROW = 24;
    private static final int THICKNESS = 14;
    private static final int LENGTH = WIDTH - LABELS - NUMBERS;

    BarChart {
        bars = List.copyOf(bars);
    }

    /** The server that a bar belongs to, which determines its colour. */
    enum Side {
        GAVEL,
        REFERENCE
    }

    /**
     * One bar.
     *
     * @param target the position of the target's mark, if there is one
     */
    record Bar(
            String label,
            double value,
            String unit,
            Side side,
            @Nullable Double target) {
        static Bar gavel(String label, double value, String unit) {
            return new Bar(label, value, unit, Side.GAVEL, null);
        }

        static Bar gavel(String label, double value, String unit, double target) {
            return new Bar(label, value, unit, Side.GAVEL, target);
        }

        static Bar reference(String label, double value, String unit) {
            return new Bar(label, value, unit, Side.REFERENCE, null);
        }
    }

    String toSvg() {
        double longest = 0;
        for (Bar bar : bars) {
            longest = Math.max(longest, bar.value());
            longest = Math.max(longest, bar.target() == null ? 0 : bar.target());
        }
        List<String> lines = new ArrayList<>();
        int height = TOP + bars.size() * ROW + 12;
        lines.add("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
                <style>
                text { font: 13px system-ui, sans-serif; fill: #1f2328; }
                .title { font-size: 15px; font-weight: 600; }
                .about, .number { fill: #59636e; }
                .gavel { fill: #0969da; }
                .reference { fill: #8c959f; }
                .target { stroke: #cf222e; stroke-width: 2; }
                @media (prefers-color-scheme: dark) {
                  text { fill: #e6edf3; }
                  .about, .number { fill: #9198a1; }
                  .gavel { fill: #4493f8; }
                  .reference { fill: #6e7681; }
                  .target { stroke: #f85149; }
                }
                </style>
                <text class="title" x="8" y="20">%s</text>
                <text class="about" x="8" y="40">%s</text>""".formatted(WIDTH, height, escaped(title), escaped(title), escaped(subtitle)));
        for (int i = 0; i < bars.size(); i++) {
            row(bars.get(i), TOP + i * ROW, longest, lines);
        }
        lines.add("</svg>\n");
        return String.join("\n", lines);
    }

    private static void row(Bar bar, int y, double longest, List<String> lines) {
        double scale = longest == 0 ? 0 : LENGTH / longest;
        double length = bar.value() * scale;
        double end = length;
        lines.add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                .formatted(LABELS - 8, y + THICKNESS - 2, escaped(bar.label())));
        lines.add(String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>",
                bar.side().name().toLowerCase(Locale.ROOT),
                LABELS,
                y,
                Math.max(1, length),
                THICKNESS));
        if (bar.target() != null) {
            double mark = bar.target() * scale;
            end = Math.max(end, mark);
            lines.add(String.format(
                    Locale.ROOT,
                    "<line class=\"target\" x1=\"%1$.1f\" x2=\"%1$.1f\" y1=\"%2$d\" y2=\"%3$d\"/>",
                    LABELS + mark,
                    y - 4,
                    y + THICKNESS + 4));
        }
        lines.add(String.format(
                Locale.ROOT,
                "<text class=\"number\" x=\"%.1f\" y=\"%d\">%s%s</text>",
                LABELS + end + 8,
                y + THICKNESS - 2,
                FigureTarget.formatNumber(bar.value()),
                escaped(bar.unit())));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
