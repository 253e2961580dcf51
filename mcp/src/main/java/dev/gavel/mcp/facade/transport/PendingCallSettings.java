package dev.gavel.mcp.facade.transport;

import java.time.Duration;

/**
 * Settings for a member's calls while they wait for a decision: how long a client waits, and whether proposals survive
 * a disconnect.
 *
 * @param maxWait how long a client that did not ask for progress waits before it gets a pending response
 * @param keepOnDisconnect whether a proposal stays open when the client's connection is lost
 */
public record PendingCallSettings(Duration maxWait, boolean keepOnDisconnect) {
    public static final PendingCallSettings DEFAULT = new PendingCallSettings(Duration.ofSeconds(45), false);
}
