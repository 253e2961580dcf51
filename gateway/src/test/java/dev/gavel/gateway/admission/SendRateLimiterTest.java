package dev.gavel.gateway.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SendRateLimiterTest {
    static final long SECOND = 1_000_000_000L;

    @Test
    void aSecondsWorthPassesAtOnceAndThenOneAnInterval() {
        SendRateLimiter limit = new SendRateLimiter(10, 0);
        for (int i = 0; i < 10; i++) {
            assertThat(limit.tryAcquire(0)).isZero();
        }
        assertThat(limit.tryAcquire(0)).isEqualTo(SECOND / 10);
        assertThat(limit.tryAcquire(SECOND / 10)).isZero();
        assertThat(limit.tryAcquire(SECOND / 10)).isPositive();
    }

    @Test
    void whoWaitsAsToldMayGoOn() {
        SendRateLimiter limit = new SendRateLimiter(7, 0);
        while (limit.tryAcquire(0) == 0) {
            // Until the limit is reached.
        }
        long wait = limit.tryAcquire(0);
        assertThat(limit.tryAcquire(wait - 1)).isPositive();
        assertThat(limit.tryAcquire(wait)).isZero();
    }

    @Test
    void aClockThatBeginsAnywhereWillDo() {
        for (long start : new long[] {Long.MAX_VALUE - 5, Long.MIN_VALUE + 5, -SECOND}) {
            SendRateLimiter limit = new SendRateLimiter(2, start);
            assertThat(limit.tryAcquire(start)).isZero();
            assertThat(limit.tryAcquire(start)).isZero();
            assertThat(limit.tryAcquire(start)).isPositive();
            assertThat(limit.tryAcquire(start + SECOND)).isZero();
        }
    }

    @Property
    void inNoSecondMoreThanTwiceTheRatePasses(
            @ForAll @IntRange(min = 1, max = 1000) int rate,
            @ForAll @Size(max = 200) List<@LongRange(min = 0, max = SECOND / 20) Long> pauses) {
        SendRateLimiter limit = new SendRateLimiter(rate, 0);
        long now = 0;
        long[] passed = new long[pauses.size()];
        int count = 0;
        for (long pause : pauses) {
            now += pause;
            if (limit.tryAcquire(now) == 0) {
                passed[count++] = now;
            }
        }
        int start = 0;
        for (int end = 0; end < count; end++) {
            while (passed[end] - passed[start] > SECOND) {
                start++;
            }
            assertThat(end - start + 1).isLessThanOrEqualTo(2 * rate + 1);
        }
    }
}
