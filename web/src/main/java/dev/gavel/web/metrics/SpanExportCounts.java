package dev.gavel.web.metrics;

/**
 * How many trace spans the collector accepted and how many were dropped. Immutable.
 *
 * @param exported that a collector took
 * @param dropped that none did, since it was away or there were too many
 */
public record SpanExportCounts(long exported, long dropped) {
    void write(PrometheusWriter page) {
        page.family(
                "gavel_spans_exported_total",
                PrometheusWriter.MetricType.COUNTER,
                "Trace spans that the collector took.");
        page.sample(exported);
        page.family(
                "gavel_spans_dropped_total",
                PrometheusWriter.MetricType.COUNTER,
                "Trace spans given up: the collector was away or refused them, or there were too many.");
        page.sample(dropped);
    }
}
