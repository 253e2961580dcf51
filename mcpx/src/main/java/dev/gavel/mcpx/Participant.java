package dev.gavel.mcpx;

/**
 * A member that is connected, as others are told of it. Immutable.
 *
 * @param id who
 * @param capabilities what it may send
 */
public record Participant(String id, Capabilities capabilities) {}
