package dev.gavel.gateway.bus.transport;

/** Who hears what comes over a wire; never called twice at the same time, and must not hold the caller up. */
public interface BusTransportListener {
    /** There is a connection, and whoever sends on a listened-to channel from now on is heard. */
    void onConnect(BusConnection busConnection);

    /** The connection is lost; nothing more is heard from it. */
    void onDisconnect(BusDisconnectReason busDisconnectReason);

    /** Somebody sent this. */
    void onMessage(String channel, byte[] message);
}
