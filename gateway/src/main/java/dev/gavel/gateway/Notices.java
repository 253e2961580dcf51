package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Participant;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Writes what the gateway itself has to say. Thread-safe. */
final class Notices {
    /** Told apart from those of every other process, and of this one before it was restarted. */
    private final String prefix = "gw-" + UUID.randomUUID().toString().substring(0, 8) + "-";

    private final AtomicLong count = new AtomicLong();

    Outgoing welcome(Member you, List<Member> present, Instant now) {
        List<Participant> others = present.stream().map(Notices::participant).toList();
        return to(you, new SystemMessage.Welcome(participant(you), others, List.of(), 0), now);
    }

    Outgoing joined(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.Event.JOIN, participant(member)), now);
    }

    Outgoing left(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.Event.LEAVE, participant(member)), now);
    }

    Outgoing error(Member sender, Verdict.Refuse refused, Instant now) {
        boolean violation = refused.refusal().code() == ErrorCode.CAPABILITY_VIOLATION;
        SystemMessage.Failure failure =
                SystemMessage.Failure.of(refused.refusal(), violation ? sender.capabilities() : null);
        return to(
                sender,
                refused.retryAfterMillis() == 0 ? failure : failure.retryAfter(refused.retryAfterMillis()),
                now);
    }

    private Outgoing to(Member member, SystemMessage message, Instant now) {
        return outgoing(message, List.of(member.id()), now);
    }

    private Outgoing toAll(SystemMessage message, Instant now) {
        return outgoing(message, List.of(), now);
    }

    private Outgoing outgoing(SystemMessage message, List<String> to, Instant now) {
        String id = prefix + count.incrementAndGet();
        return new Outgoing(spelling -> message.encode(id, now, to, spelling));
    }

    private static Participant participant(Member member) {
        return new Participant(member.id(), member.capabilities());
    }
}
