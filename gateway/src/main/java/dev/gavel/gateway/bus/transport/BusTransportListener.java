package dev.gavel.gateway.bus.transport;

/** Receives a bus transport's connects, disconnects and messages, one at a time. */
public interface BusTransportListener {
    /** A connection is open. Messages sent to a subscribed channel from now on are received. */
    void onConnect(BusConnection busConnection);

    /** The connection is lost; no more messages arrive from it. */
    void onDisconnect(BusDisconnectReason busDisconnectReason);

    /** Another process sent this message. */
    void onMessage(String channel, byte[] message);
}
