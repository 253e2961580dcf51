package dev.gavel.bench.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundComparisonTest {
    /** A round of one second. */
    private static BenchmarkRoundResult round(long deliveries, long serverNanos) {
        return new BenchmarkRoundResult(deliveries, 1_000_000_000, serverNanos, 500_000_000);
    }

    @Test
    void aRoundSaysRatesAndShares() {
        BenchmarkRoundResult round = new BenchmarkRoundResult(4_000_000, 2_000_000_000, 1_000_000_000, 500_000_000);
        assertThat(round.deliveriesPerSecond()).isEqualTo(2_000_000);
        assertThat(round.cpuMicrosPerDelivery()).isEqualTo(0.25);
        assertThat(round.serverCores()).isEqualTo(0.5);
        assertThat(round.loadCores()).isEqualTo(0.25);
    }

    @Test
    void theMedianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
        assertThat(RoundComparison.median(List.of(9.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(RoundComparison.median(List.of(9.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
        assertThat(RoundComparison.median(List.of(4.0))).isEqualTo(4);
    }

    @Test
    void everyTwoNeighbouringRoundsGiveARatio() {
        RoundComparison comparison =
                new RoundComparison(List.of(round(100, 1), round(200, 1)), List.of(round(50, 1), round(400, 1)));
        assertThat(comparison.ratios(BenchmarkRoundResult::deliveriesPerSecond)).containsExactly(0.5, 0.25, 2.0);
        assertThat(comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond))
                .isEqualTo(0.5);
    }

    @Test
    void aMachineThatSlowsDownDoesNotMoveTheRatio() {
        // Each round runs at 0.9 of the speed of the previous one; the subject's real speed is half.
        RoundComparison comparison = new RoundComparison(
                List.of(round(1_000_000, 1), round(810_000, 1), round(656_100, 1)),
                List.of(round(450_000, 1), round(364_500, 1), round(295_245, 1)));
        assertThat(comparison.ratios(BenchmarkRoundResult::deliveriesPerSecond)).hasSize(5);
        assertThat(comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond))
                .isCloseTo(0.5, within(0.06));
    }

    @Test
    void oneDisturbedRoundDoesNotMoveTheRatio() {
        RoundComparison comparison = new RoundComparison(
                List.of(round(100, 10), round(100, 10), round(100, 10), round(100, 10)),
                List.of(round(80, 8), round(80, 8), round(3, 90), round(80, 8)));
        assertThat(comparison.medianRatio(BenchmarkRoundResult::deliveriesPerSecond))
                .isEqualTo(0.8);
        assertThat(comparison.medianRatio(BenchmarkRoundResult::cpuMicrosPerDelivery))
                .isCloseTo(1, within(1e-9));
        assertThat(comparison.referenceMedian(BenchmarkRoundResult::deliveriesPerSecond))
                .isEqualTo(100);
        assertThat(comparison.subjectMedian(BenchmarkRoundResult::deliveriesPerSecond))
                .isEqualTo(80);
    }

    @Test
    void aComparisonNeedsAsManyRoundsOfEach() {
        assertThatThrownBy(() -> new RoundComparison(List.of(round(1, 1)), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
