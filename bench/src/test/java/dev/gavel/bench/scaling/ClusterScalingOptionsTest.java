package dev.gavel.bench.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterScalingOptionsTest {
    @Test
    void withoutOptionsAllPartsAreMeasuredWithUpToThreeGateways() {
        ClusterScalingOptions options = ClusterScalingOptions.parse();
        assertThat(options.maxGateways()).isEqualTo(3);
        assertThat(options.includes("deliveries")).isTrue();
        assertThat(options.includes("presence")).isTrue();
        assertThat(options.includes("commits")).isTrue();
    }

    @Test
    void onePartCanBeMeasuredByItself() {
        ClusterScalingOptions options =
                ClusterScalingOptions.parse("--only", "commits", "--rounds", "2", "--most", "2");
        assertThat(options.includes("commits")).isTrue();
        assertThat(options.includes("deliveries")).isFalse();
        assertThat(options.rounds()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--part x", "--only all", "--only", "--rounds 0", "--rounds", "--seconds x", "--most 0"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> ClusterScalingOptions.parse(line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
