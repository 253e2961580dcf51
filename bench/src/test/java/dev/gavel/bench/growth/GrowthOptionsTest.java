package dev.gavel.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrowthOptionsTest {
    @Test
    void withoutOptionsAllPartsAreMeasuredWithUpToThreeGateways() {
        GrowthOptions options = GrowthOptions.parse();
        assertThat(options.most()).isEqualTo(3);
        assertThat(options.wants("deliveries")).isTrue();
        assertThat(options.wants("presence")).isTrue();
        assertThat(options.wants("commits")).isTrue();
    }

    @Test
    void onePartCanBeMeasuredByItself() {
        GrowthOptions options = GrowthOptions.parse("--only", "commits", "--rounds", "2", "--most", "2");
        assertThat(options.wants("commits")).isTrue();
        assertThat(options.wants("deliveries")).isFalse();
        assertThat(options.rounds()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--part x", "--only all", "--only", "--rounds 0", "--rounds", "--seconds x", "--most 0"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> GrowthOptions.parse(line.split(" "))).isInstanceOf(IllegalArgumentException.class);
    }
}
