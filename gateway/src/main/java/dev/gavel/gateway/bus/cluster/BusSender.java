package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.transport.BusConnection;

/**
 * Encodes and sends this process's messages over one bus connection. Thread-safe.
 *
 * @param session the number of this connection among those of this process
 */
record BusSender(BusConnection connection, String process, long session) {
    BusSendResult send(String channel, BusMessage message) {
        byte[] written = BusMessageCodec.encode(process, session, message);
        return written.length > connection.maxMessageBytes()
                ? BusSendResult.TOO_LARGE
                : connection.send(channel, written);
    }

    /** Closes the connection, because a message that arrived over it did not fit into the queue. */
    void closeOverrun() {
        connection.closeOverrun();
    }
}
