package dev.gavel.app.register;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.Summary;
import java.time.Instant;
import java.util.List;

/**
 * The line the ledger keeps of an identity. It never ends, so that retention forgets nothing that was changed. Stateless.
 */
public final class RegisterProjector implements Projector {
    private static final Body NOTHING_MORE = Body.of("{}");

    @Override
    public Summary summarise(List<Event> history) {
        history.forEach(Changes::read);
        return line(history.getFirst().at(), history.getLast());
    }

    static Summary line(Instant started, Event last) {
        return new Summary(
                last.stream(),
                last.subject(),
                "kept",
                true,
                last.subject(),
                null,
                started,
                null,
                last.seq(),
                NOTHING_MORE);
    }
}
