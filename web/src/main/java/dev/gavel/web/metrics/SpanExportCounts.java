package dev.gavel.web.metrics;

/**
 * How many trace spans the collector accepted and how many were dropped. Immutable.
 *
 * @param exported spans that the collector accepted
 * @param dropped spans dropped because the collector was unavailable or refused them, or because there were too many
 */
public record SpanExportCounts(long exported, long dropped) {
    void write(PrometheusWriter writer) {
        writer.startFamily(
                "gavel_spans_exported_total",
                PrometheusWriter.MetricType.COUNTER,
                "Trace spans that the collector accepted.");
        writer.writeSample(exported);
        writer.startFamily(
                "gavel_spans_dropped_total",
                PrometheusWriter.MetricType.COUNTER,
                "Trace spans dropped because the collector was unavailable or refused them, or because there were too many.");
        writer.writeSample(dropped);
    }
}
