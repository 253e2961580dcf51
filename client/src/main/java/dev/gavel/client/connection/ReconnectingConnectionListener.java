package dev.gavel.client.connection;

import dev.gavel.mcpx.Envelope;

/**
 * Receives the events of a reconnecting connection: connected, disconnected, envelope, resync and closed for good. Must
 * return at once, and never wait for the link.
 */
public interface ReconnectingConnectionListener {
    /**
     * The link is up; what happened to proposals meanwhile follows.
     *
     * @param you who one is
     */
    void onConnect(String you);

    /** The link is down, and will come up again unless it is over. */
    void onDisconnect(String why);

    /** An envelope came that had not come before. */
    void onEnvelope(Envelope envelope);

    /** What happened meanwhile is not all kept any more: what one knows of proposals may be old. */
    void onResync();

    /** The link is down for good. */
    void onClose(PermanentCloseReason why);
}
