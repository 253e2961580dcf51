package dev.gavel.web.metrics;

import dev.gavel.ledger.writer.WriterMetrics;

/**
 * A snapshot of the ledger writer's counters and the ledger's availability, which can be written as metrics. Immutable.
 *
 * @param available whether the ledger is writable now
 */
public record LedgerMetrics(WriterMetrics writerMetrics, boolean available) {
    void write(PrometheusWriter page) {
        page.family(
                "gavel_ledger_available",
                PrometheusWriter.MetricType.GAUGE,
                "1 while the ledger can be written to, else 0.");
        page.sample(available ? 1 : 0);
        page.family(
                "gavel_ledger_commit_seconds",
                PrometheusWriter.MetricType.HISTOGRAM,
                "Time from the start of a batch with something to write until it was durable.");
        page.sample(writerMetrics.commitTimes());
        page.family(
                "gavel_ledger_failed_commits_total",
                PrometheusWriter.MetricType.COUNTER,
                "Batches that could not be made durable; their senders were told 'unavailable'.");
        page.sample(writerMetrics.failedCommits());
        page.family("gavel_ledger_events_total", PrometheusWriter.MetricType.COUNTER, "Events made durable.");
        page.sample(writerMetrics.events());
        page.family(
                "gavel_ledger_queue", PrometheusWriter.MetricType.GAUGE, "Tasks that wait for the ledger's writer.");
        page.sample(writerMetrics.queuedTasks());
        page.family(
                "gavel_ledger_refused_total",
                PrometheusWriter.MetricType.COUNTER,
                "Tasks turned away because the queue was full or closed; their senders were told 'unavailable'.");
        page.sample(writerMetrics.refusedTasks());
    }
}
