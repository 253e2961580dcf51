package dev.gavel.web.console.session;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits how many sign-ins may fail, for each address and in total, so that tokens and codes cannot be guessed. A limit
 * recovers by one failure at a time, so a person who mistyped waits only seconds. Memory is bounded: the address that
 * failed longest ago is forgotten first. Thread-safe.
 */
final class SignInThrottle {
    private static final int ADDRESS_BURST = 10;
    private static final Duration ADDRESS_RECOVERY = Duration.ofSeconds(5);
    private static final int TOTAL_BURST = 100;
    private static final Duration TOTAL_RECOVERY = Duration.ofMillis(100);
    private static final int MAX_ADDRESSES = 10_000;

    private final InstantSource clock;

    /** By address, the time at which all its failures have recovered; the one that failed longest ago first. */
    private final Map<String, Instant> byAddress = new LinkedHashMap<>();

    private Instant total = Instant.MIN;

    SignInThrottle(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Returns how long a client must wait before its next attempt; zero if it may try now.
     *
     * @param address the client's address, as {@link dev.gavel.web.http.ClientAddressKey} names it
     */
    synchronized Duration delay(String address) {
        Instant now = clock.instant();
        Duration own = delay(byAddress.getOrDefault(address, now), now, ADDRESS_BURST, ADDRESS_RECOVERY);
        Duration all = delay(total, now, TOTAL_BURST, TOTAL_RECOVERY);
        return own.compareTo(all) > 0 ? own : all;
    }

    private static Duration delay(Instant recovered, Instant now, int burst, Duration recovery) {
        Instant next = now.plus(recovery.multipliedBy(burst - 1L));
        return recovered.isAfter(next) ? Duration.between(next, recovered) : Duration.ZERO;
    }

    /** Records a failed attempt. */
    synchronized void recordFailure(String address) {
        Instant now = clock.instant();
        Instant before = byAddress.remove(address);
        byAddress.put(address, later(before == null ? now : before, now).plus(ADDRESS_RECOVERY));
        if (byAddress.size() > MAX_ADDRESSES) {
            byAddress.remove(byAddress.keySet().iterator().next());
        }
        total = later(total, now).plus(TOTAL_RECOVERY);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
