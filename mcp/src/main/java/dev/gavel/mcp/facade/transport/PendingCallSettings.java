package dev.gavel.mcp.facade.transport;

import java.time.Duration;

/**
 * How somebody's calls are treated while they wait for a decision.
 *
 * @param maxWait how long a call waits whose client asked for no progress, before it is told that the call is pending
 * @param keepOnDisconnect whether a proposal stays when the client's connection is lost
 */
public record PendingCallSettings(Duration maxWait, boolean keepOnDisconnect) {
    public static final PendingCallSettings DEFAULT = new PendingCallSettings(Duration.ofSeconds(45), false);
}
