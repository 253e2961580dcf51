package dev.gavel.gateway.member;

import dev.gavel.mcpx.CapabilitySet;

/** A member of a topic, as an immutable value: the id of its identity and its capabilities in the topic. */
public record Member(String id, CapabilitySet capabilitySet) {}
