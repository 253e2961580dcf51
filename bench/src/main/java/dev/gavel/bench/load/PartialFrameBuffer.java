package dev.gavel.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;

/**
 * Keeps the bytes of a frame that has arrived only in part, so that many connections can read through one shared
 * buffer. The shared buffer stays in the processor's cache, and each connection sees every frame in one piece. Not
 * thread-safe.
 */
final class PartialFrameBuffer {
    private byte[] bytes = new byte[512];
    private int length;

    /**
     * Fills the shared buffer with the stored bytes and then with the channel's input: frames start at 0 and end at the
     * buffer's position. Returns whether the connection is still open.
     */
    boolean read(ReadableByteChannel channel, ByteBuffer shared) throws IOException {
        shared.clear();
        shared.put(bytes, 0, length);
        length = 0;
        return channel.read(shared) >= 0;
    }

    /** Stores the bytes of the shared buffer from {@code from} to its position. */
    void save(ByteBuffer shared, int from) {
        length = shared.position() - from;
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Integer.highestOneBit(length) << 1);
        }
        shared.get(from, bytes, 0, length);
    }
}
