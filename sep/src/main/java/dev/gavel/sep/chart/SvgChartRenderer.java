package dev.gavel.sep.chart;

import dev.gavel.sep.chart.Chart.Bars;
import dev.gavel.sep.chart.Chart.Columns;
import dev.gavel.sep.chart.Chart.Row;
import dev.gavel.sep.chart.Chart.Series;
import dev.gavel.sep.chart.Chart.Steps;
import java.util.List;

/**
 * Renders a chart as SVG, inline for a page or as a document. Shapes have classes ({@code chart-0}, {@code chart-1}, …
 * for the parts, {@code chart-line}, {@code chart-text}, {@code chart-note}) that a page's style sheet may colour;
 * without a style sheet they are shades of the text colour. Stateless.
 */
public final class SvgChartRenderer {
    private static final double WIDTH = 420;
    private static final double LABEL = 112;
    private static final double NOTE = 66;
    private static final double ROW = 26;
    private static final double PLOT = 150;
    private static final double LEFT = 34;
    private static final double TEXT = 13;

    /** An upper bound of the average width of a letter, so that no text is cut off or overlaps. */
    private static final double LETTER_WIDTH = 7;

    /** The style sheet of a stand-alone document. */
    private static final String STYLE = """
            <style>
            svg{color:#1c1e26;background:#fff}
            .chart-0{fill:#3b4fd8;fill-opacity:1}.chart-1{fill:#178a68;fill-opacity:1}.chart-2{fill:#c2711a;fill-opacity:1}.chart-3{fill:#8a8fa3;fill-opacity:1}
            .chart-step.chart-0{stroke:#3b4fd8}.chart-step.chart-1{stroke:#178a68}.chart-step.chart-2{stroke:#c2711a}.chart-step.chart-3{stroke:#8a8fa3}
            .chart-step{fill:none!important;stroke-opacity:1}
            @media (prefers-color-scheme:dark){svg{color:#e9eaf0;background:#1d1f27}
            .chart-0{fill:#8b9bff}.chart-1{fill:#4fc79f}.chart-2{fill:#e8a45c}
            .chart-step.chart-0{stroke:#8b9bff}.chart-step.chart-1{stroke:#4fc79f}.chart-step.chart-2{stroke:#e8a45c}}
            </style>""";

    private SvgChartRenderer() {}

    /**
     * Renders a chart for inclusion in a page.
     *
     * @param id the prefix of the element ids in the chart; unique among the charts of the page
     */
    public static String inline(Chart chart, String id) {
        return draw(chart, id, "", "");
    }

    /** Renders a chart as a stand-alone SVG document. */
    public static String document(Chart chart) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + draw(chart, "chart", " xmlns=\"http://www.w3.org/2000/svg\"", STYLE)
                + "\n";
    }

    private static String draw(Chart chart, String id, String namespace, String style) {
        Drawing drawing = switch (chart) {
            case Bars bars -> bars(bars);
            case Columns columns -> columns(columns);
            case Steps steps -> steps(steps);
        };
        return new MarkupBuilder()
                .add(
                        "<svg" + namespace + " class=\"chart\" role=\"img\" aria-labelledby=\"%s-title %s-desc\""
                                + " viewBox=\"0 0 %s %s\" font-family=\"system-ui, sans-serif\" font-size=\"%s\">"
                                + style
                                + "<title id=\"%s-title\">%s</title><desc id=\"%s-desc\">%s</desc>",
                        id,
                        id,
                        WIDTH,
                        drawing.height(),
                        TEXT,
                        id,
                        chart.title(),
                        id,
                        chart.description())
                .toString()
                .concat(drawing.markupBuilder().toString())
                .concat("</svg>");
    }

    private record Drawing(MarkupBuilder markupBuilder, double height) {}

    private static Drawing bars(Bars chart) {
        MarkupBuilder svg = new MarkupBuilder();
        double top = legend(svg, chart.parts());
        AxisScale scale = AxisScale.upTo(
                chart.rows().stream().mapToDouble(SvgChartRenderer::sum).max().orElse(0));
        double room = WIDTH - LABEL - NOTE;
        double y = top;
        for (Row row : chart.rows()) {
            text(svg, "chart-text", "end", LABEL - 8, y + 17, truncate(row.label(), LABEL - 8));
            line(svg, LABEL, y, LABEL, y + ROW);
            double x = LABEL;
            for (int part = 0; part < row.values().size(); part++) {
                double length = scale.fraction(row.values().get(part)) * room;
                if (length > 0) {
                    rect(svg, part, x, y + 5, Math.max(length, 1.5), ROW - 10);
                    x += Math.max(length, 1.5);
                }
            }
            text(svg, "chart-note", "start", x + 7, y + 17, truncate(row.note(), WIDTH - x - 7));
            y += ROW;
        }
        return new Drawing(svg, y + 6);
    }

    private static Drawing columns(Columns chart) {
        MarkupBuilder svg = new MarkupBuilder();
        double top = legend(svg, chart.parts().stream().map(Series::name).toList());
        int count = chart.labels().size();
        AxisScale scale = AxisScale.upTo(maximum(chart.parts()));
        axis(svg, scale, top);
        double each = (WIDTH - LEFT) / Math.max(count, 1);
        double width = Math.min(each * 0.8 / Math.max(chart.parts().size(), 1), 22);
        double indent = (each - width * chart.parts().size()) / 2;
        for (int i = 0; i < count; i++) {
            for (int part = 0; part < chart.parts().size(); part++) {
                double height = scale.fraction(chart.parts().get(part).values().get(i)) * PLOT;
                if (height > 0) {
                    rect(svg, part, LEFT + each * i + indent + width * part, top + PLOT - height, width, height);
                }
            }
        }
        labels(svg, chart.labels(), each, top + PLOT + 19);
        return new Drawing(svg, top + PLOT + 28);
    }

    private static Drawing steps(Steps chart) {
        MarkupBuilder svg = new MarkupBuilder();
        double top = legend(svg, chart.lines().stream().map(Series::name).toList());
        AxisScale scale = AxisScale.upTo(maximum(chart.lines()));
        axis(svg, scale, top);
        double each = (WIDTH - LEFT) / Math.max(chart.labels().size(), 1);
        for (int number = 0; number < chart.lines().size(); number++) {
            MarkupBuilder path = new MarkupBuilder();
            double x = LEFT;
            for (double value : chart.lines().get(number).values()) {
                double y = top + PLOT - scale.fraction(value) * PLOT;
                path.add(x == LEFT ? "M%s %s" : "V%s", values(x == LEFT, x, y)).add("H%s", x + each);
                x += each;
            }
            svg.add(
                    "<path class=\"chart-step chart-%s\" d=\"%s\" fill=\"none\" stroke=\"currentColor\""
                            + " stroke-width=\"2\" stroke-opacity=\"%s\"/>",
                    number % 4, path, opacity(number));
        }
        labels(svg, chart.labels(), each, top + PLOT + 19);
        return new Drawing(svg, top + PLOT + 28);
    }

    private static Object[] values(boolean first, double x, double y) {
        return first ? new Object[] {x, y} : new Object[] {y};
    }

    /** Draws the legend with the names of the parts above the chart, and returns its lower edge. */
    private static double legend(MarkupBuilder svg, List<String> names) {
        if (names.size() < 2) {
            return 8;
        }
        double x = 2;
        double y = 14;
        for (int i = 0; i < names.size(); i++) {
            double length = 18 + names.get(i).length() * LETTER_WIDTH + 14;
            if (x > 2 && x + length > WIDTH) {
                x = 2;
                y += 20;
            }
            rect(svg, i, x, y - 9, 11, 11);
            text(svg, "chart-text", "start", x + 17, y + 1, truncate(names.get(i), WIDTH - x - 17));
            x += length;
        }
        return y + 18;
    }

    private static void axis(MarkupBuilder svg, AxisScale scale, double top) {
        for (double mark : scale.ticks()) {
            double y = top + PLOT - scale.fraction(mark) * PLOT;
            line(svg, LEFT, y, WIDTH, y);
            text(svg, "chart-note", "end", LEFT - 6, y + 4.5, number(mark));
        }
    }

    /** Draws as many labels as fit. The last label, which is the current month, is always among them. */
    private static void labels(MarkupBuilder svg, List<String> labels, double each, double y) {
        double widest = labels.stream().mapToInt(String::length).max().orElse(0) * LETTER_WIDTH + 10;
        // The last label may shift to the left by half its length and must not touch the one before.
        int every = Math.max(1, (int) Math.ceil(widest * 1.4 / each));
        for (int i = labels.size() - 1; i >= 0; i -= every) {
            double middle = LEFT + each * i + each / 2;
            double half = widest / 2 - 5;
            boolean cut = middle + half > WIDTH;
            text(svg, "chart-note", cut ? "end" : "middle", cut ? WIDTH : middle, y, labels.get(i));
        }
    }

    private static void rect(MarkupBuilder svg, int part, double x, double y, double width, double height) {
        svg.add(
                "<rect class=\"chart-%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"1.5\""
                        + " fill=\"currentColor\" fill-opacity=\"%s\"/>",
                part % 4, x, y, width, height, opacity(part));
    }

    /** Returns the opacity that distinguishes the parts if there is no style sheet. */
    private static double opacity(int part) {
        return 1 - part % 4 * 0.3;
    }

    private static void line(MarkupBuilder svg, double x1, double y1, double x2, double y2) {
        svg.add(
                "<path class=\"chart-line\" d=\"M%s %sL%s %s\" stroke=\"currentColor\" stroke-opacity=\".2\"/>",
                x1, y1, x2, y2);
    }

    private static void text(MarkupBuilder svg, String style, String anchor, double x, double y, String text) {
        svg.add(
                "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"currentColor\">%s</text>",
                style, x, y, anchor, text);
    }

    private static String number(double value) {
        return value >= 10_000 ? Math.round(value / 1_000) + "k" : Long.toString(Math.round(value));
    }

    private static String truncate(String text, double room) {
        int letters = (int) Math.max(1, room / LETTER_WIDTH);
        if (text.codePointCount(0, text.length()) <= letters) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, letters - 1)) + "…";
    }

    private static double sum(Row row) {
        return row.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    private static double maximum(List<Series> all) {
        return all.stream()
                .flatMap(each -> each.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
    }
}
