package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A topic member who makes calls through the MCP facade; tells which calls the member may currently make or propose.
 * Immutable, though the membership that it refers to changes.
 *
 * @param accessGrant the grant of the client's request or session
 */
public record FacadeCaller(
        LiveMembership membership, RevocableAccessGrant accessGrant, PendingCallSettings settings, boolean hasLedger) {
    public Member member() {
        return membership.member();
    }

    public String id() {
        return membership.id();
    }

    /** Whether the member may make a call of that kind with at least some payloads. */
    public boolean mayCallKind(Kind request) {
        return member().capabilitySet().admitsKind(request);
    }

    /**
     * Whether the member may propose a call of that kind with at least some payloads. Without a ledger, nothing can be
     * proposed.
     */
    public boolean mayProposeKind(Kind request) {
        return hasLedger && member().capabilitySet().admitsKind(request.withOperation("proposal"));
    }

    public boolean mayCallOrPropose(Kind request) {
        return mayCallKind(request) || mayProposeKind(request);
    }

    /** Whether the member may send exactly this request. */
    public boolean maySend(CallTarget target, String params) {
        String payload = "{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + params + "}";
        return member().capabilitySet()
                .admits(target.requestKind(), RawPayload.of(payload.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Returns the same member with this capability only. The facade uses it to act for the member, whatever the member
     * itself may do.
     */
    public Member withOnlyCapability(String capability) {
        return new Member(id(), CapabilitySet.compile(List.of(capability)).orThrow());
    }
}
