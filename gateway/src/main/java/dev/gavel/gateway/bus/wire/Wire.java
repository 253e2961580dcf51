package dev.gavel.gateway.bus.wire;

/**
 * Brings messages to all processes that listen on a channel, this one excepted. A channel's name is a number of words with
 * dots between them. Thread-safe.
 */
public interface Wire extends AutoCloseable {
    /** Begins to connect, and goes on by itself from there. Once. */
    void start(Ears ears);

    /**
     * Listens on a channel from now on, whenever there is a connection.
     *
     * @param channel may end in {@code *}, for any last word
     */
    void listen(String channel);

    /** Listens on a channel no more. */
    void ignore(String channel);

    /** Lets go what was sent, for a moment at most, and ends. */
    @Override
    void close();
}
