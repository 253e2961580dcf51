package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Framing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A member's open connection to a topic. The transport calls it on the connection's own loop; envelopes are read and
 * judged there, and handed to the topic's loop together, in order.
 */
public final class Connection implements Inlet, Sender {
    private final Topic topic;
    private final Member member;
    private final Mode mode;
    private final Receiver receiver;
    private final Entrance entrance;
    private List<Verdict> judged = new ArrayList<>();

    Connection(Topic topic, Member member, Mode mode, Receiver receiver, Entrance entrance) {
        this.topic = topic;
        this.member = member;
        this.mode = mode;
        this.receiver = receiver;
        this.entrance = entrance;
    }

    @Override
    public Member member() {
        return member;
    }

    boolean isSocket() {
        return receiver.outlet().framing() == Framing.WEB_SOCKET;
    }

    Mode mode() {
        return mode;
    }

    @Override
    public Receiver receiver() {
        return receiver;
    }

    @Override
    public void refused(Verdict.Refuse refusal, Instant now) {
        topic.tell(this, refusal, now);
    }

    @Override
    public void began() {
        topic.run(() -> topic.join(this));
    }

    @Override
    public boolean received(byte[] envelope) {
        Verdict verdict = entrance.judge(envelope, member);
        judged.add(verdict);
        return !(verdict instanceof Verdict.Refuse(Refusal refusal, long _)
                && refusal.code() == ErrorCode.RATE_LIMITED);
    }

    @Override
    public void receivedAll() {
        if (!judged.isEmpty()) {
            List<Verdict> together = judged;
            judged = new ArrayList<>();
            topic.run(() -> topic.receive(this, together));
        }
    }

    @Override
    public void ended() {
        receivedAll();
        topic.run(() -> topic.leave(this));
    }
}
