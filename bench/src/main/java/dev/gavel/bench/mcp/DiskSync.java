package dev.gavel.bench.mcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the disk needs to make a page durable: it is appended to a file, which is synced. That is the least that a ledger
 * does before it answers. Used by one thread.
 */
final class DiskSync implements AutoCloseable {
    private static final int PAGE = 4 * 1024;

    private final FileChannel file;
    private final Samples samples = new Samples();

    DiskSync(Path directory) throws IOException {
        file = FileChannel.open(directory.resolve("sync"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    void once() throws IOException {
        long start = System.nanoTime();
        file.write(ByteBuffer.allocate(PAGE));
        file.force(false);
        samples.add(System.nanoTime() - start);
    }

    Samples samples() {
        return samples;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
