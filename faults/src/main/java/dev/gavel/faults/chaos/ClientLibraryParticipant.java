package dev.gavel.faults.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.faults.chaos.ParticipantJournal.JournalConnection;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A participant of a chaos run that connects through the client library and records what the library delivers.
 * Deliveries are recorded in their order, each with the welcome that preceded it. Thread-safe.
 */
final class ClientLibraryParticipant implements AutoCloseable {
    private final ParticipantJournal journal;
    private JournalConnection connection;
    private final Participant participant;
    private final List<String> unexpectedErrors = new ArrayList<>();

    /**
     * Connects.
     *
     * @param addresses one address that leads to any gateway, or the addresses of all gateways
     */
    ClientLibraryParticipant(List<String> addresses, String name, long start) {
        journal = new ParticipantJournal(name, false, start);
        connection = journal.openConnection(JournalConnection.UNKNOWN_GATEWAY, JournalConnection.NO_REPLAY);
        participant = Gavel.at(addresses.getFirst(), addresses.stream().skip(1).toArray(String[]::new))
                .token(Token.of(GavelConfigBuilder.token(name)))
                .topic(ChaosParticipants.TOPIC)
                .onEnvelope(this::onEnvelope)
                .onLink(this::onLinkEvent)
                .connect();
    }

    private synchronized void onEnvelope(Envelope envelope) {
        byte[] bytes =
                envelope.encode(EnvelopeSyntax.CURRENT, Objects.requireNonNullElse(envelope.from(), ""), Instant.EPOCH);
        ReceivedEnvelope receivedEnvelope = new ReceivedEnvelope(new String(bytes, UTF_8));
        if (receivedEnvelope.kind().equals("system.welcome")) {
            if (connection.welcomeSeq >= 0) {
                connection = journal.openConnection(JournalConnection.UNKNOWN_GATEWAY, JournalConnection.NO_REPLAY);
            }
            journal.onWelcome(connection, receivedEnvelope.numberField("seq"));
        }
        journal.received(connection, receivedEnvelope);
    }

    private synchronized void onLinkEvent(LinkEvent event) {
        if (event instanceof LinkEvent.Down) {
            journal.onClose(connection, 0);
        }
        if (event instanceof LinkEvent.Resync || event instanceof LinkEvent.Missed) {
            synchronized (unexpectedErrors) {
                unexpectedErrors.add("reported missed envelopes: " + event);
            }
        }
    }

    ParticipantJournal journal() {
        return journal;
    }

    Participant participant() {
        return participant;
    }

    /** Unrequested ends of its participation, and failures of the library to deliver. */
    List<String> unexpectedErrors() {
        synchronized (unexpectedErrors) {
            List<String> all = new ArrayList<>(unexpectedErrors);
            GavelException over = participant.over().getNow(null);
            if (over != null) {
                all.add("ended the participation: " + over);
            }
            return all;
        }
    }

    @Override
    public void close() {
        participant.close();
    }
}
