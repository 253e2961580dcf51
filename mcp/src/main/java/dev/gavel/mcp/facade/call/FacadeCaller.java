package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A topic member who calls through the facade, with checks of what the member may currently call or propose. Immutable,
 * though what it looks at changes.
 */
public record FacadeCaller(LiveMembership membership, PendingCallSettings settings, boolean hasLedger) {
    public Member member() {
        return membership.member();
    }

    public String id() {
        return membership.id();
    }

    /** Whether a call of that kind may be made with some payload or other. */
    public boolean mayCallKind(Kind request) {
        return member().capabilitySet().admitsKind(request);
    }

    /** Whether it may be proposed with some payload or other; where nothing is kept, nothing can be proposed. */
    public boolean mayProposeKind(Kind request) {
        return hasLedger && member().capabilitySet().admitsKind(request.withOperation("proposal"));
    }

    public boolean mayCallOrPropose(Kind request) {
        return mayCallKind(request) || mayProposeKind(request);
    }

    /** Whether they may send that very request themselves. */
    public boolean maySend(CallTarget target, String params) {
        String payload = "{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + params + "}";
        return member().capabilitySet()
                .admits(target.requestKind(), Payload.of(payload.getBytes(StandardCharsets.UTF_8)));
    }

    /** The same member where the facade acts for them: it may send this, whatever they themselves may, and nothing else. */
    public Member withOnlyCapability(String capability) {
        return new Member(id(), CapabilitySet.compile(List.of(capability)).orThrow());
    }
}
