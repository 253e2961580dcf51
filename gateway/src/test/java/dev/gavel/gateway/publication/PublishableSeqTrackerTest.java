package dev.gavel.gateway.publication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PublishableSeqTrackerTest {
    private final PublishableSeqTracker publishableSeqTracker = new PublishableSeqTracker();

    @Test
    void whatWasSaidCountsAsFarAsThereIsNoGap() {
        publishableSeqTracker.add(1, 3);
        publishableSeqTracker.add(6, 8);
        assertThat(publishableSeqTracker.publishableUpTo(0)).isEqualTo(3);
        publishableSeqTracker.add(4, 5);
        assertThat(publishableSeqTracker.publishableUpTo(0)).isEqualTo(8);
        assertThat(publishableSeqTracker.announcedUpTo(5)).isEqualTo(8);
    }

    @Test
    void nothingIsSaidAtFirst() {
        assertThat(publishableSeqTracker.publishableUpTo(12)).isEqualTo(12);
    }

    @Test
    void aGapThatWasWaitedForIsPassedOverButNotTakenForSaid() {
        publishableSeqTracker.add(6, 8);
        publishableSeqTracker.markTimedOut(5);
        assertThat(publishableSeqTracker.publishableUpTo(0)).isEqualTo(8);
        assertThat(publishableSeqTracker.announcedUpTo(0)).isZero();
    }

    @Test
    void whatHasBeenToldIsForgotten() {
        publishableSeqTracker.add(1, 3);
        publishableSeqTracker.add(5, 9);
        publishableSeqTracker.discardUpTo(6);
        assertThat(publishableSeqTracker.publishableUpTo(6)).isEqualTo(9);
        assertThat(publishableSeqTracker.publishableUpTo(9)).isEqualTo(9);
    }

    @Test
    void whatWasNotSoIsForgottenAltogether() {
        publishableSeqTracker.add(1, 3);
        publishableSeqTracker.markTimedOut(1000);
        publishableSeqTracker.clear();
        assertThat(publishableSeqTracker.publishableUpTo(0)).isZero();
    }
}
