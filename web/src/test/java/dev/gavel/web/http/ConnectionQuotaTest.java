package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConnectionQuotaTest {
    private final ConnectionQuota connectionQuota = new ConnectionQuota(150);
    private final List<ConnectionQuota.Permit> taken = new ArrayList<>();

    private int take(String identity, int most) {
        int count = 0;
        for (Optional<ConnectionQuota.Permit> permit = connectionQuota.tryAcquire(identity);
                permit.isPresent() && count < most;
                permit = connectionQuota.tryAcquire(identity)) {
            taken.add(permit.get());
            count++;
        }
        return count;
    }

    @Test
    void nobodyTakesAllPlaces() {
        assertThat(take("agent", 1000)).isEqualTo(100);
        assertThat(take("alice", 1000)).isEqualTo(50);
        assertThat(connectionQuota.inUse()).isEqualTo(150);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        take("agent", 1000);
        taken.getFirst().release();
        taken.getFirst().release();
        assertThat(connectionQuota.inUse()).isEqualTo(99);
        assertThat(connectionQuota.tryAcquire("agent")).isPresent();
        assertThat(connectionQuota.tryAcquire("agent")).isEmpty();
    }
}
