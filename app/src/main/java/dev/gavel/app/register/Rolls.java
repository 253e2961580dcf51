package dev.gavel.app.register;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.writer.LedgerWriter;
import java.util.List;

/** Where changes are kept, by this process and by others. Thread-safe. */
<<<<<<<< HEAD:app/src/main/java/dev/gavel/app/register/Minutes.java
public record Minutes(LedgerReader reader, LedgerWriter writer) {
========
public record Rolls(LedgerReader reader, LedgerWriter writer) {
>>>>>>>> wt-share:app/src/main/java/dev/gavel/app/register/Rolls.java
    private static final int AT_ONCE = 1000;

    /** The next changes after a seq, in order; none where there are no more. */
    List<Event> after(long seq) {
        return switch (reader.after(Register.STREAM, seq, AT_ONCE)) {
            case Replay.Events(List<Event> events) -> events;
            case Replay.Resync(Extent kept) ->
                throw new LedgerFailure("stream '" + Register.STREAM + "' begins with seq " + kept.first()
                        + ", and what came before is missing");
        };
    }
}
