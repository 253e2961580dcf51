package dev.gavel.gateway.bus.nats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NatsSendLimiterTest {
    private static final int MESSAGE = 400;

    private final NatsSendLimiter backlog = new NatsSendLimiter(1_000_000);

    private int takeAll() {
        int taken = 0;
        while (backlog.tryReserve(MESSAGE)) {
            taken++;
        }
        return taken;
    }

    @Test
    void thereIsRoomForSoMuchAndAgainWhenItIsWritten() {
        int all = takeAll();
        assertThat(all).isBetween(2_000, 2_500);
        for (int i = 0; i < all; i++) {
            backlog.incrementOut(MESSAGE + 20);
        }
        assertThat(takeAll()).isGreaterThan(all - 100);
    }

    @Test
    void aWriterThatIsSlowerThanTheSendersIsNoticed() {
        boolean full = false;
        for (int i = 0; i < 1_000_000 && !full; i++) {
            full = !backlog.tryReserve(MESSAGE);
            if (i % 50 != 0) {
                backlog.incrementOut(MESSAGE + 20);
            }
        }
        assertThat(full).isTrue();
    }

    @Test
    void whatTheServerIsKnownToHaveTakesNoRoom() {
        takeAll();
        backlog.onWritten(backlog.reservedTotal());
        assertThat(takeAll()).isGreaterThan(2_000);
    }

    @Test
    void whatIsNotWrittenAfterAllTakesNoRoom() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(backlog.tryReserve(MESSAGE)).isTrue();
            backlog.release(MESSAGE);
        }
    }
}
