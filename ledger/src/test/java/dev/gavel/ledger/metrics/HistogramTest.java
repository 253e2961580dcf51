package dev.gavel.ledger.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.metrics.Histogram.Bucket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistogramTest {
    private final Histogram histogram = Histogram.ofSeconds(1, 60);

    @Test
    void aStepCountsAllThatTookAtMostSoLong() {
        histogram.add(Duration.ofMillis(250));
        histogram.add(Duration.ofSeconds(1));
        histogram.add(Duration.ofSeconds(2));
        histogram.add(Duration.ofDays(1));

        Histogram.Snapshot snapshot = histogram.snapshot();

        assertThat(snapshot.buckets()).isEqualTo(List.of(new Bucket(1, 2), new Bucket(60, 3)));
        assertThat(snapshot.count()).isEqualTo(4);
        assertThat(snapshot.sum()).isEqualTo(86_403.25);
    }

    @Test
    void nanosecondsCountAsSeconds() {
        histogram.addNanos(1_500_000_000);

        assertThat(histogram.snapshot().sum()).isEqualTo(1.5);
        assertThat(histogram.snapshot().buckets()).isEqualTo(List.of(new Bucket(1, 0), new Bucket(60, 1)));
    }

    @Test
    void aClockThatWasSetBackTakesNothingAway() {
        histogram.add(Duration.ofSeconds(-5));

        assertThat(histogram.snapshot().sum()).isZero();
        assertThat(histogram.snapshot().count()).isEqualTo(1);
    }
}
