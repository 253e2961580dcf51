package dev.gavel.bench.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.chaos.Journal.Visit;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.bench.reliability.Setting;
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

/**
 * A participant by the client library. What the library says it heard is taken
 * down as if by one connection. Thread-safe.
 */
final class LibraryParticipant implements AutoCloseable {
    private final Journal journal;
    private final Visit visit;
    private final Participant participant;
    private final List<String> complaints = new ArrayList<>();

    /**
     * Connects.
     *
     * @param addresses where: one that leads to any gateway, or each gateway's
     */
    LibraryParticipant(List<String> addresses, String name, long start) {
        journal = new Journal(name, false, start);
        visit = journal.visit(0, Visit.FRESH);
        participant = Gavel.at(addresses.getFirst(), addresses.stream().skip(1).toArray(String[]::new))
                .token(Token.of(Setting.token(name)))
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
            synchronized (complaints) {
                complaints.add("missed something: " + event);
            }
        }
    }

    Journal journal() {
        return journal;
    }

    Participant participant() {
        return participant;
    }

    /** That it is out of the topic, which nobody asked for, or that the library could not tell it something. */
    List<String> complaints() {
        synchronized (complaints) {
            List<String> all = new ArrayList<>(complaints);
            GavelException over = participant.over().getNow(null);
            if (over != null) {
                all.add("was put out: " + over);
            }
            return all;
        }
    }

    @Override
    public void close() {
        participant.close();
    }
}
