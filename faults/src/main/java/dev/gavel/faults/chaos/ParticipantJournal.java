package dev.gavel.faults.chaos;

import dev.gavel.bench.client.ReceivedEnvelope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Records what one participant of a chaos run sent and received, by connection, in order and with times. Thread-safe.
 */
final class ParticipantJournal {
    private final String name;
    private final boolean directed;
    private final long start;
    private final List<JournalConnection> connections = new ArrayList<>();
    private final List<SentEntry> sent = new ArrayList<>();
    private final List<ReceivedEntry> received = new ArrayList<>();
    private final Set<String> receivedIds = new HashSet<>();

    /**
     * One connection, with its gateway, if that is known, and the sequence number after which it requested a replay.
     */
    static final class JournalConnection {
        /** The value of {@code since} if the connection requested no replay. */
        static final long NO_REPLAY = -1;

        /** The value of the gateway if the client library or a proxy chose it. */
        static final int UNKNOWN_GATEWAY = -1;

        private static final long NEVER = Long.MAX_VALUE;

        final int number;
        final int gateway;
        final long since;
        final long openedAt;
        volatile long welcomeSeq = -1;
        volatile long upAt = NEVER;
        volatile long closedAt = NEVER;
        volatile int closeCode;

        private JournalConnection(int number, int gateway, long since, long opened) {
            this.number = number;
            this.gateway = gateway;
            this.since = since;
            this.openedAt = opened;
        }

        /** The sequence number after which the connection must receive everything. */
        long replayStart() {
            return since == NO_REPLAY ? welcomeSeq : since;
        }

        @Override
        public String toString() {
            return "connection " + number + (gateway == UNKNOWN_GATEWAY ? "" : " to gateway-" + gateway);
        }

        /** Whether it was connected at a time, and for this long before and after it. */
        boolean wasUp(long at, long around) {
            return upAt < at - around && closedAt > at + around;
        }
    }

    /** An envelope that was sent, perhaps not for the first time. */
    record SentEntry(JournalConnection connection, long at, String id, boolean plain) {}

    /** An envelope that was received. */
    record ReceivedEntry(JournalConnection connection, long at, ReceivedEnvelope envelope) {}

    /** Creates an empty journal; {@code start} is the start of the run, in terms of {@link System#nanoTime}. */
    ParticipantJournal(String name, boolean directed, long start) {
        this.name = name;
        this.directed = directed;
        this.start = start;
    }

    String name() {
        return name;
    }

    /** Whether it uses directed mode. */
    boolean isDirected() {
        return directed;
    }

    synchronized JournalConnection openConnection(int gateway, long since) {
        JournalConnection journalConnection = new JournalConnection(connections.size(), gateway, since, now());
        connections.add(journalConnection);
        return journalConnection;
    }

    /** Records a welcome and the ledger's last sequence number in it. */
    void onWelcome(JournalConnection journalConnection, long seq) {
        journalConnection.welcomeSeq = seq;
        journalConnection.upAt = now();
    }

    void onClose(JournalConnection journalConnection, int code) {
        journalConnection.closeCode = code;
        journalConnection.closedAt = now();
    }

    private long now() {
        return System.nanoTime() - start;
    }

    synchronized void sent(JournalConnection journalConnection, String id, boolean plain) {
        sent.add(new SentEntry(journalConnection, now(), id, plain));
    }

    synchronized void received(JournalConnection journalConnection, ReceivedEnvelope each) {
        received.add(new ReceivedEntry(journalConnection, now(), each));
        receivedIds.add(each.id());
    }

    synchronized boolean hasReceived(String id) {
        return receivedIds.contains(id);
    }

    synchronized List<JournalConnection> connections() {
        return List.copyOf(connections);
    }

    synchronized List<SentEntry> sent() {
        return List.copyOf(sent);
    }

    synchronized List<ReceivedEntry> received() {
        return List.copyOf(received);
    }

    /** A line for people; lines are ordered by time. */
    record JournalLine(long at, String text) implements Comparable<JournalLine> {
        @Override
        public int compareTo(JournalLine other) {
            return Long.compare(at, other.at);
        }

        @Override
        public String toString() {
            return seconds(at) + " " + text;
        }
    }

    /** The lines that match; those of the same time are in order of arrival. */
    synchronized List<JournalLine> lines(Predicate<String> about) {
        List<JournalLine> lines = new ArrayList<>();
        for (SentEntry each : sent) {
            if (about.test(each.id())) {
                lines.add(line(each.at(), each.connection(), "sent     " + each.id()));
            }
        }
        for (ReceivedEntry each : received) {
            if (about.test(each.envelope().id()) || about.test(each.envelope().correlationId())) {
                lines.add(line(
                        each.at(),
                        each.connection(),
                        "received " + each.envelope().text()));
            }
        }
        lines.sort(null);
        return lines;
    }

    /** The whole journal, for people. */
    synchronized List<String> allLines() {
        List<String> lines = new ArrayList<>(
                lines(id -> true).stream().map(JournalLine::toString).toList());
        for (JournalConnection journalConnection : connections) {
            lines.add("%s: opened %s, since %d, welcomed at %d, ended %s with %d"
                    .formatted(
                            journalConnection,
                            seconds(journalConnection.openedAt),
                            journalConnection.since,
                            journalConnection.welcomeSeq,
                            journalConnection.closedAt == JournalConnection.NEVER
                                    ? "not"
                                    : seconds(journalConnection.closedAt),
                            journalConnection.closeCode));
        }
        return lines;
    }

    private JournalLine line(long at, JournalConnection journalConnection, String what) {
        return new JournalLine(at, name + " (" + journalConnection + ") " + what);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%8.3f s", nanos / 1e9);
    }
}
