package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionQuotaTest {
    private final ConnectionQuota connectionQuota = new ConnectionQuota(150);
    private final List<ConnectionQuota.Permit> permits = new ArrayList<>();

    private int acquireUpTo(String identity, int max) {
        int count = 0;
        for (Optional<ConnectionQuota.Permit> permit = connectionQuota.tryAcquire(identity);
                permit.isPresent() && count < max;
                permit = connectionQuota.tryAcquire(identity)) {
            permits.add(permit.get());
            count++;
        }
        return count;
    }

    @Test
    void oneIdentityCannotUseAllPermits() {
        assertThat(acquireUpTo("agent", 1000)).isEqualTo(100);
        assertThat(acquireUpTo("alice", 1000)).isEqualTo(50);
        assertThat(connectionQuota.inUse()).isEqualTo(150);
    }

    @Test
    void aPermitIsReleasedOnce() {
        acquireUpTo("agent", 1000);
        permits.getFirst().release();
        permits.getFirst().release();
        assertThat(connectionQuota.inUse()).isEqualTo(99);
        assertThat(connectionQuota.tryAcquire("agent")).isPresent();
        assertThat(connectionQuota.tryAcquire("agent")).isEmpty();
    }
}
