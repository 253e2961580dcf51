package dev.gavel.bench;

import java.util.function.Supplier;

/** One server's measured round: what it delivered, in what time, and the processor time it and the load used. */
public record Round(long deliveries, long nanos, long serverNanos, long loadNanos) {
    /** Measures what a server and this process use while something is delivered. */
    public static Round of(ServerProcess server, Supplier<Delivered> work) {
        CpuTime loadBefore = CpuTime.own();
        CpuTime before = server.cpuTime();
        Delivered delivered = work.get();
        long serverNanos = server.cpuTime().since(before);
        long loadNanos = CpuTime.own().since(loadBefore);
        return new Round(delivered.deliveries(), delivered.nanos(), serverNanos, loadNanos);
    }

    public double perSecond() {
        return deliveries * 1e9 / nanos;
    }

    /** The server's processor time a delivery, in microseconds. */
    public double cpuMicros() {
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
