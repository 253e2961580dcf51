package dev.gavel.app.metrics;

import dev.gavel.ledger.measure.Histogram;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;

/** Writes Prometheus' text format, version 0.0.4: one family after the other, its samples below it. Not thread-safe. */
final class Exposition {
    /** What it is, in HTTP. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder(16 * 1024);
    private String family = "";

    /** How the values of a family are meant. */
    enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM,
        SUMMARY
    }

    /** Begins a family; the samples that follow are its own. */
    void family(String name, Type type, String help) {
        family = name;
        text.append("# HELP ")
                .append(name)
                .append(' ')
                .append(escaped(help, false))
                .append('\n');
        text.append("# TYPE ")
                .append(name)
                .append(' ')
                .append(type.name().toLowerCase(Locale.ROOT))
                .append('\n');
    }

    /** A sample with these labels: a name and a value in turn. */
    void sample(double value, String... labels) {
        line("", Double.toString(value), labels);
    }

    /** The same of a whole number. */
    void sample(long value, String... labels) {
        line("", Long.toString(value), labels);
    }

    /** A histogram with these labels. */
    void sample(Histogram.Reading reading, String... labels) {
        for (Histogram.Step step : reading.steps()) {
            line("_bucket", Long.toString(step.count()), with(labels, bound(step.seconds())));
        }
        line("_bucket", Long.toString(reading.count()), with(labels, "+Inf"));
        sumAndCount(reading.sum(), reading.count(), labels);
    }

    /** How much of something there was, and how often, with these labels. */
    void sumAndCount(double sum, long count, String... labels) {
        line("_sum", Double.toString(sum), labels);
        line("_count", Long.toString(count), labels);
    }

    private static String[] with(String[] labels, String bound) {
        String[] more = Arrays.copyOf(labels, labels.length + 2);
        more[labels.length] = "le";
        more[labels.length + 1] = bound;
        return more;
    }

    private void line(String suffix, String value, String... labels) {
        text.append(family).append(suffix);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',')
                    .append(labels[i])
                    .append("=\"")
                    .append(escaped(labels[i + 1], true))
                    .append('"');
        }
        text.append(labels.length == 0 ? "" : "}").append(' ').append(value).append('\n');
    }

    /** In plain digits, and whole seconds without a fraction, as bounds are usually written. */
    private static String bound(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
    }

    private static String escaped(String value, boolean quotes) {
        String escaped = value.replace("\\", "\\\\").replace("\n", "\\n");
        return quotes ? escaped.replace("\"", "\\\"") : escaped;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
