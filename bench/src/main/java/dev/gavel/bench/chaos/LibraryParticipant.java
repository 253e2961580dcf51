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
 * A participant by the client library. What the library hands over is taken down in the order of its handing over, by the
 * welcome it came after. Thread-safe.
 */
final class LibraryParticipant implements AutoCloseable {
    private final Journal journal;
    private Visit visit;
    private final Participant participant;
    private final List<String> complaints = new ArrayList<>();

    /**
     * Connects.
     *
     * @param addresses where: one that leads to any gateway, or each gateway's
     */
    LibraryParticipant(List<String> addresses, String name, long start) {
        journal = new Journal(name, false, start);
        visit = journal.visit(Visit.SOME, Visit.FRESH);
        participant = Gavel.at(addresses.getFirst(), addresses.stream().skip(1).toArray(String[]::new))
                .token(Token.of(Setting.token(name)))
                .topic(Cast.TOPIC)
                .onEnvelope(this::hear)
                .onLink(this::link)
                .connect();
    }

    private synchronized void hear(Envelope envelope) {
        byte[] bytes =
                envelope.encode(Spelling.CURRENT, Objects.requireNonNullElse(envelope.from(), ""), Instant.EPOCH);
        Heard heard = new Heard(new String(bytes, UTF_8));
        if (heard.kind().equals("system.welcome")) {
            if (visit.welcomed >= 0) {
                visit = journal.visit(Visit.SOME, Visit.FRESH);
            }
            journal.welcomed(visit, heard.number("seq"));
        }
        journal.heard(visit, heard);
    }

    private synchronized void link(LinkEvent event) {
        if (event instanceof LinkEvent.Down) {
            journal.left(visit, 0);
        }
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
