package dev.gavel.bench.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The processor time that one or more processes have used up to one moment, per thread where Linux reports it. The
 * times of threads are preferred, because that of a process has a resolution of hundredths of a second: too coarse for
 * a short round at a modest rate.
 */
public final class CpuTimeSnapshot {
    private final Map<String, Long> nanos;

    private CpuTimeSnapshot(Map<String, Long> nanos) {
        this.nanos = nanos;
    }

    /** The time a process and its descendants have used so far. */
    public static CpuTimeSnapshot of(ProcessHandle process) {
        Map<String, Long> nanos = new HashMap<>();
        add(process, nanos);
        process.descendants().forEach(p -> add(p, nanos));
        return new CpuTimeSnapshot(nanos);
    }

    /** The time this process has used so far, without its child processes. */
    public static CpuTimeSnapshot ofThisProcess() {
        Map<String, Long> nanos = new HashMap<>();
        add(ProcessHandle.current(), nanos);
        return new CpuTimeSnapshot(nanos);
    }

    /** The nanoseconds used since an earlier moment, without threads that have ended in the meantime. */
    public long since(CpuTimeSnapshot earlier) {
        long sum = 0;
        for (Map.Entry<String, Long> entry : nanos.entrySet()) {
            sum += entry.getValue() - earlier.nanos.getOrDefault(entry.getKey(), 0L);
        }
        return sum;
    }

    private static void add(ProcessHandle process, Map<String, Long> nanos) {
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        if (Files.isReadable(tasks.resolve(Long.toString(process.pid())).resolve("schedstat"))) {
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
                for (Path thread : threads) {
                    addThread(thread, nanos);
                }
                return;
            } catch (IOException _) {
                // The process ended while it was read; its own total is the only figure.
            }
        }
        Duration total = process.info().totalCpuDuration().orElse(Duration.ZERO);
        nanos.put("process " + process.pid(), total.toNanos());
    }

    private static void addThread(Path thread, Map<String, Long> nanos) {
        try {
            String line = Files.readString(thread.resolve("schedstat"));
            nanos.put(thread.getFileName().toString(), Long.parseLong(line, 0, line.indexOf(' '), 10));
        } catch (IOException _) {
            // A thread that ended between being listed and being read.
        }
    }
}
