package dev.gavel.gateway.bus.nats;

import io.nats.client.StatisticsCollector;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the bytes that wait to be written to NATS, and refuses messages that would exceed the limit. The client's own
 * count of it is kept behind a lock that a writer who is stuck does not give back, so this counts what the client
 * reports of what it wrote. Thread-safe.
 */
final class NatsSendBacklog implements StatisticsCollector {
    /** What is written of a message besides its own bytes and its subject's, and a little more. */
    private static final int OVERHEAD = 24;

    private final long maxBytes;
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong reservedBytes = new AtomicLong();

    NatsSendBacklog(long most) {
        this.maxBytes = most;
    }

    /** Takes room for a message, its subject and what is written besides; false where there is none. */
    boolean tryReserve(int bytes) {
        long room = (long) bytes + OVERHEAD;
        if (waitingBytes.addAndGet(room) <= maxBytes) {
            reservedBytes.addAndGet(room);
            return true;
        }
        waitingBytes.addAndGet(-room);
        return false;
    }

    /** A message that room was taken for is not going to be written. */
    void release(int bytes) {
        long room = (long) bytes + OVERHEAD;
        reservedBytes.addAndGet(-room);
        waitingBytes.updateAndGet(now -> Math.max(0, now - room));
    }

    /** How much room was taken so far, altogether. */
    long reservedTotal() {
        return reservedBytes.get();
    }

    /**
     * What room was taken for before that has been written: the server answered something that was sent after it. By this,
     * it does no harm that somewhat less room is given back for each message than was taken.
     */
    void onWritten(long before) {
        waitingBytes.updateAndGet(now -> Math.min(now, reservedBytes.get() - before));
    }

    /** The client also writes what it never took room for (pings), hence not below nothing. */
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
    @SuppressWarnings("deprecation") // the interface still asks for it
    public void incrementInMsgs() {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still asks for it
    public void incrementOutMsgs() {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still asks for it
    public void incrementInBytes(long bytes) {
        // Nothing else is counted.
    }

    @Override
    @SuppressWarnings("deprecation") // the interface still asks for it
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
