package dev.gavel.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One connection of a {@link LoadGenerator} that counts received messages and may send some, whatever the protocol.
 * Used by the load's thread alone.
 */
interface LoadGeneratorConnection {
    String name();

    /** How many messages of others have come, each checked. */
    long receivedCount();

    /** How many messages were sent from here. */
    long sentCount();

    /** How many more messages may be sent now. */
    int sendCapacity();

    /** Sends so many messages. */
    void send(int messages) throws IOException;

    /** Reads what has come, through a buffer that all share. */
    void read(ByteBuffer shared) throws IOException;

    /** Writes what the socket had not taken yet. */
    void flush() throws IOException;

    void close() throws IOException;
}
