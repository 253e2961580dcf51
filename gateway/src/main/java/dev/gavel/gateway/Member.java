package dev.gavel.gateway;

import dev.gavel.mcpx.Capabilities;

/** An identity that belongs to a topic, and what it may send there. */
public record Member(String id, Capabilities capabilities) {}
