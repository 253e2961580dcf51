package dev.gavel.gateway.member;

import dev.gavel.mcpx.CapabilitySet;

/** The id of an identity that belongs to a topic and its capabilities there, as an immutable value. */
public record Member(String id, CapabilitySet capabilitySet) {}
