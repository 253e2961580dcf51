package dev.gavel.gateway.bus.transport;

import dev.gavel.gateway.bus.BusSendResult;

/**
 * One connection to the message bus, which sends messages until it is lost. Messages not sent before the loss are never
 * sent. Thread-safe.
 */
public interface BusConnection {
    /**
     * Sends a message to all subscribers. The messages of one connection arrive in the order they were sent. Does not
     * block.
     */
    BusSendResult send(String channel, byte[] message);

    /**
     * Closes the connection, because more messages arrive than this process can take and a gap would go unnoticed. Does
     * not block.
     */
    void closeOverrun();

    /** The maximum size of a message, in bytes. */
    int maxMessageBytes();
}
