package dev.gavel.gateway.member;

import dev.gavel.mcpx.CapabilitySet;

/**
 * A member of a topic, as an immutable value: the id of its identity and its capabilities in the topic.
 *
 * @param displayName the name for people, as configured; the id if none is configured
 */
public record Member(String id, String displayName, CapabilitySet capabilitySet) {
    /** Creates a member without a display name. */
    public Member(String id, CapabilitySet capabilitySet) {
        this(id, id, capabilitySet);
    }
}
