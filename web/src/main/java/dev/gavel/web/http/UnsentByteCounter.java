package dev.gavel.web.http;

import io.vertx.core.http.HttpServerRequest;

/**
 * Counts the unsent bytes of a stream, and bounds them for the stream and for its identity. Small amounts do not count
 * for the identity, so that a client that keeps up costs nothing. Confined to the connection's event loop, except for
 * {@link #unsentBytes}.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // only the event loop changes it
public final class UnsentByteCounter {
    /** How many bytes a client may be behind before its connection is closed, in addition to one large message. */
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private static final int LARGE_MESSAGE_BYTES = 1024 * 1024;

    private final MemoryQuota.Reservation reservation;
    private volatile int unsentBytes;

    /** The length of the largest large message since the client was last not behind; 0 if there was none. */
    private int largestMessage;

    /** The part of {@link #unsentBytes} that counts for the identity. */
    private int countedBytes;

    /** Creates a counter for the stream that answers a request. */
    public UnsentByteCounter(HttpServerRequest request) {
        this.reservation = ConnectionLimiter.reserveResponse(request);
    }

    public int unsentBytes() {
        return unsentBytes;
    }

    /** Counts bytes that are about to be written. Returns false if the connection must be closed instead. */
    public boolean tryAdd(int bytes) {
        if (unsentBytes - largestMessage > MAX_BYTES) {
            return false;
        }
        if (bytes > LARGE_MESSAGE_BYTES) {
            largestMessage = Math.max(largestMessage, bytes);
        }
        unsentBytes += bytes;
        int counted = unsentBytes - ResponseBodies.MIN_COUNTED_BYTES;
        if (counted <= countedBytes) {
            return true;
        }
        int more = counted - countedBytes;
        countedBytes = counted;
        return reservation.add(more).isEmpty();
    }

    /** Releases bytes that were written, or discarded because the connection has closed. */
    public void subtract(int bytes) {
        unsentBytes -= bytes;
        if (unsentBytes == 0) {
            largestMessage = 0;
        }
        int less = countedBytes - Math.max(0, unsentBytes - ResponseBodies.MIN_COUNTED_BYTES);
        if (less > 0) {
            countedBytes -= less;
            reservation.subtract(less);
        }
    }

    /** Releases everything. The stream has ended. */
    public void release() {
        reservation.release();
    }
}
