package dev.gavel.gateway.bus.cluster;

import dev.gavel.gateway.bus.BusSendResult;
import dev.gavel.gateway.bus.transport.BusConnection;

/**
 * Encodes and sends this process's messages over one bus connection. Thread-safe.
 *
 * @param session counts the connections of this process
 */
record BusSender(BusConnection connection, String process, long session) {
    BusSendResult send(String channel, BusMessage message) {
        byte[] written = BusMessageCodec.encode(process, session, message);
        return written.length > connection.maxMessageBytes()
                ? BusSendResult.TOO_LARGE
                : connection.send(channel, written);
    }

    /** Gives the connection up, since something that came by it did not fit in. */
    void closeOverrun() {
        connection.closeOverrun();
    }
}
