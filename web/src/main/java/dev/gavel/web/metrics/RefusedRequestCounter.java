package dev.gavel.web.metrics;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts refused requests by their error code. Thread-safe. */
public final class RefusedRequestCounter {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    public void count(String code) {
        counts.computeIfAbsent(code, it -> new LongAdder()).increment();
    }

    /** All counts by error code. */
    Map<String, Long> counts() {
        Map<String, Long> sums = new TreeMap<>();
        counts.forEach((code, count) -> sums.put(code, count.sum()));
        return sums;
    }
}
