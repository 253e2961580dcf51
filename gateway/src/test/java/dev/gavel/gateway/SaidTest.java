package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SaidTest {
    private final Said said = new Said();

    @Test
    void whatWasSaidCountsAsFarAsThereIsNoGap() {
        said.wrote(1, 3);
        said.wrote(6, 8);
        assertThat(said.upTo(0)).isEqualTo(3);
        said.wrote(4, 5);
        assertThat(said.upTo(0)).isEqualTo(8);
        assertThat(said.saidUpTo(5)).isEqualTo(8);
    }

    @Test
    void nothingIsSaidAtFirst() {
        assertThat(said.upTo(12)).isEqualTo(12);
    }

    @Test
    void aGapThatWasWaitedForIsPassedOverButNotTakenForSaid() {
        said.wrote(6, 8);
        said.notSaid(5);
        assertThat(said.upTo(0)).isEqualTo(8);
        assertThat(said.saidUpTo(0)).isZero();
    }

    @Test
    void whatHasBeenToldIsForgotten() {
        said.wrote(1, 3);
        said.wrote(5, 9);
        said.toldUpTo(6);
        assertThat(said.upTo(6)).isEqualTo(9);
        assertThat(said.upTo(9)).isEqualTo(9);
    }

    @Test
    void whatWasNotSoIsForgottenAltogether() {
        said.wrote(1, 3);
        said.notSaid(1000);
        said.forget();
        assertThat(said.upTo(0)).isZero();
    }
}
