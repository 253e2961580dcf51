package dev.gavel.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.metrics.Histogram;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PrometheusWriterTest {
    private final PrometheusWriter writer = new PrometheusWriter();

    @Test
    void aLabelCannotEndItsLineOrItsQuotes() {
        writer.startFamily("a_total", PrometheusWriter.MetricType.COUNTER, "Back\\slash and\nbreak.");
        writer.writeSample(2, "x", "quote\" back\\slash\nbreak", "y", "plain");

        assertThat(writer.toString()).isEqualTo("""
                # HELP a_total Back\\\\slash and\\nbreak.
                # TYPE a_total counter
                a_total{x="quote\\" back\\\\slash\\nbreak",y="plain"} 2
                """);
    }

    @Test
    void aHistogramEndsWithTheInfinityBucket() {
        Histogram histogram = Histogram.ofSeconds(0.0005, 0.5, 60);
        histogram.add(Duration.ofMillis(250));
        histogram.add(Duration.ofMinutes(2));
        writer.startFamily("took_seconds", PrometheusWriter.MetricType.HISTOGRAM, "Time.");
        writer.writeSample(histogram.snapshot(), "topic", "ops");

        assertThat(writer.toString()).isEqualTo("""
                # HELP took_seconds Time.
                # TYPE took_seconds histogram
                took_seconds_bucket{topic="ops",le="0.0005"} 0
                took_seconds_bucket{topic="ops",le="0.5"} 1
                took_seconds_bucket{topic="ops",le="60"} 1
                took_seconds_bucket{topic="ops",le="+Inf"} 2
                took_seconds_sum{topic="ops"} 120.25
                took_seconds_count{topic="ops"} 2
                """);
    }

    @Test
    void numbersAreWrittenWithoutLoss() {
        writer.startFamily("n", PrometheusWriter.MetricType.GAUGE, "N.");
        writer.writeSample(123_456_789_012L);
        writer.writeSample(0.001);
        writer.writeSample(-1);

        assertThat(writer.toString().lines().skip(2)).containsExactly("n 123456789012", "n 0.001", "n -1");
    }
}
