package dev.gavel.mcp.facade.transport;

import java.time.Duration;

/**
 * Settings for a member's calls while they wait for a decision: how long a client waits, and whether proposals survive
 * a disconnect.
 *
 * @param maxWait how long a call waits whose client asked for no progress, before it is told that the call is pending
 * @param keepOnDisconnect whether a proposal stays when the client's connection is lost
 */
public record PendingCallSettings(Duration maxWait, boolean keepOnDisconnect) {
    public static final PendingCallSettings DEFAULT = new PendingCallSettings(Duration.ofSeconds(45), false);
}
