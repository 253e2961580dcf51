package dev.gavel.bench.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.chaos.Journal.Visit;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Spelling;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A participant by the client library, which gets to any gateway by one address. What the library says it heard is taken
 * down as if by one connection. Thread-safe.
 */
final class LibraryParticipant implements AutoCloseable {
    private final Journal journal;
    private final Visit visit;
    private final Participant participant;
    private final List<String> lost = new ArrayList<>();

    LibraryParticipant(Fleet fleet, String name, long start) {
        journal = new Journal(name, false, start);
        visit = journal.visit(0, Visit.FRESH);
        participant = Gavel.at(fleet.url())
                .token(Token.of(Cast.token(name)))
                .topic(Cast.TOPIC)
                .onEnvelope(this::hear)
                .onLink(this::link)
                .connect();
    }

    private void hear(Envelope envelope) {
        byte[] bytes =
                envelope.encode(Spelling.CURRENT, Objects.requireNonNullElse(envelope.from(), ""), Instant.EPOCH);
        journal.heard(visit, new Heard(new String(bytes, UTF_8)));
    }

    private void link(LinkEvent event) {
        if (event instanceof LinkEvent.Resync || event instanceof LinkEvent.Missed) {
            synchronized (lost) {
                lost.add(event.toString());
            }
        }
    }

    Journal journal() {
        return journal;
    }

    Participant participant() {
        return participant;
    }

    /** Why it is out of the topic, if it is, which nobody asked for. */
    Optional<String> over() {
        return Optional.ofNullable(participant.over().getNow(null)).map(GavelException::toString);
    }

    /** What the library says it could not tell. */
    List<String> lost() {
        synchronized (lost) {
            return List.copyOf(lost);
        }
    }

    @Override
    public void close() {
        participant.close();
    }
}
