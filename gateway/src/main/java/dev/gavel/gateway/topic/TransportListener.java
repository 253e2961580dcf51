package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.ConnectionCloseReason;

/** Receives what a transport reports about one participant's connection: open, bytes received, read complete, close. */
public interface TransportListener {
    /** The transport is ready to read and write. */
    void onOpen();

    /**
     * An envelope's bytes arrived. They are retained, so the caller must not reuse the array. Returns false if the
     * sender exceeds its rate limit, and the transport should pause reading.
     */
    boolean onReceive(byte[] envelope);

    /** No more bytes are available for the moment: the envelopes received so far can be passed on together. */
    void onReadComplete();

    /** The gateway closes the connection for this reason; {@link #onClose} follows. */
    default void onServerClose(ConnectionCloseReason closeReason) {}

    /** The connection has ended or is ending. Called once, as the last call. */
    void onClose();
}
