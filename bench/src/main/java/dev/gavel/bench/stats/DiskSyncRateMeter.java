package dev.gavel.bench.stats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** Measures how often per second a disk can append a page to a file and sync it. Stateless. */
public final class DiskSyncRateMeter {
    private static final int PAGE = 8 * 1024;

    private DiskSyncRateMeter() {}

    /** The durations of consecutive syncs in a directory, repeated for a given time. */
    public static TimeSamples measure(Path directory, Duration time) throws IOException {
        Path file = Files.createTempFile(directory, "sync", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer page = ByteBuffer.allocate(PAGE);
            TimeSamples samples = new TimeSamples();
            long start = System.nanoTime();
            long now = start;
            while (now - start < time.toNanos()) {
                channel.write(page.clear());
                channel.force(false);
                long next = System.nanoTime();
                samples.add(next - now);
                now = next;
            }
            return samples;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** The number of syncs per second. */
    public static double perSecond(TimeSamples samples, Duration time) {
        return samples.size() * 1e9 / time.toNanos();
    }
}
