package dev.gavel.mcp.facade.transport;

import java.time.Duration;
import java.util.Optional;

/**
 * Settings for a member's calls while they wait for a decision: how long a client waits, whether proposals survive a
 * disconnect, and whether equal calls are one call.
 *
 * @param maxWait how long a client waits before it gets a pending response
 * @param holdsWithProgress whether this also applies to a client that asked for progress
 * @param linger how long a client whose connection is lost has to call again before its proposal is withdrawn
 * @param keepOnDisconnect whether the proposal stays open instead until it expires
 * @param joinsRepeatedCalls whether a call joins an equal earlier call whose result the client has not received
 */
public record PendingCallSettings(
        Duration maxWait,
        boolean holdsWithProgress,
        Duration linger,
        boolean keepOnDisconnect,
        boolean joinsRepeatedCalls) {
    public static final PendingCallSettings DEFAULT =
            new PendingCallSettings(Duration.ofSeconds(12), false, Duration.ofMinutes(2), false, true);

    /** Returns the same settings for a topic in which equal calls are separate calls. */
    public PendingCallSettings withSeparateCalls() {
        return new PendingCallSettings(maxWait, holdsWithProgress, linger, keepOnDisconnect, false);
    }

    /** Whether a proposal waits for a client that lost its connection. If equal calls are separate, it cannot return. */
    public boolean lingers() {
        return keepOnDisconnect || (joinsRepeatedCalls && linger.isPositive());
    }

    /** How long a proposal waits for a client that lost its connection; empty until the proposal expires. */
    public Optional<Duration> maxLinger() {
        return keepOnDisconnect ? Optional.empty() : Optional.of(linger);
    }
}
