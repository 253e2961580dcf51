package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Outgoing;
import dev.gavel.gateway.docket.Replayed;
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

    Outgoing welcome(Member you, List<Member> present, Waiting waiting, Instant now) {
        List<Participant> others = present.stream().map(Notices::participant).toList();
        return to(
                you,
                new SystemMessage.Welcome(participant(you), others, waiting.proposals(), waiting.more(), waiting.seq()),
                now);
    }

    Outgoing resync(Member you, Replayed.Resync resync, Instant now) {
        return to(you, new SystemMessage.Resync(resync.oldest(), resync.last()), now);
    }

    Outgoing joined(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.Event.JOIN, participant(member)), now);
    }

    Outgoing changed(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.Event.UPDATE, participant(member)), now);
    }

    Outgoing left(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.Event.LEAVE, participant(member)), now);
    }

    Outgoing error(Member sender, SystemMessage.Failure failure, Instant now) {
        return to(sender, failure, now);
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
