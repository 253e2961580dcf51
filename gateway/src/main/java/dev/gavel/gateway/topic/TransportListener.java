package dev.gavel.gateway.topic;

import dev.gavel.gateway.delivery.ConnectionCloseReason;

/** Receives what a transport reports about one participant's connection: open, bytes received, read complete, close. */
public interface TransportListener {
    /** The transport is ready to read and write. */
    void onOpen();

    /**
     * An envelope's bytes came; they are kept, so the array must not be used again. False where the sender sends faster
     * than it may, and had better not be read from for a moment.
     */
    boolean onReceive(byte[] envelope);

    /** Nothing more came for the moment: what came so far can be handed on together. */
    void onReadComplete();

    /** This side ends the connection, for that reason; {@link #onClose} follows. */
    default void onServerClose(ConnectionCloseReason why) {}

    /** The connection has ended or is ending; called once, and nothing after it. */
    void onClose();
}
