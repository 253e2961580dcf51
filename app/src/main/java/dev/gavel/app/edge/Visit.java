package dev.gavel.app.edge;

import dev.gavel.gateway.Connection;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Membership;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.Warrant;
import dev.gavel.mcpx.Spelling;

/** What a request to a topic asks for, or why it cannot have it. */
sealed interface Visit {
    /** Somebody known, and a member of a topic that is there. */
    record Granted(Topic topic, Membership membership, Warrant warrant, Connection.Wish wish, Spelling spelling)
            implements Visit {
        Member member() {
            return membership.member();
        }
    }

    /** Not to be let in. */
    record Denied(Problem problem) implements Visit {}
}
