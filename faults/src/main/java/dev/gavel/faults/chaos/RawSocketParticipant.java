package dev.gavel.faults.chaos;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.faults.chaos.ParticipantJournal.JournalConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A participant of a chaos run on a plain socket: it resumes after its last event, resends unconfirmed proposal
 * envelopes and records everything. It comes back to any gateway with {@code since}, and sends again, under the same
 * id, what is about proposals and was neither echoed nor refused; anything else it sends once. Thread-safe.
 */
final class RawSocketParticipant implements AutoCloseable {
    private static final int CONNECT_MILLIS = 3_000;
    private static final long TICK_MILLIS = 20;

    /** After so long without an echo it looks for another gateway. */
    private static final long ECHO_NANOS = Duration.ofSeconds(4).toNanos();

    private static final long AGAIN_NANOS = Duration.ofMillis(400).toNanos();
    private static final String PLAIN_KIND = "chat.message";
    private static final String NOTICE = "system:event-";

    /** Errors that settle nothing: the same may well be done a moment later. */
    private static final Set<String> TRANSIENT_ERRORS = Set.of("unavailable", "rate_limited", "unknown_recipient");

    private final GatewayCluster gatewayCluster;
    private final String name;
    private final ParticipantJournal journal;
    private final Random random;
    private final BiConsumer<RawSocketParticipant, ReceivedEnvelope> reaction;
    private final Map<String, PendingEnvelope> pendingEnvelope = new LinkedHashMap<>();
    private final Set<String> echoed = new HashSet<>();
    private final Map<String, String> refused = new HashMap<>();
    private final Thread.UncaughtExceptionHandler failureHandler;
    private final Thread thread;
    private @Nullable ActiveConnection current;
    private long confirmedSeq = JournalConnection.NO_REPLAY;
    private volatile boolean secondConnectionRequested;
    private volatile boolean closed;

    private record ActiveConnection(RawSocketClient client, JournalConnection connection) {}

    /** Something on its way; {@code due} is when it is to be sent again. */
    private record PendingEnvelope(String text, @Nullable JournalConnection firstConnection, long sentAt, long due) {}

    /**
     * A participant that does nothing yet.
     *
     * @param reaction what it does about what it hears
     * @param mourner is told where one of its threads dies of something
     */
    RawSocketParticipant(
            GatewayCluster gatewayCluster,
            String name,
            boolean directed,
            long start,
            long seed,
            BiConsumer<RawSocketParticipant, ReceivedEnvelope> reaction,
            Thread.UncaughtExceptionHandler mourner) {
        this.gatewayCluster = gatewayCluster;
        this.name = name;
        this.journal = new ParticipantJournal(name, directed, start);
        this.random = new Random(seed);
        this.reaction = reaction;
        this.failureHandler = mourner;
        this.thread =
                Thread.ofVirtual().name(name).uncaughtExceptionHandler(mourner).unstarted(this::runLoop);
    }

    void start() {
        thread.start();
    }

    String name() {
        return name;
    }

    ParticipantJournal journal() {
        return journal;
    }

    private void runLoop() {
        try {
            while (!closed) {
                if (isDisconnected()) {
                    connect();
                } else if (secondConnectionRequested) {
                    secondConnectionRequested = false;
                    connect();
                }
                resend();
                Thread.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean isDisconnected() {
        ActiveConnection now = current;
        return now == null || !now.client().isOpen();
    }

    /** Connects to any gateway; a connection there was is left to the gateways to close. */
    private void connect() throws InterruptedException {
        int gateway = random.nextInt(gatewayCluster.gateways().size());
        ClusterGatewayProcess clusterGatewayProcess = gatewayCluster.gateways().get(gateway);
        long since;
        synchronized (this) {
            since = confirmedSeq;
        }
        JournalConnection journalConnection = journal.openConnection(gateway, since);
        try {
            RawSocketClient client = RawSocketClient.webSocket(
                    clusterGatewayProcess.address(),
                    "/ws?topic=" + ChaosParticipants.TOPIC + (journal.isDirected() ? "&mode=directed" : "")
                            + (since == JournalConnection.NO_REPLAY ? "" : "&since=" + since),
                    GavelConfigBuilder.token(name),
                    CONNECT_MILLIS,
                    receivedEnvelope -> onEnvelope(journalConnection, receivedEnvelope));
            var _ = client.closeCode().thenAccept(code -> journal.onClose(journalConnection, code));
            try {
                client.welcome().get(CONNECT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception _) {
                client.close();
                return;
            }
            synchronized (this) {
                current = new ActiveConnection(client, journalConnection);
                pendingEnvelope.replaceAll(
                        (id, each) -> new PendingEnvelope(each.text(), each.firstConnection(), each.sentAt(), 0));
            }
        } catch (IOException _) {
            journal.onClose(journalConnection, 0);
        }
    }

    private synchronized void resend() {
        ActiveConnection now = current;
        if (now == null || !now.client().isOpen()) {
            return;
        }
        long time = System.nanoTime();
        List<String> due = new ArrayList<>();
        boolean stuck = false;
        for (Map.Entry<String, PendingEnvelope> each : pendingEnvelope.entrySet()) {
            if (each.getValue().due() <= time) {
                due.add(each.getKey());
            }
            stuck |= each.getValue().due() == Long.MAX_VALUE
                    && time - each.getValue().sentAt() > ECHO_NANOS;
        }
        if (stuck) {
            close(now.client());
            current = null;
            return;
        }
        for (String id : due) {
            PendingEnvelope each = pendingEnvelope.get(id);
            if (each != null) {
                pendingEnvelope.put(id, new PendingEnvelope(each.text(), each.firstConnection(), time, Long.MAX_VALUE));
                write(now, id, each.text(), false);
            }
        }
    }

    private void onEnvelope(JournalConnection journalConnection, ReceivedEnvelope receivedEnvelope) {
        try {
            recordEnvelope(journalConnection, receivedEnvelope);
            reaction.accept(this, receivedEnvelope);
        } catch (RuntimeException e) {
            // The connection's thread dies of it, and would be taken for a connection that broke.
            failureHandler.uncaughtException(Thread.currentThread(), e);
            throw e;
        }
    }

    private synchronized void recordEnvelope(JournalConnection journalConnection, ReceivedEnvelope receivedEnvelope) {
        journal.received(journalConnection, receivedEnvelope);
        if (receivedEnvelope.kind().equals("system.welcome")) {
            journal.onWelcome(journalConnection, receivedEnvelope.numberField("seq"));
            if (confirmedSeq == JournalConnection.NO_REPLAY) {
                confirmedSeq = journalConnection.welcomeSeq;
            }
        } else if (receivedEnvelope.kind().equals("system.error")) {
            onError(receivedEnvelope);
        } else if (receivedEnvelope.id().startsWith(NOTICE)) {
            // It came in its turn, so everything before it did.
            confirmedSeq =
                    Math.max(confirmedSeq, Long.parseLong(receivedEnvelope.id().substring(NOTICE.length())));
        } else if (receivedEnvelope.textField("from").equals(name)
                && !receivedEnvelope.kind().equals(PLAIN_KIND)) {
            onEcho(journalConnection, receivedEnvelope.id());
        }
    }

    private void onEcho(JournalConnection journalConnection, String id) {
        echoed.add(id);
        PendingEnvelope sent = pendingEnvelope.remove(id);
        if (sent != null && sent.firstConnection() == journalConnection) {
            // What was decided after the welcome is echoed after all that came before it.
            confirmedSeq = Math.max(confirmedSeq, journalConnection.welcomeSeq);
        }
    }

    private void onError(ReceivedEnvelope error) {
        PendingEnvelope sent = pendingEnvelope.get(error.correlationId());
        if (sent != null && TRANSIENT_ERRORS.contains(error.errorCode())) {
            pendingEnvelope.put(
                    error.correlationId(),
                    new PendingEnvelope(
                            sent.text(), sent.firstConnection(), sent.sentAt(), System.nanoTime() + AGAIN_NANOS));
        } else if (!echoed.contains(error.correlationId()) || !TRANSIENT_ERRORS.contains(error.errorCode())) {
            // One of several attempts may well find the ledger away after another was kept.
            pendingEnvelope.remove(error.correlationId());
            refused.put(error.correlationId(), error.errorCode());
        }
    }

    /** Sends something about a proposal until it is known what became of it. */
    synchronized void sendUntilSettled(String id, String letter) {
        if (closed || echoed.contains(id) || refused.containsKey(id) || pendingEnvelope.containsKey(id)) {
            return;
        }
        ActiveConnection now = current;
        if (now == null || !now.client().isOpen()) {
            pendingEnvelope.put(id, new PendingEnvelope(letter, null, System.nanoTime(), 0));
        } else {
            pendingEnvelope.put(id, new PendingEnvelope(letter, now.connection(), System.nanoTime(), Long.MAX_VALUE));
            write(now, id, letter, false);
        }
    }

    /** Sends something else, if there is a connection; what becomes of it nobody says. */
    synchronized void sendOnce(String id, String letter) {
        ActiveConnection now = current;
        // Behind what has to be sent again, or the order would not be the sender's.
        if (!closed
                && now != null
                && now.client().isOpen()
                && pendingEnvelope.values().stream().noneMatch(each -> each.due() <= System.nanoTime())) {
            write(now, id, letter, true);
        }
    }

    private void write(ActiveConnection now, String id, String letter, boolean plain) {
        journal.sent(now.connection(), id, plain);
        try {
            now.client().send(letter);
        } catch (IOException _) {
            // It will be sent again on the next connection, if it is to be.
        }
    }

    /** Connects once more, elsewhere, while the connection there is stays open. */
    void openSecondConnection() {
        secondConnectionRequested = true;
    }

    synchronized int pendingCount() {
        return pendingEnvelope.size();
    }

    synchronized boolean isConnected() {
        return !isDisconnected();
    }

    synchronized Set<String> echoes() {
        return Set.copyOf(echoed);
    }

    /** What was refused for good, and why. */
    synchronized Map<String, String> refusals() {
        return Map.copyOf(refused);
    }

    private static void close(RawSocketClient client) {
        try {
            client.close();
        } catch (IOException _) {
            // Then it is closed enough.
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        synchronized (this) {
            if (current != null) {
                close(current.client());
            }
        }
    }
}
