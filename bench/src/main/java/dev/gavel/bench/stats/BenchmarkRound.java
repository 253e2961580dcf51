package dev.gavel.bench.stats;

import dev.gavel.bench.load.LoadResult;
import dev.gavel.bench.server.CpuTimeSnapshot;
import dev.gavel.bench.server.ServerProcess;
import java.util.function.Supplier;

/**
 * Result of one measured round: deliveries, elapsed time, and the processor time of the server and of the load
 * generator.
 */
public record BenchmarkRound(long deliveries, long nanos, long serverNanos, long loadNanos) {
    /** Measures what a server and this process use while something is delivered. */
    public static BenchmarkRound measure(ServerProcess server, Supplier<LoadResult> work) {
        CpuTimeSnapshot loadBefore = CpuTimeSnapshot.ofThisProcess();
        CpuTimeSnapshot before = server.cpuTime();
        LoadResult loadResult = work.get();
        long serverNanos = server.cpuTime().since(before);
        long loadNanos = CpuTimeSnapshot.ofThisProcess().since(loadBefore);
        return new BenchmarkRound(loadResult.deliveries(), loadResult.nanos(), serverNanos, loadNanos);
    }

    public double deliveriesPerSecond() {
        return deliveries * 1e9 / nanos;
    }

    /** The server's processor time a delivery, in microseconds. */
    public double cpuMicrosPerDelivery() {
        return serverNanos / 1e3 / deliveries;
    }

    /** How many cores the server kept busy. */
    public double serverCores() {
        return (double) serverNanos / nanos;
    }

    /** How many cores the load kept busy; near 1, its one thread was what held the round up. */
    public double loadCores() {
        return (double) loadNanos / nanos;
    }
}
