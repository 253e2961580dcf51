package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The capabilities of all members of a topic, by member id, with which the proposal rules check what each member may
 * send.
 *
 * @param names the names by which texts call the members
 * @param withoutAccess the members that cannot sign in, because they have no valid token: proposals do not wait for them
 */
public record CapabilitiesByMember(
        Map<String, CapabilitySet> capabilitiesByMember, MemberNames names, Set<String> withoutAccess) {
    private static final Kind REJECT = Kind.of("mcpx.reject.proposal");

    /** The capability to approve a changed definition of a tool that the setting {@code pin} protects. */
    static final Kind APPROVE_DEFINITION = Kind.of("gavel.approve.definition");

    public CapabilitiesByMember {
        capabilitiesByMember = Collections.unmodifiableMap(new LinkedHashMap<>(capabilitiesByMember));
        withoutAccess = Set.copyOf(withoutAccess);
    }

    /** Creates the capabilities of members that can all sign in. */
    public CapabilitiesByMember(Map<String, CapabilitySet> capabilitiesByMember, MemberNames names) {
        this(capabilitiesByMember, names, Set.of());
    }

    /** Creates the capabilities of members that have no display names. */
    public CapabilitiesByMember(Map<String, CapabilitySet> capabilitiesByMember) {
        this(capabilitiesByMember, MemberNames.IDS);
    }

    /** Returns the same capabilities with other names. */
    CapabilitiesByMember withNames(MemberNames memberNames) {
        return new CapabilitiesByMember(capabilitiesByMember, memberNames, withoutAccess);
    }

    /** Returns the same capabilities with other members that cannot sign in. */
    public CapabilitiesByMember withoutAccessOf(Set<String> ids) {
        return new CapabilitiesByMember(capabilitiesByMember, names, ids);
    }

    boolean maySend(String id, Kind kind, RawPayload payload) {
        return of(id).admits(kind, payload);
    }

    boolean mayReject(String id) {
        return maySendKind(id, REJECT);
    }

    /**
     * Whether a member may approve a call whose tool has a changed definition, if direct calls of the tool are stopped.
     * The right to make the call is not enough: the change has suspended that right.
     */
    boolean mayApproveDefinition(String id) {
        return maySendKind(id, APPROVE_DEFINITION);
    }

    /** Whether a member may send that kind with some payload. */
    boolean maySendKind(String id, Kind kind) {
        return of(id).admitsKind(kind);
    }

    private CapabilitySet of(String id) {
        return capabilitiesByMember.getOrDefault(id, CapabilitySet.NONE);
    }
}
