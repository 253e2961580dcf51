package dev.gavel.sep.desk;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.View;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.kept.SepProjector;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.sweep.Told;
import java.util.OptionalLong;

/** Remembers in the ledger how far webhooks were told, so that a back-up and another process know as well. Thread-safe. */
record ToldInLedger(LedgerReader ledger, LedgerWriter writer) implements Told {
    @Override
    public long upTo(String hook) {
        OptionalLong known = known(hook);
        if (known.isPresent()) {
            return known.getAsLong();
        }
        long last = ledger.extent(Streams.SEPS).last();
        told(hook, last);
        return last;
    }

    private OptionalLong known(String hook) {
        return ledger.summary(Streams.NOTICES, hook)
                .map(summary -> OptionalLong.of(seq(summary)))
                .orElse(OptionalLong.empty());
    }

    private static long seq(Summary summary) {
        return Json.parse(summary.body().toString())
                .map(body -> body.at("seq").number(0))
                .orElse(0L);
    }

    /** Not waited for: what is not noted is told once more after a crash. */
    @Override
    public void told(String hook, long seq) {
        writer.submit(Streams.NOTICES, view -> note(view, hook, seq), outcome -> {});
    }

    /** Never back: who took over from us may have told more by then. */
    private static Decided<Boolean> note(View view, String hook, long seq) {
        if (view.summary(hook)
                .map(ToldInLedger::seq)
                .filter(known -> known >= seq)
                .isPresent()) {
            return Decided.nothing(false);
        }
        Body body = Body.of(Json.object().with("seq", Json.of(seq)).raw());
        Event event = view.event(hook, "told", Actor.SYSTEM, null, body);
        return Decided.one(
                true,
                event,
                SepProjector.note(view.summary(hook).map(Summary::startedAt).orElse(event.at()), event));
    }
}
