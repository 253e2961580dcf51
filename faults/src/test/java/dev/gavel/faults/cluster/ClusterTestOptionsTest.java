package dev.gavel.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterTestOptionsTest {
    @Test
    void withoutOptionsTenSeedsRunForAMinuteEach() {
        ClusterTestOptions options = ClusterTestOptions.parse();
        assertThat(options.seeds()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(options.time().toSeconds()).isEqualTo(60);
        assertThat(options.gateways()).isEqualTo(3);
        assertThat(ClusterTestOptions.parse("--seed", "42", "--seconds", "20").seeds())
                .containsExactly(42L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--sead 1", "--seed", "--seed x", "--seeds 0", "--seeds 5000", "--seconds 1", "--gateways 0"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> ClusterTestOptions.parse(line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
