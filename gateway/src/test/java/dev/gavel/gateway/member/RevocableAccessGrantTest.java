package dev.gavel.gateway.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RevocableAccessGrantTest {
    private final RevocableAccessGrant revocableAccessGrant = new RevocableAccessGrant();
    private final AtomicInteger ends = new AtomicInteger();
    private final Runnable open = ends::incrementAndGet;

    @Test
    void whatIsOpenEndsWithIt() {
        revocableAccessGrant.onRevoke(open);
        assertThat(revocableAccessGrant.isValid()).isTrue();
        revocableAccessGrant.revoke();
        revocableAccessGrant.revoke();
        assertThat(revocableAccessGrant.isValid()).isFalse();
        assertThat(ends).hasValue(1);
    }

    @Test
    void whatIsOverByItselfIsLeftAlone() {
        revocableAccessGrant.onRevoke(open);
        revocableAccessGrant.removeCallback(open);
        revocableAccessGrant.revoke();
        assertThat(ends).hasValue(0);
    }

    @Test
    void whatComesTooLateEndsAtOnce() {
        revocableAccessGrant.revoke();
        revocableAccessGrant.onRevoke(open);
        assertThat(ends).hasValue(1);
    }

    @Test
    void whatBeginsWhileItEndsEndsOnce() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 2_000; i++) {
                RevocableAccessGrant fleeting = new RevocableAccessGrant();
                AtomicInteger ended = new AtomicInteger();
                CountDownLatch both = new CountDownLatch(2);
                Future<?> ending = other.submit(() -> {
                    both.countDown();
                    while (both.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                    fleeting.revoke();
                });
                both.countDown();
                while (both.getCount() > 0) {
                    Thread.onSpinWait();
                }
                fleeting.onRevoke(ended::incrementAndGet);
                ending.get();
                assertThat(ended).hasValue(1);
            }
        }
    }
}
