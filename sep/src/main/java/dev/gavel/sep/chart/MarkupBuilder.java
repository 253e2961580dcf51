package dev.gavel.sep.chart;

import dev.gavel.mcpx.text.SafeText;
import java.util.Locale;

/** Builds SVG or HTML text and escapes every value put into it. Not thread-safe. */
public final class MarkupBuilder {
    private final StringBuilder out = new StringBuilder();

    /**
     * Appends trusted markup. Each placeholder {@code %s} is replaced by an escaped value; numbers have at most one
     * decimal.
     */
    public MarkupBuilder add(String markup, Object... values) {
        int from = 0;
        for (Object value : values) {
            int at = markup.indexOf("%s", from);
            out.append(markup, from, at).append(formatValue(value));
            from = at + 2;
        }
        out.append(markup, from, markup.length());
        return this;
    }

    /** Appends markup that is known to be safe, without escaping. */
    public MarkupBuilder raw(String safe) {
        out.append(safe);
        return this;
    }

    /** Escapes untrusted text for SVG and HTML. Hidden characters become visible escapes. */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 8);
        SafeText.lines(text).codePoints().forEach(point -> {
            switch (point) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(point);
            }
        });
        return safe.toString();
    }

    private static String formatValue(Object value) {
        if (value instanceof Double number) {
            String text = String.format(Locale.ROOT, "%.1f", number);
            return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        }
        return escape(value.toString());
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
