package dev.gavel.web.metrics;

import dev.gavel.gateway.call.CallAuditLog;
import dev.gavel.ledger.writer.WriterMetricsSnapshot;
import java.util.Optional;

/**
 * A snapshot of the ledger writer's counters and the ledger's availability, which can be written as metrics. Immutable.
 *
 * @param available whether the ledger is writable now
 * @param callRecords the numbers of call records; empty if calls are not recorded
 */
public record LedgerMetricsSnapshot(
        WriterMetricsSnapshot writerMetricsSnapshot, boolean available, Optional<CallAuditLog.Counts> callRecords) {
    void write(PrometheusWriter writer) {
        callRecords.ifPresent(counts -> {
            writer.startFamily(
                    "gavel_call_records_total",
                    PrometheusWriter.MetricType.COUNTER,
                    "Records of calls and their answers that were written durably.");
            writer.writeSample(counts.written());
            writer.startFamily(
                    "gavel_call_records_lost_total",
                    PrometheusWriter.MetricType.COUNTER,
                    "Records of calls that were dropped because too many waited for the ledger.");
            writer.writeSample(counts.lost());
        });
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
