package dev.gavel.gateway.call;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * Marks in the ledger where call records are missing because a gateway process ended before it had written them, so
 * that the records do not look complete. Thread-safe.
 */
public final class InterruptedRecordingSweeper {
    private static final int MAX_PERIODS = 500;

    private final LedgerStore ledger;
    private final LedgerWriter writer;
    private final Predicate<String> isAlive;

    /**
     * Creates the sweeper of all topics.
     *
     * @param isAlive whether the gateway process with this id runs
     */
    public InterruptedRecordingSweeper(LedgerStore ledger, LedgerWriter writer, Predicate<String> isAlive) {
        this.ledger = ledger;
        this.writer = writer;
        this.isAlive = isAlive;
    }

    /**
     * Looks for processes that began to record before a time, have not stopped, and do not run any more. Throws if the
     * ledger is unavailable.
     */
    public void run(Instant startedBefore) {
        for (String stream : ledger.streams()) {
            if (CallStreamLayout.isCallStream(stream)) {
                ledger.subjects(SubjectQuery.of(stream).open(true), null, MAX_PERIODS).subjects().stream()
                        .filter(period -> period.startedAt().isBefore(startedBefore))
                        .map(SubjectSummary::subject)
                        .filter(gateway -> !isAlive.test(gateway))
                        .forEach(gateway ->
                                writer.submit(stream, context -> markInterrupted(context, gateway), result -> {}));
            }
        }
    }

    private static TaskDecision<Boolean> markInterrupted(WriterTaskContext context, String gateway) {
        String reference = gateway + "-" + CallStreamLayout.INTERRUPTED;
        // The period may have ended by now. If retention deleted its start, its summary is not loaded.
        if (context.summary(gateway).filter(period -> !period.open()).isPresent()
                || context.findByReference(reference).isPresent()) {
            return TaskDecision.withoutEvents(false);
        }
        List<LedgerEvent> history = context.history(gateway);
        LedgerEvent event = context.createEvent(
                gateway,
                CallStreamLayout.INTERRUPTED,
                SystemMessage.GATEWAY,
                reference,
                CallStreamLayout.gatewayBody(gateway));
        return TaskDecision.ofEvent(
                true, event, CallStreamLayout.summary(history.isEmpty() ? event : history.getFirst(), event));
    }
}
