package dev.gavel.gateway.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FloodMeterTest {
    private final FloodMeter meter = new FloodMeter();

    @Test
    void aBurstIsAllowedAndAFloodIsNot() {
        for (int i = 0; i < FloodMeter.BURST; i++) {
            assertThat(meter.countAndCheck(42)).isFalse();
        }
        assertThat(meter.countAndCheck(42)).isTrue();
    }

    @Test
    void aFewEachSecondAreAllowedForever() {
        long now = Long.MAX_VALUE - 5;
        for (int i = 0; i < 10 * FloodMeter.BURST; i++) {
            now += TimeUnit.SECONDS.toNanos(1) / FloodMeter.PER_SECOND;
            assertThat(meter.countAndCheck(now)).isFalse();
        }
    }
}
