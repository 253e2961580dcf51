package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.notification.DeliveryCursorStore;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummaryProjector;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Stores each channel's cursor in the ledger: the last event that the channel has been notified of. Thread-safe. */
record LedgerDeliveryCursorStore(LedgerReader ledger, LedgerWriter writer) implements DeliveryCursorStore {
    @Override
    public long position(String channel, LongSupplier start) {
        OptionalLong known = storedPosition(channel);
        if (known.isPresent()) {
            return known.getAsLong();
        }
        long last = start.getAsLong();
        advance(channel, last);
        return last;
    }

    private OptionalLong storedPosition(String channel) {
        return ledger.summary(SepStreamNames.WEBHOOK_CURSORS, channel)
                .map(summary -> OptionalLong.of(seq(summary)))
                .orElse(OptionalLong.empty());
    }

    private static long seq(SubjectSummary summary) {
        return Json.parse(summary.body().toString())
                .map(body -> body.at("seq").asLong(0))
                .orElse(0L);
    }

    /** Does not wait for the write. If the server crashes before it, the notification is posted once more. */
    @Override
    public void advance(String channel, long seq) {
        writer.submit(
                SepStreamNames.WEBHOOK_CURSORS,
                writerTaskContext -> record(writerTaskContext, channel, seq),
                writeResult -> {});
    }

    /** Never moves a cursor back, because another process that took over may have posted further notifications. */
    private static TaskDecision<Boolean> record(WriterTaskContext writerTaskContext, String channel, long seq) {
        if (writerTaskContext
                .summary(channel)
                .map(LedgerDeliveryCursorStore::seq)
                .filter(known -> known >= seq)
                .isPresent()) {
            return TaskDecision.withoutEvents(false);
        }
        LedgerBody body = LedgerBody.of(Json.object().with("seq", Json.of(seq)).raw());
        LedgerEvent event = writerTaskContext.createEvent(channel, "told", Actor.SYSTEM, null, body);
        return TaskDecision.ofEvent(
                true,
                event,
                SepSummaryProjector.latestEventSummary(
                        writerTaskContext
                                .summary(channel)
                                .map(SubjectSummary::startedAt)
                                .orElse(event.at()),
                        event));
    }
}
