package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.ConnectionDeliveryState;
import dev.gavel.gateway.delivery.FloodMeter;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.routing.EnvelopeSenderCallback;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * A member's open connection to a topic: checks each envelope that the member sends and passes the result to the topic.
 * The results of one read are passed on together, in order.
 */
public final class TopicConnection implements TransportListener, EnvelopeSenderCallback {
    /**
     * What a connection subscribes to.
     *
     * @param since the seq after which missed events are replayed, if requested
     */
    public record SubscribeOptions(SubscriptionScope mode, OptionalLong since) {}

    private final Topic topic;
    private final LiveMembership membership;
    private final RevocableAccessGrant accessGrant;
    private final Runnable onRevoke;
    private final SubscribeOptions options;
    private final ConnectionDeliveryState receiver;
    private final BiFunction<byte[], Member, AdmissionResult> admission;
    /** Measures the refused envelopes. Confined to the transport's loop. */
    private final FloodMeter floodMeter = new FloodMeter();

    /** The results of the read in progress. Confined to the transport's loop. */
    private List<AdmissionResult> currentReadResults = new ArrayList<>();

    // The following fields are confined to the topic's loop.
    private final ConnectionInboundQueue inboundQueue;
    private long connectionNumber;
    private long socketPrecedence;
    /** Written on the topic's loop; replays also read it on other threads. */
    private volatile boolean closed;

    /**
     * Creates a connection that is not open yet.
     *
     * @param admission checks what is sent over it
     */
    public TopicConnection(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            SubscribeOptions subscribeOptions,
            ConnectionDeliveryState receiver,
            BiFunction<byte[], Member, AdmissionResult> admission) {
        this.topic = topic;
        this.membership = membership;
        this.accessGrant = revocableAccessGrant;
        this.onRevoke = this::revoke;
        this.options = subscribeOptions;
        this.receiver = receiver;
        this.admission = admission;
        this.inboundQueue = new ConnectionInboundQueue(topic.inboundDispatcher()::needsLedger);
    }

    @Override
    public Member member() {
        return membership.member();
    }

    @Override
    public Optional<String> tokenHash() {
        return accessGrant.tokenHash();
    }

    LiveMembership membership() {
        return membership;
    }

    /** Whether the connection must be closed: its token is revoked, or its member was removed from the topic. */
    boolean isRevoked() {
        return !accessGrant.isValid() || membership.isEnded();
    }

    boolean isSocket() {
        return receiver.channel().framing() == TransportFraming.WEB_SOCKET;
    }

    SubscriptionScope mode() {
        return options.mode();
    }

    OptionalLong since() {
        return options.since();
    }

    ConnectionInboundQueue inboundQueue() {
        return inboundQueue;
    }

    /** Its position in the order in which connections were opened. */
    long connectionNumber() {
        return connectionNumber;
    }

    void connectionNumber(long value) {
        this.connectionNumber = value;
    }

    /**
     * Orders a member's WebSockets across all processes: only the one with the highest number stays open. 0 if this
     * connection is not a WebSocket.
     */
    long socketPrecedence() {
        return socketPrecedence;
    }

    void socketPrecedence(long value) {
        this.socketPrecedence = value;
    }

    /** Whether the topic has removed it. */
    boolean isClosed() {
        return closed;
    }

    void markClosed() {
        closed = true;
    }

    private void revoke() {
        close(ConnectionCloseReason.REVOKED);
    }

    void close(ConnectionCloseReason closeReason) {
        receiver.channel().close(closeReason);
    }

    @Override
    public ConnectionDeliveryState receiver() {
        return receiver;
    }

    @Override
    public void onRefused(Failure failure, Instant now) {
        topic.inboundDispatcher().sendRefusal(this, failure, now);
    }

    @Override
    public void onEcho(OutgoingEnvelope envelope) {
        topic.inboundDispatcher().echo(this, envelope);
    }

    @Override
    public void onSettled(boolean accepted) {
        topic.inboundDispatcher().onSettled(this);
    }

    @Override
    public void onOpen() {
        topic.runOnLoop(() -> topic.join(this));
        accessGrant.onRevoke(onRevoke);
    }

    @Override
    public boolean onReceive(byte[] envelope) {
        if (isRevoked()) {
            // The connection is being closed, and no more envelopes are accepted from it.
            return true;
        }
        AdmissionResult admissionResult = admission.apply(envelope, membership.member());
        if (admissionResult instanceof AdmissionResult.Refused(EnvelopeRefusal refusal, long _)) {
            if (isSocket() && floodMeter.countAndCheck()) {
                close(ConnectionCloseReason.FLOODING);
                return true;
            }
            currentReadResults.add(admissionResult);
            return refusal.code() != EnvelopeErrorCode.RATE_LIMITED;
        }
        currentReadResults.add(admissionResult);
        return true;
    }

    @Override
    public void onReadComplete() {
        if (!currentReadResults.isEmpty()) {
            List<AdmissionResult> batch = currentReadResults;
            currentReadResults = new ArrayList<>();
            topic.runOnLoop(() -> topic.inboundDispatcher().receive(this, batch));
        }
    }

    @Override
    public void onServerClose(ConnectionCloseReason closeReason) {
        topic.counters().countClosed(closeReason);
    }

    @Override
    public void onClose() {
        accessGrant.removeCallback(onRevoke);
        onReadComplete();
        topic.runOnLoop(() -> topic.leave(this));
    }
}
