package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** A topic's members and what each may send there, in the order they became members. */
public record Members(Map<String, Capabilities> capabilities) {
    private static final Kind REJECT = Kind.of("mcpx.reject.proposal");

    public Members {
        capabilities = Collections.unmodifiableMap(new LinkedHashMap<>(capabilities));
    }

    boolean may(String id, Kind kind, Payload payload) {
        return of(id).admits(kind, payload);
    }

    boolean mayReject(String id) {
        return mayEver(id, REJECT);
    }

    /** Whether they may send that kind with some payload. */
    boolean mayEver(String id, Kind kind) {
        return of(id).admitsKind(kind);
    }

    private Capabilities of(String id) {
        return capabilities.getOrDefault(id, Capabilities.NONE);
    }
}
