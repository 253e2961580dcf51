package dev.gavel.ledger.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.measure.Histogram.Step;
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

        Histogram.Reading reading = histogram.reading();

        assertThat(reading.steps()).isEqualTo(List.of(new Step(1, 2), new Step(60, 3)));
        assertThat(reading.count()).isEqualTo(4);
        assertThat(reading.sum()).isEqualTo(86_403.25);
    }

    @Test
    void nanosecondsCountAsSeconds() {
        histogram.addNanos(1_500_000_000);

        assertThat(histogram.reading().sum()).isEqualTo(1.5);
        assertThat(histogram.reading().steps()).isEqualTo(List.of(new Step(1, 0), new Step(60, 1)));
    }

    @Test
    void aClockThatWasSetBackTakesNothingAway() {
        histogram.add(Duration.ofSeconds(-5));

        assertThat(histogram.reading().sum()).isZero();
        assertThat(histogram.reading().count()).isEqualTo(1);
    }
}
