package dev.gavel.bench;

/** One server's measured round: what it delivered, in what time, and the processor time it and the load used. */
public record Round(long deliveries, long nanos, long serverNanos, long loadNanos) {
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
