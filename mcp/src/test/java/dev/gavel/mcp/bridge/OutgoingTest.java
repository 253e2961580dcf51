package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.bridge.Outgoing.Letter;
import dev.gavel.mcp.bridge.Venue.Worth;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class OutgoingTest {
    private static Letter letter(Worth worth) {
        return new Letter(new byte[10], worth, why -> {});
    }

    @Test
    @Timeout(60)
    void whileTheGatewayIsAwayNothingWaitsAndTheEndComesAllTheSame() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Outgoing outgoing = new Outgoing("test", letter -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                Thread.currentThread().interrupt();
            }
        });
        int taken = 0;
        while (outgoing.offer(letter(Worth.NOTICE))) {
            taken++;
        }
        assertThat(taken).isBetween(Outgoing.MOST_NOTICES, Outgoing.MOST_NOTICES + 1);
        assertThat(outgoing.offer(letter(Worth.ANSWER))).isTrue();
        outgoing.close();
        assertThat(outgoing.offer(letter(Worth.KEPT))).isFalse();
        assertThat(interrupted).satisfies(CountDownLatch::await);
    }

    @Test
    void whatWaitsIsSentBeforeTheEnd() {
        List<Worth> sent = new CopyOnWriteArrayList<>();
        Outgoing outgoing = new Outgoing("test", letter -> sent.add(letter.worth()));
        assertThat(outgoing.offer(letter(Worth.ANSWER))).isTrue();
        assertThat(outgoing.offer(letter(Worth.KEPT))).isTrue();
        outgoing.close();
        assertThat(sent).containsExactly(Worth.ANSWER, Worth.KEPT);
    }
}
