package dev.gavel.gateway;

import dev.gavel.gateway.docket.Docket;
import java.util.List;
import java.util.Optional;

/**
 * What a topic is made of.
 *
 * @param docket where its proposals live; empty for a topic without a ledger, which only relays
 */
public record TopicPlan(List<Member> members, Optional<Docket> docket) {
    public TopicPlan {
        members = List.copyOf(members);
    }
}
