package dev.gavel.app.cli.sep;

/** To go when the renderer is there. */
final class SafeHtml {
    private SafeHtml() {}

    static String of(String markdown) {
        return "<pre>" + dev.gavel.sep.chart.Markup.escaped(markdown) + "</pre>";
    }
}
