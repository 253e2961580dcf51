package dev.gavel.web.metrics;

import dev.gavel.ledger.metrics.Histogram;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;

/** Writes metric families and samples in the Prometheus text format 0.0.4. Not thread-safe. */
final class PrometheusWriter {
    /** What it is, in HTTP. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder(16 * 1024);
    private String family = "";

    /** How the values of a family are meant. */
    enum MetricType {
        COUNTER,
        GAUGE,
        HISTOGRAM,
        SUMMARY
    }

    /** Begins a family; the samples that follow are its own. */
    void family(String name, MetricType type, String help) {
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
        appendSample("", Double.toString(value), labels);
    }

    /** The same of a whole number. */
    void sample(long value, String... labels) {
        appendSample("", Long.toString(value), labels);
    }

    /** A histogram with these labels. */
    void sample(Histogram.Snapshot snapshot, String... labels) {
        for (Histogram.Bucket bucket : snapshot.buckets()) {
            appendSample("_bucket", Long.toString(bucket.count()), with(labels, bound(bucket.upperBoundSeconds())));
        }
        appendSample("_bucket", Long.toString(snapshot.count()), with(labels, "+Inf"));
        sumAndCount(snapshot.sum(), snapshot.count(), labels);
    }

    /** How much of something there was, and how often, with these labels. */
    void sumAndCount(double sum, long count, String... labels) {
        appendSample("_sum", Double.toString(sum), labels);
        appendSample("_count", Long.toString(count), labels);
    }

    private static String[] with(String[] labels, String bound) {
        String[] more = Arrays.copyOf(labels, labels.length + 2);
        more[labels.length] = "le";
        more[labels.length + 1] = bound;
        return more;
    }

    private void appendSample(String suffix, String value, String... labels) {
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
