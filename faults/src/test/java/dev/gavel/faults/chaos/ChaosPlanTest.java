package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.faults.chaos.ChaosPlan.FaultType;
import dev.gavel.faults.chaos.ChaosPlan.PlannedFault;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosPlanTest {
    @Test
    void theSameSeedMeansTheSamePlan() {
        assertThat(ChaosPlan.of(7, 60_000, 3, true)).isEqualTo(ChaosPlan.of(7, 60_000, 3, true));
        assertThat(ChaosPlan.of(7, 60_000, 3, true).faults())
                .isNotEqualTo(ChaosPlan.of(8, 60_000, 3, true).faults());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aMinuteHasEveryDeedAndTheDatabaseRestartsOnce(long seed) {
        List<PlannedFault> plannedFaults = ChaosPlan.of(seed, 60_000, 3, true).faults();
        assertThat(plannedFaults).extracting(PlannedFault::type).contains(FaultType.values());
        assertThat(plannedFaults).extracting(PlannedFault::type).containsOnlyOnce(FaultType.DATABASE);
        assertThat(plannedFaults).extracting(PlannedFault::atMillis).isSorted().allMatch(at -> at < 60_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsDoneToAGatewayThatHasNotRecovered(long seed) {
        int[] free = new int[3];
        for (PlannedFault plannedFault : ChaosPlan.of(seed, 60_000, 3, true).faults()) {
            if (plannedFault.type().targetsGateway()) {
                assertThat(plannedFault.atMillis()).isGreaterThanOrEqualTo(free[plannedFault.target()]);
                free[plannedFault.target()] = plannedFault.atMillis() + plannedFault.durationMillis();
            }
        }
    }

    @Test
    void oneGatewayAloneHasNoDatabaseAndNoBus() {
        assertThat(ChaosPlan.of(1, 60_000, 1, false).faults())
                .extracting(PlannedFault::type)
                .doesNotContain(FaultType.BUS, FaultType.CUT, FaultType.STALL, FaultType.SESSIONS, FaultType.DATABASE)
                .contains(FaultType.KILL, FaultType.DRAIN, FaultType.PAUSE, FaultType.HOP);
    }
}
