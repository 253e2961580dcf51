package dev.gavel.mcp.facade.transport;

import java.time.Duration;

/**
 * Settings for a member's calls while they wait for a decision: how long a client waits, whether proposals survive a
 * disconnect, and whether equal calls are one call.
 *
 * @param maxWait how long a client waits before it gets a pending response
 * @param holdsWithProgress whether this also applies to a client that asked for progress
 * @param keepOnDisconnect whether a proposal stays open when the client's connection is lost
 * @param joinsRepeatedCalls whether a call joins an equal earlier call whose result the client has not received
 */
public record PendingCallSettings(
        Duration maxWait, boolean holdsWithProgress, boolean keepOnDisconnect, boolean joinsRepeatedCalls) {
    public static final PendingCallSettings DEFAULT =
            new PendingCallSettings(Duration.ofSeconds(12), false, false, true);

    /** Returns the same settings for a topic in which equal calls are separate calls. */
    public PendingCallSettings withSeparateCalls() {
        return new PendingCallSettings(maxWait, holdsWithProgress, keepOnDisconnect, false);
    }
}
