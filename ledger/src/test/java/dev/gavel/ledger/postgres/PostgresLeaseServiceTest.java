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
    private final AtomicInteger holding = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
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
    private final class Post implements LeaseService.LeaseListener {
        volatile LeaseService.@Nullable LeaseTerm term;

        @Override
        public void onAcquire(LeaseService.LeaseTerm ours) {
            most.accumulateAndGet(holding.incrementAndGet(), Math::max);
            synchronized (epochs) {
                epochs.add(ours.epoch());
            }
            term = ours;
        }

        @Override
        public void onRelease() {
            term = null;
            holding.decrementAndGet();
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
        Post first = new Post();
        Post second = new Post();
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
        assertThat(most).hasValue(1);
        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void closedTwiceTheyAreGivenUpOnce() {
        Post first = new Post();
        Post second = new Post();
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
        Post one = new Post();
        Post other = new Post();
        both.request("bridge 'é'\\", one);
        both.request("sweep", other);
        await().until(() -> one.holds() && other.holds());
        assertThatIllegalStateException().isThrownBy(() -> both.request("sweep", new Post()));
    }

    @Test
    void aLostConnectionIsMadeAnewAndTheLeaseKept() {
        Post post = new Post();
        leases(url, LONG).request("sweep", post);
        await().until(post::holds);
        long epoch = epochs.getFirst();
        for (int i = 0; i < 3; i++) {
            long killed = SERVER.killConnections(url);
            assertThat(killed).isPositive();
            await().until(() -> SERVER.execute(
                            url,
                            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%wanted%' AND datname = current_database() AND pid <> pg_backend_pid()")
                    > 0);
        }
        assertThat(post.holds()).isTrue();
        assertThat(epochs).containsExactly(epoch);
    }

    @Test
    void whoCannotRenewItEndsBeforeAnotherBegins() throws Exception {
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port())) {
            Post cut = new Post();
            Post next = new Post();
            leases(proxy.address(url)).request("sweep", cut);
            await().until(cut::holds);
            leases(url).request("sweep", next);
            proxy.stall();
            await().until(next::holds);
            assertThat(cut.term).isNull();
            assertThat(most).hasValue(1);
            proxy.resume();
            assertThat(epochs).hasSize(2).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void manyThatStandAndGiveUpNeverHoldItTogether() {
        List<Post> posts = new ArrayList<>();
        List<LeaseService.LeaseRequest> standing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Post post = new Post();
            posts.add(post);
            standing.add(leases(url).request("sweep", post));
        }
        for (int turn = 0; turn < 3; turn++) {
            await().until(() -> posts.stream().anyMatch(Post::holds));
            int holder = (int) posts.stream().takeWhile(post -> !post.holds()).count();
            if (holder < posts.size()) {
                SERVER.killConnections(url);
                standing.remove(holder).close();
                posts.remove(holder);
            }
        }
        assertThat(most).hasValue(1);
        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }
}
