package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StreamAndPollQuotaTest {
    private final StreamAndPollQuota streamAndPollQuota = new StreamAndPollQuota(150);
    private final List<StreamAndPollQuota.Permit> permits = new ArrayList<>();

    private int acquireUpTo(String identity, int max) {
        int count = 0;
        for (Optional<StreamAndPollQuota.Permit> permit = streamAndPollQuota.tryAcquire(identity);
                permit.isPresent() && count < max;
                permit = streamAndPollQuota.tryAcquire(identity)) {
            permits.add(permit.get());
            count++;
        }
        return count;
    }

    @Test
    void oneIdentityCannotUseAllPermits() {
        assertThat(acquireUpTo("agent", 1000)).isEqualTo(100);
        assertThat(acquireUpTo("alice", 1000)).isEqualTo(50);
        assertThat(streamAndPollQuota.inUse()).isEqualTo(150);
    }

    @Test
    void aPermitIsReleasedOnce() {
        acquireUpTo("agent", 1000);
        permits.getFirst().release();
        permits.getFirst().release();
        assertThat(streamAndPollQuota.inUse()).isEqualTo(99);
        assertThat(streamAndPollQuota.tryAcquire("agent")).isPresent();
        assertThat(streamAndPollQuota.tryAcquire("agent")).isEmpty();
    }
}
