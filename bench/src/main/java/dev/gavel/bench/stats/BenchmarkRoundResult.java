package dev.gavel.bench.stats;

import dev.gavel.bench.load.LoadResult;
import dev.gavel.bench.server.CpuTimeSnapshot;
import dev.gavel.bench.server.ServerProcess;
import java.util.function.Supplier;

/**
 * The result of one measured round: deliveries, elapsed time, and the processor time of the server and of the load
 * generator.
 */
public record BenchmarkRoundResult(long deliveries, long nanos, long serverNanos, long loadNanos) {
    /** Measures the processor time of a server and of this process during deliveries. */
    public static BenchmarkRoundResult measure(ServerProcess server, Supplier<LoadResult> work) {
        CpuTimeSnapshot loadBefore = CpuTimeSnapshot.ofThisProcess();
        CpuTimeSnapshot before = server.cpuTime();
        LoadResult loadResult = work.get();
        long serverNanos = server.cpuTime().since(before);
        long loadNanos = CpuTimeSnapshot.ofThisProcess().since(loadBefore);
        return new BenchmarkRoundResult(loadResult.deliveries(), loadResult.nanos(), serverNanos, loadNanos);
    }

    public double deliveriesPerSecond() {
        return deliveries * 1e9 / nanos;
    }

    /** The server's processor time per delivery, in microseconds. */
    public double cpuMicrosPerDelivery() {
        return serverNanos / 1e3 / deliveries;
    }

    /** The number of cores that the server kept busy. */
    public double serverCores() {
        return (double) serverNanos / nanos;
    }

    /** The number of cores that the load generator kept busy; near 1, its single thread limited the round. */
    public double loadCores() {
        return (double) loadNanos / nanos;
    }
}
