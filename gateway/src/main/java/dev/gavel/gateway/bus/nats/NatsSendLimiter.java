package dev.gavel.gateway.bus.nats;

import io.nats.client.StatisticsCollector;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that wait to be written to NATS, and refuses messages that would exceed the limit. The client's own
 * count is guarded by a lock that a blocked writer does not release, so this class counts what the client reports as
 * written. Thread-safe.
 */
final class NatsSendLimiter implements StatisticsCollector {
    /** The bytes that are written with a message besides its payload and subject, rounded up. */
    private static final int OVERHEAD_BYTES = 24;

    private final long maxBytes;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong reservedBytes = new AtomicLong();

    NatsSendLimiter(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Reserves room for a message, its subject and its overhead. Returns false if there is not enough. */
    boolean tryReserve(int bytes) {
        long size = (long) bytes + OVERHEAD_BYTES;
        if (waitingBytes.addAndGet(size) <= maxBytes) {
            reservedBytes.addAndGet(size);
            return true;
        }
        waitingBytes.addAndGet(-size);
        return false;
    }

    /** Releases the room of a message that will not be written. */
    void release(int bytes) {
        long size = (long) bytes + OVERHEAD_BYTES;
        reservedBytes.addAndGet(-size);
        waitingBytes.updateAndGet(now -> Math.max(0, now - size));
    }

    /** The total of the bytes reserved so far. */
    long reservedTotal() {
        return reservedBytes.get();
    }

    /**
     * Everything reserved up to that total has been written, because the server responded to something sent after it.
     * This also corrects the drift that arises because somewhat less is released for each message than was reserved.
     */
    void onWritten(long before) {
        waitingBytes.updateAndGet(now -> Math.min(now, reservedBytes.get() - before));
    }

    /** The client also writes bytes that were never reserved (pings), so the count is clamped at zero. */
    @Override
    public void incrementOut(long bytes) {
        waitingBytes.updateAndGet(now -> Math.max(0, now - bytes));
    }

    @Override
    public void setAdvancedTracking(boolean trackAdvanced) {
        // Nothing else is counted.
    }

    @Override
    public void incrementPingCount() {
        // Nothing else is counted.
    }

    @Override
    public void incrementReconnects() {
        // Nothing else is counted.
    }

    @Override
    public void incrementDroppedCount() {
        // Nothing else is counted.
    }

    @Override
    public void incrementOkCount() {
        // Nothing else is counted.
    }

    @Override
    public void incrementErrCount() {
        // Nothing else is counted.
    }

    @Override
    public void incrementExceptionCount() {
        // Nothing else is counted.
    }

    @Override
    public void incrementRequestsSent() {
        // Nothing else is counted.
    }

    @Override
    public void incrementRepliesReceived() {
        // Nothing else is counted.
    }

    @Override
    public void incrementDuplicateRepliesReceived() {
        // Nothing else is counted.
    }

    @Override
    public void incrementOrphanRepliesReceived() {
        // Nothing else is counted.
    }

    @Override
    public void incrementIn(long bytes) {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still requires it
    public void incrementInMsgs() {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still requires it
    public void incrementOutMsgs() {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still requires it
    public void incrementInBytes(long bytes) {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still requires it
    public void incrementOutBytes(long bytes) {
        // Nothing else is counted.
    }

    @Override
    public void incrementFlushCounter() {
        // Nothing else is counted.
    }

    @Override
    public void incrementOutstandingRequests() {
        // Nothing else is counted.
    }

    @Override
    public void decrementOutstandingRequests() {
        // Nothing else is counted.
    }

    @Override
    public void registerRead(long bytes) {
        // Nothing else is counted.
    }

    @Override
    public void registerWrite(long bytes) {
        // Nothing else is counted.
    }

    @Override
    public long getPings() {
        return 0;
    }

    @Override
    public long getReconnects() {
        return 0;
    }

    @Override
    public long getDroppedCount() {
        return 0;
    }

    @Override
    public long getOKs() {
        return 0;
    }

    @Override
    public long getErrs() {
        return 0;
    }

    @Override
    public long getExceptions() {
        return 0;
    }

    @Override
    public long getRequestsSent() {
        return 0;
    }

    @Override
    public long getRepliesReceived() {
        return 0;
    }

    @Override
    public long getDuplicateRepliesReceived() {
        return 0;
    }

    @Override
    public long getOrphanRepliesReceived() {
        return 0;
    }

    @Override
    public long getInMsgs() {
        return 0;
    }

    @Override
    public long getOutMsgs() {
        return 0;
    }

    @Override
    public long getInBytes() {
        return 0;
    }

    @Override
    public long getOutBytes() {
        return 0;
    }

    @Override
    public long getFlushCounter() {
        return 0;
    }

    @Override
    public long getOutstandingRequests() {
        return 0;
    }
}
