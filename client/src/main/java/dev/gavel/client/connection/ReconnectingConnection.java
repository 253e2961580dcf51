package dev.gavel.client.connection;

import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a participant connected to a topic: after a connection loss, reconnects, catches up on missed proposal
 * envelopes and resends unconfirmed envelopes. It uses two threads: one reconnects, the other writes. Thread-safe.
 */
public final class ReconnectingConnection implements AutoCloseable {
    private static final System.Logger log = System.getLogger("dev.gavel.client");
    private static final Duration MAX_SILENCE = Duration.ofSeconds(70);
    private static final Duration WELCOME_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STABLE_AFTER = Duration.ofSeconds(2);
    private static final int TOO_LARGE = 1009;
    private static final int RESTARTING = 1012;

    private final RemoteGateway gateway;
    private final String topic;
    private final EnvelopeReader reader = new EnvelopeReader(GatewayWebSocket.LIMITS);
    private final WebSocketConnector connector;
    private final CompletableFuture<String> participantId = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ClientSendQueue sendQueue = new ClientSendQueue();
    private final ReplayPosition replayPosition = new ReplayPosition();
    private final Backoff backoff = new Backoff();
    private @Nullable ReconnectingConnectionListener listener;
    private @Nullable GatewayWebSocket socket;
    private @Nullable PermanentCloseReason closeReason;
    private @Nullable Thread reconnectThread;
    private boolean welcomed;
    private boolean ledger;
    private boolean seqLookupRunning;

    /** The WebSocket whose gateway seems to have a different ledger than before; null if there is none. */
    private @Nullable GatewayWebSocket suspectSocket;

    /**
     * Creates a connection that is not open yet.
     *
     * @param gateway the gateway's addresses and token, also used for HTTP lookups of what the WebSocket does not
     *     report
     * @param directed whether the client requests only envelopes that concern this participant
     */
    public ReconnectingConnection(RemoteGateway gateway, String topic, boolean directed) {
        this.gateway = gateway;
        this.topic = topic;
        this.connector = new WebSocketConnector(gateway, topic, directed);
    }

    /** Connects for the first time. After that, the connection reconnects automatically. */
    public void open(ReconnectingConnectionListener connectionListener)
            throws ConnectFailedException, InterruptedException {
        listener = connectionListener;
        try {
            ledger = gateway.topic(topic).at("ledger").isTrue();
        } catch (RemoteGatewayException.Refused e) {
            throw new ConnectFailedException(
                    e.problem().detail(),
                    PermanentCloseReason.ofHttpStatus(e.problem().status()));
        } catch (RemoteGatewayException e) {
            throw new ConnectFailedException(String.valueOf(e.getMessage()), Optional.empty());
        }
        GatewayWebSocket first;
        try {
            first = connector.openAtAnyAddress(this::onText);
        } catch (GatewayWebSocket.OpenFailedException e) {
            throw new ConnectFailedException(
                    "cannot connect to " + gateway.endpoint() + ": " + e.getMessage(),
                    PermanentCloseReason.ofHttpStatus(e.status()));
        }
        attach(first);
        try {
            CompletableFuture.anyOf(participantId, first.closed())
                    .get(WELCOME_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            first.abort("the gateway sent no welcome");
        }
        if (!participantId.isDone()) {
            GatewayWebSocket.CloseStatus closeStatus = first.closed().join();
            throw new ConnectFailedException(
                    "cannot connect to " + gateway.endpoint() + ": " + closeStatus.reason(),
                    PermanentCloseReason.ofCloseCode(closeStatus.code()));
        }
        reconnectThread = Thread.ofVirtual().name("gavel link").start(() -> reconnectLoop(first));
    }

    /** Whether the topic has a ledger. Without one, the gateway echoes nothing and reports nothing about proposals. */
    public boolean hasLedger() {
        return ledger;
    }

    private OptionalLong resumeSeq() {
        lock.lock();
        try {
            return ledger ? OptionalLong.of(replayPosition.seq()) : OptionalLong.empty();
        } finally {
            lock.unlock();
        }
    }

    private void attach(GatewayWebSocket next) {
        lock.lock();
        try {
            socket = next;
            welcomed = false;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("gavel writer").start(() -> writeLoop(next));
        next.startReading();
    }

    /** Reconnects after each loss, until the connection is closed for good. */
    private void reconnectLoop(GatewayWebSocket first) {
        GatewayWebSocket current = first;
        try {
            while (true) {
                Instant began = Instant.now();
                GatewayWebSocket.CloseStatus closeStatus = current.awaitClose(MAX_SILENCE);
                onSocketClosed(closeStatus);
                if (Duration.between(began, Instant.now()).compareTo(STABLE_AFTER) > 0) {
                    backoff.reset();
                }
                Optional<PermanentCloseReason> why = PermanentCloseReason.ofCloseCode(closeStatus.code());
                if (why.isPresent()) {
                    closePermanently(why.get());
                    return;
                }
                // Another address, if there is one, is more likely to work; a gateway that announces its stop expects
                // its clients to move there. If an HTTP request has already switched away from this address, this call
                // changes nothing.
                gateway.switchAddress(current.endpoint());
                current = reconnect(closeStatus.code() == RESTARTING ? backoff.shortDelay() : backoff.next());
            }
        } catch (InterruptedException e) {
            // Closed; the caller of close() does the rest.
        } catch (GatewayWebSocket.OpenFailedException e) {
            closePermanently(PermanentCloseReason.ofHttpStatus(e.status()).orElse(PermanentCloseReason.CLOSED));
        }
    }

    private GatewayWebSocket reconnect(Duration first)
            throws InterruptedException, GatewayWebSocket.OpenFailedException {
        Duration wait = first;
        while (true) {
            Thread.sleep(wait);
            try {
                GatewayWebSocket next = connector.open(resumeSeq(), this::onText);
                attach(next);
                return next;
            } catch (GatewayWebSocket.OpenFailedException e) {
                if (PermanentCloseReason.ofHttpStatus(e.status()).isPresent()) {
                    throw e;
                }
                wait = backoff.next();
            }
        }
    }

    private void onSocketClosed(GatewayWebSocket.CloseStatus closeStatus) {
        lock.lock();
        try {
            socket = null;
            if (closeStatus.code() == TOO_LARGE) {
                sendQueue
                        .onTooLarge()
                        .ifPresent(resultCallback -> resultCallback.accept(
                                new ClientSendResult.Refused(SystemErrorMessageParser.tooLargeProblem())));
            }
            sendQueue.onDisconnect();
            changed.signalAll();
            if (closeReason == null) {
                listener()
                        .onDisconnect(
                                closeStatus.reason().isEmpty()
                                        ? "closed with code " + closeStatus.code()
                                        : closeStatus.reason());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Sends queued envelopes as long as this WebSocket is current. */
    private void writeLoop(GatewayWebSocket webSocket) {
        try {
            for (Optional<SendQueueEntry> next = awaitNext(webSocket); next.isPresent(); next = awaitNext(webSocket)) {
                SendQueueEntry sendQueueEntry = next.get();
                boolean sent = webSocket.send(sendQueueEntry.text());
                if (!sendQueueEntry.durable()) {
                    sendQueueEntry
                            .callback()
                            .accept(sent ? new ClientSendResult.Written() : new ClientSendResult.ConnectionLost());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<SendQueueEntry> awaitNext(GatewayWebSocket webSocket) throws InterruptedException {
        lock.lock();
        try {
            while (webSocket.equals(socket)) {
                Instant now = Instant.now();
                Optional<SendQueueEntry> next = welcomed ? sendQueue.next(now) : Optional.empty();
                if (next.isPresent()) {
                    changed.signalAll();
                    return next;
                }
                Optional<Instant> later = sendQueue.nextAttemptAt(now);
                if (welcomed && later.isPresent()) {
                    changed.awaitNanos(
                            Math.max(1, Duration.between(now, later.get()).toNanos()));
                } else {
                    changed.await();
                }
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends an envelope after all earlier ones. Blocks while the queue is full.
     *
     * @param durable whether the gateway echoes the envelope once it is stored; it is resent until then. Other
     *     envelopes are sent once
     * @param resultCallback receives the result and must return at once. After {@link ClientSendResult.Written} it may also
     *     receive a refusal, if the envelope turns out to be too large
     */
    public void send(Envelope envelope, String text, boolean durable, Consumer<ClientSendResult> resultCallback)
            throws InterruptedException {
        SendQueueEntry sendQueueEntry = new SendQueueEntry(
                envelope.id(), text, envelope.length(), envelope.to().size(), durable && ledger, resultCallback);
        PermanentCloseReason reason;
        lock.lockInterruptibly();
        try {
            while (closeReason == null && !sendQueue.hasRoomFor(sendQueueEntry.characters())) {
                changed.await();
            }
            reason = closeReason;
            if (reason == null) {
                if (sendQueueEntry.durable() && sendQueue.contains(sendQueueEntry.id())) {
                    throw new IllegalArgumentException(
                            "an envelope with the id '" + sendQueueEntry.id() + "' is already being sent");
                }
                sendQueue.add(sendQueueEntry);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (reason != null) {
            resultCallback.accept(new ClientSendResult.ConnectionClosed(reason));
        }
    }

    /** Returns the reader for envelopes that are about to be sent. */
    public EnvelopeReader reader() {
        return reader;
    }

    private void onText(GatewayWebSocket from, String text) {
        if (!(reader.read(text.getBytes(StandardCharsets.UTF_8)) instanceof Envelope envelope)) {
            return;
        }
        lock.lock();
        try {
            if (closeReason != null || !from.equals(socket)) {
                return;
            }
            switch (envelope.kind().toString()) {
                case "system.welcome" -> onWelcome(from, PayloadJsonConverter.of(envelope));
                case "system.resync" -> {
                    suspectSocket = null;
                    replayPosition.resetTo(
                            PayloadJsonConverter.of(envelope).at("seq").asLong(0));
                    listener().onResync();
                }
                case "system.error" -> onRefused(envelope);
                default -> {
                    if (!ledger) {
                        break;
                    }
                    if (participantId.getNow("").equals(envelope.from())) {
                        confirm(envelope.id());
                    } else if (envelope.kind().toString().equals("system.proposal.approval_held")) {
                        // A held approval is not echoed before it takes effect.
                        confirm(PayloadJsonConverter.of(envelope).at("envelope").text());
                    }
                    if (!replayPosition.recordIfNew(envelope)) {
                        return;
                    }
                    lookupSeqIfNeeded();
                }
            }
            listener().onEnvelope(envelope);
        } catch (RuntimeException e) {
            // Rethrowing would end the connection, and the replay after a reconnect would end the next one too.
            log.log(System.Logger.Level.WARNING, "An envelope from " + envelope.from() + " was skipped.", e);
        } finally {
            lock.unlock();
        }
    }

    private void onWelcome(GatewayWebSocket from, Json welcome) {
        long seq = welcome.at("seq").asLong(0);
        boolean first = !participantId.isDone();
        if (first) {
            replayPosition.resetTo(seq);
        }
        welcomed = true;
        changed.signalAll();
        String id = first ? welcome.at("you").at("id").text() : participantId.join();
        listener().onConnect(id);
        participantId.complete(id); // Last: a thread that waits for this continues at once and reads the id.
        if (ledger && !first && replayPosition.isAheadOf(seq)) {
            suspectSocket = from;
            LedgerSeqLookup.ifNotReached(
                    gateway, topic, replayPosition.reachedSeq(), () -> onLedgerReplaced(from, seq));
        }
    }

    /** The ledger does not reach the seq that this client has received: it is a different ledger than before. */
    private void onLedgerReplaced(GatewayWebSocket from, long seq) {
        lock.lock();
        try {
            if (closeReason == null && from.equals(socket) && from.equals(suspectSocket)) {
                suspectSocket = null;
                replayPosition.resetTo(seq);
                listener().onResync();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Handles that the gateway has stored an envelope of this participant. */
    private void confirm(String envelopeId) {
        sendQueue
                .onEcho(envelopeId)
                .ifPresent(sendQueueEntry -> sendQueueEntry.callback().accept(new ClientSendResult.Stored()));
        changed.signalAll();
    }

    private void onRefused(Envelope envelope) {
        RemoteProblem problem = SystemErrorMessageParser.read(envelope);
        Optional<String> id = envelope.correlationIds().stream().findFirst();
        if (id.isPresent() || problem.code().equals("rate_limited")) {
            sendQueue
                    .onRefused(id, problem, Instant.now())
                    .ifPresent(
                            sendQueueEntry -> sendQueueEntry.callback().accept(new ClientSendResult.Refused(problem)));
            changed.signalAll();
        }
    }

    private ReconnectingConnectionListener listener() {
        if (listener == null) {
            throw new IllegalStateException("not opened");
        }
        return listener;
    }

    private void lookupSeqIfNeeded() {
        if (replayPosition.needsSeqLookup() && !seqLookupRunning) {
            seqLookupRunning = true;
            LedgerSeqLookup.lookupRecentSeqs(gateway, topic, participantId.getNow(""), reader, this::onSeqsFound);
        }
    }

    private void onSeqsFound(Map<Envelope, Long> seqs) {
        lock.lock();
        try {
            replayPosition.advance(seqs);
            seqLookupRunning = false;
        } finally {
            lock.unlock();
        }
    }

    private void closePermanently(PermanentCloseReason why) {
        lock.lock();
        try {
            if (closeReason != null) {
                return;
            }
            closeReason = why;
            socket = null;
            changed.signalAll();
            sendQueue
                    .clear()
                    .forEach(sendQueueEntry ->
                            sendQueueEntry.callback().accept(new ClientSendResult.ConnectionClosed(why)));
            listener().onClose(why);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all queued envelopes are sent and confirmed, but at most for {@code timeout}. */
    public void flush(Duration timeout) {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (closeReason == null && socket != null && !sendQueue.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        GatewayWebSocket last;
        lock.lock();
        try {
            last = socket;
        } finally {
            lock.unlock();
        }
        if (listener != null) {
            closePermanently(PermanentCloseReason.CLOSED);
        }
        if (reconnectThread != null) {
            reconnectThread.interrupt();
        }
        if (last != null) {
            last.closeGracefully();
        }
        connector.close();
    }
}
