package dev.gavel.faults.reliability;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.server.SingleGatewayProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Test participant that reconnects after a server restart, resumes after its last event, and resends envelopes still
 * waiting for confirmation or refusal. Thread-safe.
 */
final class ReconnectingParticipant implements AutoCloseable {
    private static final long RESEND_NANOS = Duration.ofMillis(1500).toNanos();
    private static final long TICK_MILLIS = 50;

    /** Errors that are transient: the same envelope may succeed a moment later. */
    private static final Set<String> TRANSIENT_ERRORS = Set.of("unavailable", "rate_limited", "unknown_recipient");

    private final SingleGatewayProcess singleGatewayProcess;
    private final String name;
    private final String topic;
    private final BiConsumer<ReconnectingParticipant, ReceivedEnvelope> reaction;
    private final Thread thread;
    private final Map<String, PendingEnvelope> pendingEnvelope = new LinkedHashMap<>();
    private final Set<String> echoed = new HashSet<>();
    private final Map<String, String> refused = new HashMap<>();
    private @Nullable RawSocketClient client;
    private int connections;
    private long since;
    private long welcomeSeq;
    private volatile boolean closed;

    private record PendingEnvelope(String text, long sentAt, int firstConnection) {}

    ReconnectingParticipant(
            SingleGatewayProcess singleGatewayProcess,
            String name,
            String topic,
            BiConsumer<ReconnectingParticipant, ReceivedEnvelope> reaction) {
        this.singleGatewayProcess = singleGatewayProcess;
        this.name = name;
        this.topic = topic;
        this.reaction = reaction;
        this.thread = Thread.ofVirtual().name(name).start(this::runLoop);
    }

    String name() {
        return name;
    }

    private void runLoop() {
        try {
            while (!closed) {
                connect();
                resend();
                Thread.sleep(TICK_MILLIS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void connect() throws InterruptedException {
        long from;
        synchronized (this) {
            if (client != null && client.isOpen()) {
                return;
            }
            client = null;
            from = since;
        }
        try {
            RawSocketClient next = singleGatewayProcess.join(name, topic, "&since=" + from, this::onEnvelope);
            synchronized (this) {
                client = next;
                // Resends at once, whenever it was sent before: that connection has ended.
                pendingEnvelope.replaceAll((id, each) -> new PendingEnvelope(each.text(), 0, each.firstConnection()));
            }
        } catch (IOException | RuntimeException _) {
            // The server is not running yet, or not any more; the next iteration tries again.
        }
    }

    private void resend() {
        List<String> letters = new ArrayList<>();
        synchronized (this) {
            long now = System.nanoTime();
            pendingEnvelope.replaceAll((id, each) -> {
                if (client == null || (now - each.sentAt() < RESEND_NANOS && each.sentAt() != 0)) {
                    return each;
                }
                letters.add(each.text());
                return new PendingEnvelope(each.text(), now, each.firstConnection());
            });
        }
        letters.forEach(this::write);
    }

    private void onEnvelope(ReceivedEnvelope receivedEnvelope) {
        synchronized (this) {
            if (receivedEnvelope.kind().equals("system.welcome")) {
                welcomeSeq = receivedEnvelope.numberField("seq");
                connections++;
            } else if (receivedEnvelope.kind().equals("system.error")) {
                onError(receivedEnvelope);
            } else if (receivedEnvelope.textField("from").equals(name)) {
                onEcho(receivedEnvelope.id());
            }
        }
        reaction.accept(this, receivedEnvelope);
    }

    private void onEcho(String id) {
        echoed.add(id);
        PendingEnvelope sent = pendingEnvelope.remove(id);
        if (sent != null && sent.firstConnection() == connections) {
            // An envelope processed after the welcome is echoed after everything before the welcome.
            since = welcomeSeq;
        }
    }

    private void onError(ReceivedEnvelope error) {
        if (!TRANSIENT_ERRORS.contains(error.errorCode())) {
            pendingEnvelope.remove(error.correlationId());
            refused.put(error.correlationId(), error.errorCode());
        }
    }

    /** Sends an envelope until it is echoed or refused. */
    void send(String id, String envelopeText) {
        synchronized (this) {
            if (echoed.contains(id) || refused.containsKey(id) || pendingEnvelope.containsKey(id)) {
                return;
            }
            pendingEnvelope.put(
                    id, new PendingEnvelope(envelopeText, System.nanoTime(), client == null ? -1 : connections));
        }
        write(envelopeText);
    }

    private void write(String envelopeText) {
        RawSocketClient current;
        synchronized (this) {
            current = client;
        }
        if (current != null) {
            try {
                current.send(envelopeText);
            } catch (IOException _) {
                // It is resent to the next server.
            }
        }
    }

    synchronized int pendingCount() {
        return pendingEnvelope.size();
    }

    synchronized Set<String> echoed() {
        return Set.copyOf(echoed);
    }

    synchronized int echoCount() {
        return echoed.size();
    }

    synchronized Map<String, String> refused() {
        return Map.copyOf(refused);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        thread.interrupt();
        synchronized (this) {
            if (client != null) {
                client.close();
            }
        }
    }
}
