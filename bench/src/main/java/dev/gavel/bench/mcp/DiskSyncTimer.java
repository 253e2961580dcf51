package dev.gavel.bench.mcp;

import dev.gavel.bench.stats.TimeSamples;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Measures how long the disk takes to write and sync as many bytes as one ledger commit, as the lower bound for a
 * commit's latency. Used by one thread.
 */
final class DiskSyncTimer implements AutoCloseable {
    /** As many pages as a system call trace of the ledger shows for a commit. */
    private static final int BYTES = 13 * 4 * 1024;

    private final FileChannel file;
    private final TimeSamples samples = new TimeSamples();

    DiskSyncTimer(Path directory) throws IOException {
        file = FileChannel.open(directory.resolve("sync"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    void measureOnce() throws IOException {
        long start = System.nanoTime();
        file.write(ByteBuffer.allocate(BYTES));
        file.force(true);
        samples.add(System.nanoTime() - start);
    }

    TimeSamples samples() {
        return samples;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
