package dev.gavel.client.connection;

import dev.gavel.mcpx.Envelope;

/**
 * Receives the events of a reconnecting connection: connected, disconnected, envelope received, missed events no longer
 * available, and closed for good. Implementations must return at once and must never wait for the connection.
 */
public interface ReconnectingConnectionListener {
    /**
     * The connection is open; the envelopes about proposals that were missed follow.
     *
     * @param participantId the participant's id
     */
    void onConnect(String participantId);

    /** The connection is lost; the client reconnects unless {@link #onClose} follows. */
    void onDisconnect(String reason);

    /** An envelope arrived that was not delivered before. */
    void onEnvelope(Envelope envelope);

    /** The gateway no longer has all missed events: what the client knows about proposals may be outdated. */
    void onResync();

    /** The connection is closed for good. */
    void onClose(PermanentCloseReason reason);
}
