package dev.gavel.app.metrics;

/**
 * What became of trace spans. Immutable.
 *
 * @param exported that a collector took
 * @param dropped that none did, since it was away or there were too many
 */
public record SpanCounts(long exported, long dropped) {
    void write(Exposition page) {
        page.family("gavel_spans_exported_total", Exposition.Type.COUNTER, "Trace spans that the collector took.");
        page.sample(exported);
        page.family(
                "gavel_spans_dropped_total",
                Exposition.Type.COUNTER,
                "Trace spans given up: the collector was away or refused them, or there were too many.");
        page.sample(dropped);
    }
}
