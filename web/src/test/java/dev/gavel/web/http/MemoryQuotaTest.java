package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryQuotaTest {
    /** 800 bytes in total, and 200 bytes for one identity. */
    private final MemoryQuota quota = MemoryQuota.forResponses(6_400);

    private int status(String identity, int bytes) {
        return quota.reserve(identity).add(bytes).map(HttpProblem::status).orElse(200);
    }

    @Test
    void anIdentityHasAShare() {
        assertThat(status("bob", 150)).isEqualTo(200);
        assertThat(status("bob", 150)).isEqualTo(429);
        assertThat(status("alice", 150)).isEqualTo(200);
        assertThat(quota.refusedCount()).isEqualTo(1);
    }

    @Test
    void theOnlyResponseOfAnIdentityMayBeLarger() {
        assertThat(status("bob", 500)).isEqualTo(200);
        assertThat(status("bob", 1)).isEqualTo(429);
    }

    @Test
    void theOnlyResponseMayBeLargerThanTheTotal() {
        assertThat(status("bob", 5_000)).isEqualTo(200);
        assertThat(status("alice", 1)).isEqualTo(503);
    }

    @Test
    void allIdentitiesTogetherHaveALimit() {
        for (String identity : new String[] {"a", "b", "c", "d"}) {
            assertThat(status(identity, 200)).isEqualTo(200);
        }
        assertThat(status("e", 1)).isEqualTo(503);
    }

    @Test
    void releasedBytesDoNotCount() {
        MemoryQuota.Reservation reservation = quota.reserve("bob");
        reservation.add(150);
        reservation.subtract(100);
        assertThat(quota.usedBytes()).isEqualTo(50);
        assertThat(status("bob", 150)).isEqualTo(200);
        reservation.release();
        reservation.release();
        reservation.add(7);
        assertThat(quota.usedBytes()).isEqualTo(150);
    }
}
