package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.delivery.EnvelopeReceiver;
import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.delivery.TransportFraming;
import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.routing.EnvelopeOrigin;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * A member's open connection to a topic: admits received envelopes on the transport's loop and passes them to the
 * topic's loop. The transport calls it on the connection's own loop; envelopes are read and judged there, and handed to
 * the topic's loop together, in order.
 */
public final class TopicConnection implements TransportListener, EnvelopeOrigin {
    /**
     * How much of a topic a connection wants.
     *
     * @param since the seq after which it wants to hear what it missed, if it does
     */
    public record SubscribeOptions(SubscriptionMode mode, OptionalLong since) {}

    private final Topic topic;
    private final LiveMembership membership;
    private final RevocableAccessGrant accessGrant;
    private final Runnable onRevoke;
    private final SubscribeOptions options;
    private final EnvelopeReceiver receiver;
    private final BiFunction<byte[], Member, AdmissionResult> admission;
    private List<AdmissionResult> admissionResults = new ArrayList<>();

    // The topic's loop alone knows these.
    private final ConnectionEnvelopeQueue inboundQueue;
    private long arrivalNumber;
    private long claim;
    private boolean closed;

    /**
     * A connection that has not begun.
     *
     * @param entrance judges what is sent over it
     */
    public TopicConnection(
            Topic topic,
            LiveMembership membership,
            RevocableAccessGrant revocableAccessGrant,
            SubscribeOptions subscribeOptions,
            EnvelopeReceiver receiver,
            BiFunction<byte[], Member, AdmissionResult> entrance) {
        this.topic = topic;
        this.membership = membership;
        this.accessGrant = revocableAccessGrant;
        this.onRevoke = this::revoke;
        this.options = subscribeOptions;
        this.receiver = receiver;
        this.admission = entrance;
        this.inboundQueue = new ConnectionEnvelopeQueue(topic.inboundDispatcher()::needsLedger);
    }

    @Override
    public Member member() {
        return membership.member();
    }

    LiveMembership membership() {
        return membership;
    }

    /** Whether it may take no part any more: its token is no longer good, or its member was taken out of the topic. */
    boolean isRevoked() {
        return !accessGrant.isValid() || membership.isEnded();
    }

    boolean isSocket() {
        return receiver.channel().framing() == TransportFraming.WEB_SOCKET;
    }

    SubscriptionMode mode() {
        return options.mode();
    }

    OptionalLong since() {
        return options.since();
    }

    ConnectionEnvelopeQueue inboundQueue() {
        return inboundQueue;
    }

    /** The place it has in the order in which connections came. */
    long arrivalNumber() {
        return arrivalNumber;
    }

    void arrivalNumber(long place) {
        this.arrivalNumber = place;
    }

    /** Of the sockets of one member, wherever they are, the one with the highest claim stays; 0 where it is none. */
    long claim() {
        return claim;
    }

    void claim(long place) {
        this.claim = place;
    }

    /** Whether it takes no more part. */
    boolean isClosed() {
        return closed;
    }

    void markClosed() {
        closed = true;
    }

    private void revoke() {
        close(ConnectionCloseReason.REVOKED);
    }

    void close(ConnectionCloseReason why) {
        receiver.channel().close(why);
    }

    @Override
    public EnvelopeReceiver receiver() {
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
    public void onSettled(boolean taken) {
        topic.inboundDispatcher().onSettled(this);
    }

    @Override
    public void onOpen() {
        topic.run(() -> topic.join(this));
        accessGrant.onRevoke(onRevoke);
    }

    @Override
    public boolean onReceive(byte[] envelope) {
        if (isRevoked()) {
            // It is being closed, and nothing more is taken from it.
            return true;
        }
        AdmissionResult admissionResult = admission.apply(envelope, membership.member());
        admissionResults.add(admissionResult);
        return !(admissionResult instanceof AdmissionResult.Refused(EnvelopeRefusal refusal, long _)
                && refusal.code() == EnvelopeErrorCode.RATE_LIMITED);
    }

    @Override
    public void onReadComplete() {
        if (!admissionResults.isEmpty()) {
            List<AdmissionResult> together = admissionResults;
            admissionResults = new ArrayList<>();
            topic.run(() -> topic.inboundDispatcher().receive(this, together));
        }
    }

    @Override
    public void onServerClose(ConnectionCloseReason why) {
        topic.counters().countClosed(why);
    }

    @Override
    public void onClose() {
        accessGrant.removeCallback(onRevoke);
        onReadComplete();
        topic.run(() -> topic.leave(this));
    }
}
