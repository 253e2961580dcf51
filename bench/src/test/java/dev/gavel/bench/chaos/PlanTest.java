package dev.gavel.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.chaos.Plan.Act;
import dev.gavel.bench.chaos.Plan.Deed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
    @Test
    void theSameSeedMeansTheSamePlan() {
        assertThat(Plan.of(7, 60_000, 3, true)).isEqualTo(Plan.of(7, 60_000, 3, true));
        assertThat(Plan.of(7, 60_000, 3, true).acts())
                .isNotEqualTo(Plan.of(8, 60_000, 3, true).acts());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aMinuteHasEveryDeedAndTheDatabaseRestartsOnce(long seed) {
        List<Act> acts = Plan.of(seed, 60_000, 3, true).acts();
        assertThat(acts).extracting(Act::deed).contains(Deed.values());
        assertThat(acts).extracting(Act::deed).containsOnlyOnce(Deed.DATABASE);
        assertThat(acts).extracting(Act::at).isSorted().allMatch(at -> at < 60_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsDoneToAGatewayThatHasNotRecovered(long seed) {
        int[] free = new int[3];
        for (Act act : Plan.of(seed, 60_000, 3, true).acts()) {
            if (act.deed().isToGateway()) {
                assertThat(act.at()).isGreaterThanOrEqualTo(free[act.target()]);
                free[act.target()] = act.at() + act.length();
            }
        }
    }

    @Test
    void oneGatewayAloneHasNoDatabaseAndNoBus() {
        assertThat(Plan.of(1, 60_000, 1, false).acts())
                .extracting(Act::deed)
                .doesNotContain(Deed.BUS, Deed.CUT, Deed.STALL, Deed.SESSIONS, Deed.DATABASE)
                .contains(Deed.KILL, Deed.DRAIN, Deed.PAUSE, Deed.HOP);
    }

    @Test
    void withoutOptionsTenSeedsRunForAMinuteEach() {
        ChaosOptions options = ChaosOptions.parse();
        assertThat(options.seeds()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(options.time().toSeconds()).isEqualTo(60);
        assertThat(options.gateways()).isEqualTo(3);
        assertThat(ChaosOptions.parse("--seed", "42", "--seconds", "20").seeds())
                .containsExactly(42L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--sead 1", "--seed", "--seed x", "--seeds 0", "--seeds 5000", "--seconds 1", "--gateways 0"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> ChaosOptions.parse(line.split(" "))).isInstanceOf(IllegalArgumentException.class);
    }
}
