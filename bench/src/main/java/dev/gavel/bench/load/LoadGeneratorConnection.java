package dev.gavel.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One connection of a {@code LoadGenerator}, over WebSocket or NATS, that sends messages and counts those it receives.
 * Confined to the load generator's thread.
 */
interface LoadGeneratorConnection {
    String name();

    /** The number of messages received from others, each verified. */
    long receivedCount();

    /** The number of messages sent on this connection. */
    long sentCount();

    /** The number of messages that may be sent now. */
    int sendCapacity();

    /** Sends this many messages. */
    void send(int messages) throws IOException;

    /** Reads the available input through a buffer that all connections share. */
    void read(ByteBuffer shared) throws IOException;

    /** Writes the output that the socket has not accepted yet. */
    void flush() throws IOException;

    void close() throws IOException;
}
