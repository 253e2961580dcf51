package dev.gavel.mcp.facade;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Membership;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Kind;
import java.util.List;

/** Whoever calls, with what they may do in the topic at this moment. Immutable, though what it looks at changes. */
record Caller(Membership membership, Settings settings, boolean ledger) {
    Member member() {
        return membership.member();
    }

    String id() {
        return membership.id();
    }

    /** Whether a call of that kind may be made with some payload or other. */
    boolean mayEverCall(Kind request) {
        return member().capabilities().admitsKind(request);
    }

    /** Whether it may be proposed with some payload or other; where nothing is kept, nothing can be proposed. */
    boolean mayEverPropose(Kind request) {
        return ledger && member().capabilities().admitsKind(request.withOperation("proposal"));
    }

    boolean concernedWith(Kind request) {
        return mayEverCall(request) || mayEverPropose(request);
    }

    /** The same member where the facade acts for them: it may send this, whatever they themselves may, and nothing else. */
    Member only(String capability) {
        return new Member(id(), Capabilities.compile(List.of(capability)).orThrow());
    }
}
