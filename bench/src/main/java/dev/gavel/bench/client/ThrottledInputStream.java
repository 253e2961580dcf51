package dev.gavel.bench.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Input stream that a test can limit to a byte rate or pause, to simulate a client that reads slowly. One thread reads;
 * any thread may change the rate.
 */
public final class ThrottledInputStream extends FilterInputStream {
    private static final int MAX_READ = 16 * 1024;

    private volatile long nanosPerByte;
    private volatile @Nullable CountDownLatch paused;
    private long nextReadNanos = System.nanoTime();

    ThrottledInputStream(InputStream in) {
        super(in);
    }

    /** Limits the rate to this many bytes per second; 0 for no limit. */
    public void setBytesPerSecond(int rate) {
        nanosPerByte = rate == 0 ? 0 : 1_000_000_000L / rate;
    }

    /** Reads nothing until {@link #resume}. */
    public void pause() {
        paused = new CountDownLatch(1);
    }

    public void resume() {
        CountDownLatch latch = paused;
        paused = null;
        if (latch != null) {
            latch.countDown();
        }
    }

    @Override
    public int read() throws IOException {
        throw new IOException("single-byte reads are not supported; use a buffer");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            CountDownLatch latch = paused;
            if (latch != null) {
                latch.await();
            }
            long slow = nanosPerByte;
            if (slow == 0) {
                return in.read(bytes, offset, length);
            }
            long wait = nextReadNanos - System.nanoTime();
            if (wait > 0) {
                Thread.sleep(wait / 1_000_000, (int) (wait % 1_000_000));
            }
            int read = in.read(bytes, offset, Math.min(length, MAX_READ));
            nextReadNanos = Math.max(nextReadNanos, System.nanoTime() - 100_000_000) + slow * Math.max(0, read);
            return read;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
