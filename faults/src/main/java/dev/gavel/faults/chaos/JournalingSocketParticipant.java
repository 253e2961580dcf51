package dev.gavel.faults.chaos;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
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
 * Chaos-test participant on a plain socket that reconnects after failures, resends unconfirmed envelopes about
 * proposals, and records everything in a journal. It reconnects to any gateway with {@code since}, and resends, under
 * the same id, envelopes about proposals that were neither echoed nor refused; it sends all others once. Thread-safe.
 */
final class JournalingSocketParticipant implements AutoCloseable {
    private static final int CONNECT_MILLIS = 3_000;
    private static final long TICK_MILLIS = 20;

    /** After this time without an echo it connects to another gateway. */
    private static final long ECHO_NANOS = Duration.ofSeconds(4).toNanos();

    private static final long AGAIN_NANOS = Duration.ofMillis(400).toNanos();
    private static final String NOTICE = "system:event-";

    /** Errors that are transient: the same envelope may succeed a moment later. */
    private static final Set<String> TRANSIENT_ERRORS = Set.of("unavailable", "rate_limited", "unknown_recipient");

    private final RecordingGatewayProxies gateways;
    private final String name;
    private final ParticipantJournal journal;
    private final Random random;
    private final BiConsumer<JournalingSocketParticipant, ReceivedEnvelope> reaction;
    private final Map<String, PendingEnvelope> pendingEnvelope = new LinkedHashMap<>();

    /** The ids of its envelopes that concern no proposal. Its second connection receives them, too: they are not echoes. */
    private final Set<String> plain = new HashSet<>();

    private final Set<String> echoed = new HashSet<>();
    private final Map<String, String> refused = new HashMap<>();
    private final Thread.UncaughtExceptionHandler failureHandler;
    private final Thread thread;
    private @Nullable ActiveConnection current;
    private long confirmedSeq = JournalConnection.NO_REPLAY;
    private volatile boolean secondConnectionRequested;
    private volatile boolean closed;

    private record ActiveConnection(RawSocketClient client, JournalConnection connection) {}

    /** An unconfirmed envelope; {@code due} is the time of its next resend. */
    private record PendingEnvelope(String text, @Nullable JournalConnection firstConnection, long sentAt, long due) {}

    /**
     * Creates a participant that is not connected yet.
     *
     * @param reaction handles received envelopes
     * @param exceptionHandler receives the exception that ended one of its threads
     */
    JournalingSocketParticipant(
            RecordingGatewayProxies gateways,
            String name,
            boolean directed,
            long start,
            long seed,
            BiConsumer<JournalingSocketParticipant, ReceivedEnvelope> reaction,
            Thread.UncaughtExceptionHandler exceptionHandler) {
        this.gateways = gateways;
        this.name = name;
        this.journal = new ParticipantJournal(name, directed, start);
        this.random = new Random(seed);
        this.reaction = reaction;
        this.failureHandler = exceptionHandler;
        this.thread = Thread.ofVirtual()
                .name(name)
                .uncaughtExceptionHandler(exceptionHandler)
                .unstarted(this::runLoop);
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

    /** Connects to any gateway; the gateways close an existing connection. */
    private void connect() throws InterruptedException {
        int gateway = random.nextInt(gateways.size());
        long since;
        synchronized (this) {
            since = confirmedSeq;
        }
        JournalConnection journalConnection = journal.openConnection(gateway, since);
        try {
            RawSocketClient client = RawSocketClient.webSocket(
                    gateways.address(gateway),
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
            // The exception ends the connection's thread, which would otherwise look like a broken connection.
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
            // Notices arrive in order, so everything before this one has arrived.
            confirmedSeq =
                    Math.max(confirmedSeq, Long.parseLong(receivedEnvelope.id().substring(NOTICE.length())));
        } else if (receivedEnvelope.textField("from").equals(name) && !plain.contains(receivedEnvelope.id())) {
            onEcho(journalConnection, receivedEnvelope.id());
        }
    }

    private void onEcho(JournalConnection journalConnection, String id) {
        echoed.add(id);
        PendingEnvelope sent = pendingEnvelope.remove(id);
        if (sent != null && sent.firstConnection() == journalConnection) {
            // An envelope processed after the welcome is echoed after everything before the welcome.
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
            // One of several attempts may find the ledger unavailable after another one was stored.
            pendingEnvelope.remove(error.correlationId());
            refused.put(error.correlationId(), error.errorCode());
        }
    }

    /** Sends an envelope about a proposal until it is echoed or refused. */
    synchronized void sendUntilSettled(String id, String envelopeText) {
        if (closed || echoed.contains(id) || refused.containsKey(id) || pendingEnvelope.containsKey(id)) {
            return;
        }
        ActiveConnection now = current;
        if (now == null || !now.client().isOpen()) {
            pendingEnvelope.put(id, new PendingEnvelope(envelopeText, null, System.nanoTime(), 0));
        } else {
            pendingEnvelope.put(
                    id, new PendingEnvelope(envelopeText, now.connection(), System.nanoTime(), Long.MAX_VALUE));
            write(now, id, envelopeText, false);
        }
    }

    /** Sends another envelope, if connected; there is no confirmation. */
    synchronized void sendOnce(String id, String envelopeText) {
        ActiveConnection now = current;
        // Not before envelopes that must be resent; otherwise the sender's order would not be preserved.
        if (!closed
                && now != null
                && now.client().isOpen()
                && pendingEnvelope.values().stream().noneMatch(each -> each.due() <= System.nanoTime())) {
            plain.add(id);
            write(now, id, envelopeText, true);
        }
    }

    /** Answers a request of the gateway itself, if connected. The journal does not contain the answer. */
    synchronized void sendToGateway(String id, String envelopeText) {
        ActiveConnection now = current;
        plain.add(id);
        if (!closed && now != null && now.client().isOpen()) {
            try {
                now.client().send(envelopeText);
            } catch (IOException _) {
                // The gateway asks again.
            }
        }
    }

    private void write(ActiveConnection now, String id, String envelopeText, boolean plain) {
        journal.sent(now.connection(), id, plain);
        try {
            now.client().send(envelopeText);
        } catch (IOException _) {
            // It is resent on the next connection, if necessary.
        }
    }

    /** Opens a second connection, to another gateway, while the current one stays open. */
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

    /** The ids of the envelopes refused permanently, and why. */
    synchronized Map<String, String> refusals() {
        return Map.copyOf(refused);
    }

    private static void close(RawSocketClient client) {
        try {
            client.close();
        } catch (IOException _) {
            // The socket cannot be closed further.
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
