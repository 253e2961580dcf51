package dev.gavel.app.metrics;

import dev.gavel.ledger.writer.Measures;

/**
 * How it stands with the ledger. Immutable.
 *
 * @param available whether it can be written to now
 */
public record LedgerReading(Measures measures, boolean available) {
    void write(Exposition page) {
        page.family("gavel_ledger_available", Exposition.Type.GAUGE, "1 while the ledger can be written to, else 0.");
        page.sample(available ? 1 : 0);
        page.family(
                "gavel_ledger_commit_seconds",
                Exposition.Type.HISTOGRAM,
                "Time from the start of a batch with something to write until it was durable.");
        page.sample(measures.commitTimes());
        page.family(
                "gavel_ledger_failed_commits_total",
                Exposition.Type.COUNTER,
                "Batches that could not be made durable; their senders were told 'unavailable'.");
        page.sample(measures.failedCommits());
        page.family("gavel_ledger_events_total", Exposition.Type.COUNTER, "Events made durable.");
        page.sample(measures.events());
        page.family("gavel_ledger_queue", Exposition.Type.GAUGE, "Tasks that wait for the ledger's writer.");
        page.sample(measures.waiting());
        page.family(
                "gavel_ledger_refused_total",
                Exposition.Type.COUNTER,
                "Tasks turned away because the queue was full or closed; their senders were told 'unavailable'.");
        page.sample(measures.refused());
    }
}
