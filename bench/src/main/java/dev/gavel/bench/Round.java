package dev.gavel.bench;

/** One server's measured round: what it delivered, in what time, and the processor time it and the load used. */
record Round(long deliveries, long nanos, long serverNanos, long loadNanos) {
    double perSecond() {
        return deliveries * 1e9 / nanos;
    }

    /** The server's processor time a delivery, in microseconds. */
    double cpuMicros() {
        return serverNanos / 1e3 / deliveries;
    }

    /** How many cores the server kept busy. */
    double serverCores() {
        return (double) serverNanos / nanos;
    }

    /** How many cores the load kept busy; near 1, its one thread was what held the round up. */
    double loadCores() {
        return (double) loadNanos / nanos;
    }
}
