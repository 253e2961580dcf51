package dev.gavel.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests that one process at a time holds a lease, whatever happens to the connections. */
class PostgresLeaseServiceTest {
    private static final TestPostgresServer SERVER = TestPostgresServer.shared();

    /** Short, with margins that are long enough for a busy machine. */
    private static final LeaseTimings QUICK = new LeaseTimings(
            Duration.ofSeconds(3), Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(700));

    private static final LeaseTimings LONG = new LeaseTimings(
            Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(700));

    private final String url = SERVER.freshDatabase();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger holderCount = new AtomicInteger();
    private final AtomicInteger maxHolderCount = new AtomicInteger();
    private final List<Long> epochs = new ArrayList<>();

    PostgresLeaseServiceTest() {
        TestPostgresLedgers.shared(url).close();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** Counts how many listeners hold the lease at the same time. */
    private final class CountingListener implements LeaseService.LeaseListener {
        volatile LeaseService.@Nullable LeaseTerm term;

        @Override
        public void onAcquire(LeaseService.LeaseTerm acquiredTerm) {
            maxHolderCount.accumulateAndGet(holderCount.incrementAndGet(), Math::max);
            synchronized (epochs) {
                epochs.add(acquiredTerm.epoch());
            }
            term = acquiredTerm;
        }

        @Override
        public void onRelease() {
            term = null;
            holderCount.decrementAndGet();
        }

        boolean holds() {
            LeaseService.LeaseTerm now = term;
            return now != null && now.isHeld();
        }
    }

    private PostgresLeaseService leases(String address) {
        return leases(address, QUICK);
    }

    private PostgresLeaseService leases(String address, LeaseTimings times) {
        PostgresLeaseService leases = new PostgresLeaseService(
                new PostgresConnector(TestPostgresLedgers.options(address, Use.SHARED)), times);
        open.add(leases);
        return leases;
    }

    @Test
    void oneHoldsItAndTheOthersKnowWhoUntilItIsGivenUp() {
        CountingListener first = new CountingListener();
        CountingListener second = new CountingListener();
        LeaseService.LeaseRequest one = leases(url).request("sweep", first);
        await().until(first::holds);
        LeaseService.LeaseRequest other = leases(url).request("sweep", second);
        await().until(() -> !other.otherHolder().isEmpty());
        assertThat(second.holds()).isFalse();
        assertThat(one.otherHolder()).isEmpty();
        one.close();
        assertThat(first.term).isNull();
        await().until(second::holds);
        assertThat(other.otherHolder()).isEmpty();
        assertThat(maxHolderCount).hasValue(1);
        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void closedTwiceTheyAreGivenUpOnce() {
        CountingListener first = new CountingListener();
        CountingListener second = new CountingListener();
        PostgresLeaseService leases = leases(url, LONG);
        leases.request("sweep", first);
        await().until(first::holds);
        leases.close();
        leases.close();
        assertThat(first.term).isNull();
        leases(url).request("sweep", second);
        await().until(second::holds);
    }

    @Test
    void whatHasAnotherNameIsAnotherLease() {
        PostgresLeaseService both = leases(url);
        CountingListener one = new CountingListener();
        CountingListener other = new CountingListener();
        both.request("bridge 'é'\\", one);
        both.request("sweep", other);
        await().until(() -> one.holds() && other.holds());
        assertThatIllegalStateException().isThrownBy(() -> both.request("sweep", new CountingListener()));
    }

    @Test
    void aLostConnectionIsMadeAnewAndTheLeaseKept() {
        CountingListener listener = new CountingListener();
        leases(url, LONG).request("sweep", listener);
        await().until(listener::holds);
        long epoch = epochs.getFirst();
        for (int i = 0; i < 3; i++) {
            long killed = SERVER.killConnections(url);
            assertThat(killed).isPositive();
            await().until(() -> SERVER.execute(
                            url,
                            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%wanted%' AND datname = current_database() AND pid <> pg_backend_pid()")
                    > 0);
        }
        assertThat(listener.holds()).isTrue();
        assertThat(epochs).containsExactly(epoch);
    }

    @Test
    void whoCannotRenewItEndsBeforeAnotherBegins() throws Exception {
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port())) {
            CountingListener cut = new CountingListener();
            CountingListener next = new CountingListener();
            leases(proxy.address(url)).request("sweep", cut);
            await().until(cut::holds);
            leases(url).request("sweep", next);
            proxy.stall();
            await().until(next::holds);
            assertThat(cut.term).isNull();
            assertThat(maxHolderCount).hasValue(1);
            proxy.resume();
            assertThat(epochs).hasSize(2).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void manyThatStandAndGiveUpNeverHoldItTogether() {
        List<CountingListener> listeners = new ArrayList<>();
        List<LeaseService.LeaseRequest> requests = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            CountingListener listener = new CountingListener();
            listeners.add(listener);
            requests.add(leases(url).request("sweep", listener));
        }
        for (int turn = 0; turn < 3; turn++) {
            await().until(() -> listeners.stream().anyMatch(CountingListener::holds));
            int holder = (int)
                    listeners.stream().takeWhile(listener -> !listener.holds()).count();
            if (holder < listeners.size()) {
                SERVER.killConnections(url);
                requests.remove(holder).close();
                listeners.remove(holder);
            }
        }
        assertThat(maxHolderCount).hasValue(1);
        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }
}
