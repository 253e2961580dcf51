package dev.gavel.gateway.bus.transport;

/**
 * A publish/subscribe transport that delivers messages to all other processes subscribed to a channel. A channel name
 * consists of words separated by dots. Thread-safe.
 */
public interface BusTransport extends AutoCloseable {
    /** Starts connecting, and reconnects automatically from then on. Called once. */
    void start(BusTransportListener busTransportListener);

    /**
     * Subscribes to a channel, on the current connection and on all later ones.
     *
     * @param channel may end in {@code *}, which matches any last word
     */
    void subscribe(String channel);

    /** Cancels the subscription to a channel. */
    void unsubscribe(String channel);

    /** Flushes what was sent, for a short time at most, and closes the transport. */
    @Override
    void close();
}
