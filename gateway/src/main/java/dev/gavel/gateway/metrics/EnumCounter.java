package dev.gavel.gateway.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts occurrences per enum constant without allocation. Thread-safe. */
final class EnumCounter<K extends Enum<K>> {
    /** Not modified after construction. */
    private final Map<K, LongAdder> counts;

    EnumCounter(Class<K> keys) {
        counts = new EnumMap<>(keys);
        for (K key : keys.getEnumConstants()) {
            counts.put(key, new LongAdder());
        }
    }

    void increment(K key) {
        Objects.requireNonNull(counts.get(key)).increment();
    }

    /** Returns the count of every constant, including zero counts. */
    Map<K, Long> counts() {
        Map<K, Long> result = new EnumMap<>(counts.keySet().iterator().next().getDeclaringClass());
        counts.forEach((key, count) -> result.put(key, count.sum()));
        return result;
    }
}
