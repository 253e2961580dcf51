package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.delivery.Receiver;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Somebody who posts one envelope: what becomes of it is the answer. Confined to the topic's loop. */
final class Posting implements Sender {
    private final Member member;
    private final String envelope;
    private final List<Failure> failures = new ArrayList<>(0);
    private final CompletableFuture<Posted> answer;

    Posting(Member member, String envelope, CompletableFuture<Posted> answer) {
        this.member = member;
        this.envelope = envelope;
        this.answer = answer;
    }

    @Override
    public Member member() {
        return member;
    }

    @Override
    public @Nullable Receiver receiver() {
        return null;
    }

    @Override
    public void refused(Failure failure, Instant now) {
        failures.add(failure);
    }

    @Override
    public void echoed(Outgoing sent) {
        // That it was taken is the answer.
    }

    @Override
    public void settled(boolean taken) {
        answer.complete(taken ? new Posted.Taken(envelope, failures) : new Posted.Refused(failures));
    }
}
