package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The capabilities of all members of a topic, by member id, with which the proposal rules check what each member may
 * send.
 */
public record CapabilitiesByMember(Map<String, CapabilitySet> capabilitiesByMember) {
    private static final Kind REJECT = Kind.of("mcpx.reject.proposal");

    public CapabilitiesByMember {
        capabilitiesByMember = Collections.unmodifiableMap(new LinkedHashMap<>(capabilitiesByMember));
    }

    boolean maySend(String id, Kind kind, RawPayload payload) {
        return of(id).admits(kind, payload);
    }

    boolean mayReject(String id) {
        return maySendKind(id, REJECT);
    }

    /** Whether a member may send that kind with some payload. */
    boolean maySendKind(String id, Kind kind) {
        return of(id).admitsKind(kind);
    }

    private CapabilitySet of(String id) {
        return capabilitiesByMember.getOrDefault(id, CapabilitySet.NONE);
    }
}
