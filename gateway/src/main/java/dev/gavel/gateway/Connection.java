package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.delivery.Framing;
import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiFunction;

/**
 * A member's open connection to a topic. The transport calls it on the connection's own loop; envelopes are read and
 * judged there, and handed to the topic's loop together, in order.
 */
public final class Connection implements Inlet, Sender {
    /**
     * How much of a topic a connection wants.
     *
     * @param since the seq after which it wants to hear what it missed, if it does
     */
    public record Wish(Mode mode, OptionalLong since) {}

    private final Topic topic;
    private final Membership membership;
    private final Warrant warrant;
    private final Runnable revocation;
    private final Wish wish;
    private final Receiver receiver;
    private final BiFunction<byte[], Member, Verdict> entrance;
    private List<Verdict> judged = new ArrayList<>();

    // The topic's loop alone knows these.
    private final Backlog backlog;
    private long number;
    private long claim;
    private boolean gone;

    /**
     * A connection that has not begun.
     *
     * @param entrance judges what is sent over it
     */
    Connection(
            Topic topic,
            Membership membership,
            Warrant warrant,
            Wish wish,
            Receiver receiver,
            BiFunction<byte[], Member, Verdict> entrance) {
        this.topic = topic;
        this.membership = membership;
        this.warrant = warrant;
        this.revocation = this::revoke;
        this.wish = wish;
        this.receiver = receiver;
        this.entrance = entrance;
        this.backlog = new Backlog(topic.intake()::isSlow);
    }

    @Override
    public Member member() {
        return membership.member();
    }

    Membership membership() {
        return membership;
    }

    /** Whether it may take no part any more: its token is no longer good, or its member was taken out of the topic. */
    boolean barred() {
        return !warrant.holds() || membership.over();
    }

    boolean isSocket() {
        return receiver.outlet().framing() == Framing.WEB_SOCKET;
    }

    Mode mode() {
        return wish.mode();
    }

    OptionalLong since() {
        return wish.since();
    }

    Backlog backlog() {
        return backlog;
    }

    /** The place it has in the order in which connections came. */
    long number() {
        return number;
    }

    void number(long place) {
        this.number = place;
    }

    /** Of the sockets of one member, wherever they are, the one with the highest claim stays; 0 where it is none. */
    long claim() {
        return claim;
    }

    void claim(long place) {
        this.claim = place;
    }

    /** Whether it takes no more part. */
    boolean gone() {
        return gone;
    }

    void go() {
        gone = true;
    }

    private void revoke() {
        close(Closing.REVOKED);
    }

    void close(Closing why) {
        receiver.outlet().close(why);
    }

    @Override
    public Receiver receiver() {
        return receiver;
    }

    @Override
    public void refused(Failure failure, Instant now) {
        topic.intake().tell(this, failure, now);
    }

    @Override
    public void echoed(Outgoing envelope) {
        topic.intake().echo(this, envelope);
    }

    @Override
    public void settled(boolean taken) {
        topic.intake().settled(this);
    }

    @Override
    public void began() {
        topic.run(() -> topic.join(this));
        warrant.hold(revocation);
    }

    @Override
    public boolean received(byte[] envelope) {
        if (barred()) {
            // It is being closed, and nothing more is taken from it.
            return true;
        }
        Verdict verdict = entrance.apply(envelope, membership.member());
        judged.add(verdict);
        return !(verdict instanceof Verdict.Refuse(Refusal refusal, long _)
                && refusal.code() == ErrorCode.RATE_LIMITED);
    }

    @Override
    public void receivedAll() {
        if (!judged.isEmpty()) {
            List<Verdict> together = judged;
            judged = new ArrayList<>();
            topic.run(() -> topic.intake().receive(this, together));
        }
    }

    @Override
    public void dropped(Closing why) {
        topic.counters().dropped(why);
    }

    @Override
    public void ended() {
        warrant.release(revocation);
        receivedAll();
        topic.run(() -> topic.leave(this));
    }
}
