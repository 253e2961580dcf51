package dev.gavel.gateway.member;

import dev.gavel.mcpx.CapabilitySet;

/** An identity that belongs to a topic, and what it may send there. */
public record Member(String id, CapabilitySet capabilitySet) {}
