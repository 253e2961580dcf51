package dev.gavel.gateway.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.ProposalStore;
import java.util.List;
import java.util.Optional;

/**
 * The members with which a topic is created, and the store of its proposals, if it has one.
 *
 * @param proposalStore stores its proposals; empty for a topic without a ledger, which only relays
 */
public record TopicConfig(List<Member> members, Optional<ProposalStore> proposalStore) {
    public TopicConfig {
        members = List.copyOf(members);
    }
}
