package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A member's open connection to a topic. The transport calls it on the connection's own loop; envelopes are read and
 * judged there, and handed to the topic's loop together, in order.
 */
public final class Connection implements Inlet {
    private final Topic topic;
    private final Member member;
    private final Mode mode;
    private final Receiver receiver;
    private final Admission admission;
    private final RateLimit rate;
    private List<Verdict> judged = new ArrayList<>();

    Connection(Topic topic, Member member, Mode mode, Receiver receiver, Admission admission, RateLimit rate) {
        this.topic = topic;
        this.member = member;
        this.mode = mode;
        this.receiver = receiver;
        this.admission = admission;
        this.rate = rate;
    }

    Member member() {
        return member;
    }

    Mode mode() {
        return mode;
    }

    Receiver receiver() {
        return receiver;
    }

    @Override
    public void began() {
        topic.run(() -> topic.join(this));
    }

    @Override
    public void received(byte[] envelope) {
        judged.add(limited(admission.judge(envelope, member)));
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

    /** Refused envelopes count as well, so that a flood of nonsense is slowed like any other. */
    private Verdict limited(Verdict verdict) {
        long wait = rate.take(System.nanoTime());
        if (wait == 0) {
            return verdict;
        }
        return switch (verdict) {
            case Verdict.Admit(Envelope envelope) ->
                new Verdict.Refuse(
                        envelope.refuse(ErrorCode.RATE_LIMITED, "You send faster than you may; slow down."),
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(wait)));
            case Verdict.Refuse refused -> refused;
        };
    }
}
