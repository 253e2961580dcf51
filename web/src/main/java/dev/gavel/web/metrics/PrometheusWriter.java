package dev.gavel.web.metrics;

import dev.gavel.ledger.metrics.Histogram;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;

/** Writes metric families and samples in the Prometheus text format 0.0.4. Not thread-safe. */
final class PrometheusWriter {
    /** The HTTP content type of the text. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder(16 * 1024);
    private String family = "";

    /** The type of a metric family. */
    enum MetricType {
        COUNTER,
        GAUGE,
        HISTOGRAM,
        SUMMARY
    }

    /** Starts a family; the samples that follow belong to it. */
    void startFamily(String name, MetricType type, String help) {
        family = name;
        text.append("# HELP ")
                .append(name)
                .append(' ')
                .append(escape(help, false))
                .append('\n');
        text.append("# TYPE ")
                .append(name)
                .append(' ')
                .append(type.name().toLowerCase(Locale.ROOT))
                .append('\n');
    }

    /**
     * Writes a sample.
     *
     * @param labels names and values in turn
     */
    void writeSample(double value, String... labels) {
        appendSample("", Double.toString(value), labels);
    }

    /** Writes a sample with an integer value. */
    void writeSample(long value, String... labels) {
        appendSample("", Long.toString(value), labels);
    }

    /** Writes a histogram. */
    void writeSample(Histogram.Snapshot snapshot, String... labels) {
        for (Histogram.Bucket bucket : snapshot.buckets()) {
            appendSample(
                    "_bucket",
                    Long.toString(bucket.count()),
                    withBound(labels, formatBound(bucket.upperBoundSeconds())));
        }
        appendSample("_bucket", Long.toString(snapshot.count()), withBound(labels, "+Inf"));
        writeSumAndCount(snapshot.sum(), snapshot.count(), labels);
    }

    /** Writes the sum and the count of a summary. */
    void writeSumAndCount(double sum, long count, String... labels) {
        appendSample("_sum", Double.toString(sum), labels);
        appendSample("_count", Long.toString(count), labels);
    }

    private static String[] withBound(String[] labels, String bound) {
        String[] extended = Arrays.copyOf(labels, labels.length + 2);
        extended[labels.length] = "le";
        extended[labels.length + 1] = bound;
        return extended;
    }

    private void appendSample(String suffix, String value, String... labels) {
        text.append(family).append(suffix);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',')
                    .append(labels[i])
                    .append("=\"")
                    .append(escape(labels[i + 1], true))
                    .append('"');
        }
        text.append(labels.length == 0 ? "" : "}").append(' ').append(value).append('\n');
    }

    /** Formats a bound in plain digits, and whole seconds without a fraction, as is usual. */
    private static String formatBound(double seconds) {
        return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
    }

    private static String escape(String value, boolean quotes) {
        String result = value.replace("\\", "\\\\").replace("\n", "\\n");
        return quotes ? result.replace("\"", "\\\"") : result;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
