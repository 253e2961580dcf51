package dev.gavel.gateway.topic;

import dev.gavel.gateway.call.CallRecordAppender;
import dev.gavel.gateway.call.CallRecordReader;
import dev.gavel.gateway.call.CallRecorder;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalVisibility;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.tool.DefinitionPin;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a new topic starts with: its members and, unless the topic only relays envelopes, the store for its proposals
 * and the log of its calls.
 *
 * @param proposalStore stores its proposals; empty for a topic without a ledger, which only relays
 * @param visibility which members can read proposals, and calls between other members
 * @param callAudit records its calls; empty for a topic without a ledger
 * @param pins what a changed tool definition does to calls that need no approval, by the participant that offers it
 */
public record TopicConfig(
        List<Member> members,
        Optional<ProposalStore> proposalStore,
        ProposalVisibility visibility,
        Optional<CallAudit> callAudit,
        Map<String, DefinitionPin> pins) {
    public TopicConfig {
        members = List.copyOf(members);
        pins = Map.copyOf(pins);
    }

    /**
     * Creates a topic in which all members can read everything, unless its store says otherwise, and calls are not
     * recorded.
     */
    public TopicConfig(List<Member> members, Optional<ProposalStore> proposalStore) {
        this(
                members,
                proposalStore,
                proposalStore.map(ProposalStore::visibility).orElse(ProposalVisibility.MEMBERS),
                Optional.empty(),
                Map.of());
    }

    /** How the calls of a topic are recorded, and read. */
    public record CallAudit(CallRecorder.AuditMode mode, CallRecordAppender appender, CallRecordReader reader) {}
}
