package dev.gavel.bench.reliability;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Bytes taken no faster than one wants, or for a while not at all. Read by one thread; changed by any. */
final class SlowInput extends FilterInputStream {
    private static final int MOUTHFUL = 16 * 1024;

    private volatile long nanosAByte;
    private volatile @Nullable CountDownLatch stopped;
    private long next = System.nanoTime();

    SlowInput(InputStream in) {
        super(in);
    }

    /** From now on so many bytes a second; 0 for as many as come. */
    void bytesPerSecond(int rate) {
        nanosAByte = rate == 0 ? 0 : 1_000_000_000L / rate;
    }

    /** Takes nothing until {@link #goOn}. */
    void stop() {
        stopped = new CountDownLatch(1);
    }

    void goOn() {
        CountDownLatch latch = stopped;
        stopped = null;
        if (latch != null) {
            latch.countDown();
        }
    }

    @Override
    public int read() throws IOException {
        throw new IOException("read through a buffer");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            CountDownLatch latch = stopped;
            if (latch != null) {
                latch.await();
            }
            long slow = nanosAByte;
            if (slow == 0) {
                return in.read(bytes, offset, length);
            }
            long wait = next - System.nanoTime();
            if (wait > 0) {
                Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
            }
            int read = in.read(bytes, offset, Math.min(length, MOUTHFUL));
            next = Math.max(next, System.nanoTime() - 100_000_000) + slow * Math.max(0, read);
            return read;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
