package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WarrantTest {
    private final Warrant warrant = new Warrant();
    private final AtomicInteger ends = new AtomicInteger();
    private final Runnable open = ends::incrementAndGet;

    @Test
    void whatIsOpenEndsWithIt() {
        warrant.hold(open);
        assertThat(warrant.holds()).isTrue();
        warrant.end();
        warrant.end();
        assertThat(warrant.holds()).isFalse();
        assertThat(ends).hasValue(1);
    }

    @Test
    void whatIsOverByItselfIsLeftAlone() {
        warrant.hold(open);
        warrant.release(open);
        warrant.end();
        assertThat(ends).hasValue(0);
    }

    @Test
    void whatComesTooLateEndsAtOnce() {
        warrant.end();
        warrant.hold(open);
        assertThat(ends).hasValue(1);
    }

    @Test
    void whatBeginsWhileItEndsEndsOnce() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 2_000; i++) {
                Warrant fleeting = new Warrant();
                AtomicInteger ended = new AtomicInteger();
                CountDownLatch both = new CountDownLatch(2);
                Future<?> ending = other.submit(() -> {
                    both.countDown();
                    while (both.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    fleeting.end();
                });
                both.countDown();
                while (both.getCount() > 0) {
                    Thread.onSpinWait();
                }
                fleeting.hold(ended::incrementAndGet);
                ending.get();
                assertThat(ended).hasValue(1);
            }
        }
    }
}
