package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.ProposalStore;
import java.util.List;
import java.util.Optional;

/**
 * What a new topic starts with: its members and, unless the topic only relays envelopes, the store for its proposals.
 *
 * @param proposalStore stores its proposals; empty for a topic without a ledger, which only relays
 */
public record TopicConfig(List<Member> members, Optional<ProposalStore> proposalStore) {
    public TopicConfig {
        members = List.copyOf(members);
    }
}
