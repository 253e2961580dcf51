package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Membership;
import dev.gavel.mcp.facade.port.Settings;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whoever calls, with what they may do in the topic at this moment. Immutable, though what it looks at changes. */
public record Caller(Membership membership, Settings settings, boolean ledger) {
    public Member member() {
        return membership.member();
    }

    public String id() {
        return membership.id();
    }

    /** Whether a call of that kind may be made with some payload or other. */
    public boolean mayEverCall(Kind request) {
        return member().capabilities().admitsKind(request);
    }

    /** Whether it may be proposed with some payload or other; where nothing is kept, nothing can be proposed. */
    public boolean mayEverPropose(Kind request) {
        return ledger && member().capabilities().admitsKind(request.withOperation("proposal"));
    }

    public boolean concernedWith(Kind request) {
        return mayEverCall(request) || mayEverPropose(request);
    }

    /** Whether they may send that very request themselves. */
    public boolean may(Target target, String params) {
        String payload = "{\"method\":" + Json.ofText(target.method()).raw() + ",\"params\":" + params + "}";
        return member().capabilities().admits(target.request(), Payload.of(payload.getBytes(StandardCharsets.UTF_8)));
    }

    /** The same member where the facade acts for them: it may send this, whatever they themselves may, and nothing else. */
    public Member only(String capability) {
        return new Member(id(), Capabilities.compile(List.of(capability)).orThrow());
    }
}
