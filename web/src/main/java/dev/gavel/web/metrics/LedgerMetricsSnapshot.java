package dev.gavel.web.metrics;

import dev.gavel.ledger.writer.WriterMetricsSnapshot;

/**
 * A snapshot of the ledger writer's counters and the ledger's availability, which can be written as metrics. Immutable.
 *
 * @param available whether the ledger is writable now
 */
public record LedgerMetricsSnapshot(WriterMetricsSnapshot writerMetricsSnapshot, boolean available) {
    void write(PrometheusWriter writer) {
        writer.startFamily(
                "gavel_ledger_available",
                PrometheusWriter.MetricType.GAUGE,
                "1 if the ledger is writable, otherwise 0.");
        writer.writeSample(available ? 1 : 0);
        writer.startFamily(
                "gavel_ledger_commit_seconds",
                PrometheusWriter.MetricType.HISTOGRAM,
                "Time from the start of a batch with writes until the batch was durable.");
        writer.writeSample(writerMetricsSnapshot.commitTimes());
        writer.startFamily(
                "gavel_ledger_failed_commits_total",
                PrometheusWriter.MetricType.COUNTER,
                "Batches that could not be made durable. Their senders received the error 'unavailable'.");
        writer.writeSample(writerMetricsSnapshot.failedCommits());
        writer.startFamily("gavel_ledger_events_total", PrometheusWriter.MetricType.COUNTER, "Events written durably.");
        writer.writeSample(writerMetricsSnapshot.events());
        writer.startFamily(
                "gavel_ledger_queue",
                PrometheusWriter.MetricType.GAUGE,
                "Number of tasks waiting for the ledger writer.");
        writer.writeSample(writerMetricsSnapshot.queuedTasks());
        writer.startFamily(
                "gavel_ledger_refused_total",
                PrometheusWriter.MetricType.COUNTER,
                "Tasks refused because the queue was full or closed. Their senders received the error 'unavailable'.");
        writer.writeSample(writerMetricsSnapshot.refusedTasks());
    }
}
