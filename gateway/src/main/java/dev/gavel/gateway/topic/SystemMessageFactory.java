package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.OutgoingEnvelope;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.MessageReplayResult;
import dev.gavel.mcpx.ParticipantInfo;
import dev.gavel.mcpx.SystemMessage;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Creates the gateway's own system envelopes: welcome, presence, reachability, resync
 * and error. Thread-safe. */
public final class SystemMessageFactory {
    /** Unique to this process and this run of it. */
    private final String prefix = "gw-" + UUID.randomUUID().toString().substring(0, 8) + "-";

    private final AtomicLong count = new AtomicLong();

    OutgoingEnvelope welcome(
            Member recipient, List<Member> present, WelcomeProposalList welcomeProposalList, Instant now) {
        List<ParticipantInfo> others =
                present.stream().map(SystemMessageFactory::participant).toList();
        return to(
                recipient,
                new SystemMessage.Welcome(
                        participant(recipient),
                        others,
                        welcomeProposalList.proposals(),
                        welcomeProposalList.moreCount(),
                        welcomeProposalList.seq()),
                now);
    }

    OutgoingEnvelope resync(Member recipient, MessageReplayResult.Resync resync, Instant now) {
        return to(recipient, new SystemMessage.Resync(resync.oldest(), resync.last()), now);
    }

    OutgoingEnvelope memberJoined(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.PresenceEvent.JOIN, participant(member)), now);
    }

    OutgoingEnvelope memberChanged(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.PresenceEvent.UPDATE, participant(member)), now);
    }

    OutgoingEnvelope memberLeft(Member member, Instant now) {
        return toAll(new SystemMessage.Presence(SystemMessage.PresenceEvent.LEAVE, participant(member)), now);
    }

    OutgoingEnvelope error(Member sender, SystemMessage.Failure failure, Instant now) {
        return to(sender, failure, now);
    }

    /** Creates the notice to a proposer that reviewers are connected, or that none is. */
    OutgoingEnvelope reachability(String proposer, SystemMessage.ProposalMessage notice, Instant now) {
        return createOutgoing(notice, List.of(proposer), now);
    }

    private OutgoingEnvelope to(Member member, SystemMessage message, Instant now) {
        return createOutgoing(message, List.of(member.id()), now);
    }

    private OutgoingEnvelope toAll(SystemMessage message, Instant now) {
        return createOutgoing(message, List.of(), now);
    }

    private OutgoingEnvelope createOutgoing(SystemMessage message, List<String> to, Instant now) {
        String id = prefix + count.incrementAndGet();
        return new OutgoingEnvelope(syntaxVersion -> message.encode(id, now, to, syntaxVersion));
    }

    private static ParticipantInfo participant(Member member) {
        return new ParticipantInfo(member.id(), member.capabilitySet());
    }
}
