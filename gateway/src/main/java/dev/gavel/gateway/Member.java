package dev.gavel.gateway;

import dev.gavel.mcpx.Capabilities;

/** An identity that a topic's configuration names, and what it may send there. */
public record Member(String id, Capabilities capabilities) {}
