package dev.gavel.gateway.bus.transport;

import dev.gavel.gateway.bus.BusSendResult;

/**
 * One connection of a bus transport, from connect to loss, over which messages are sent. What it could not send by then
 * is never sent. Thread-safe.
 */
public interface BusConnection {
    /** Sends a message to whoever listens; those of one link are heard in the order they were sent. Does not wait. */
    BusSendResult send(String channel, byte[] message);

    /** Gives it up, since more comes than this process can take: what is missing would go unnoticed. Does not wait. */
    void closeOverrun();

    /** How many bytes a message has at most. */
    int maxMessageBytes();
}
