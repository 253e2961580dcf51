package dev.gavel.gateway.bus.transport;

/** Receives a bus transport's connects, disconnects and messages, one at a time. */
public interface BusTransportListener {
    /** There is a connection, and whoever sends on a listened-to channel from now on is heard. */
    void onConnect(BusConnection busConnection);

    /** The connection is lost; nothing more is heard from it. */
    void onDisconnect(BusDisconnectReason busDisconnectReason);

    /** Somebody sent this. */
    void onMessage(String channel, byte[] message);
}
