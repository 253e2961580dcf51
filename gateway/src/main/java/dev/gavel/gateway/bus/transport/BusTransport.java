package dev.gavel.gateway.bus.transport;

/**
 * A publish/subscribe transport that delivers messages to all other processes subscribed to a channel. A channel's name
 * is a number of words with dots between them. Thread-safe.
 */
public interface BusTransport extends AutoCloseable {
    /** Begins to connect, and goes on by itself from there. Once. */
    void start(BusTransportListener busTransportListener);

    /**
     * Listens on a channel from now on, whenever there is a connection.
     *
     * @param channel may end in {@code *}, for any last word
     */
    void subscribe(String channel);

    /** Listens on a channel no more. */
    void unsubscribe(String channel);

    /** Lets go what was sent, for a moment at most, and ends. */
    @Override
    void close();
}
