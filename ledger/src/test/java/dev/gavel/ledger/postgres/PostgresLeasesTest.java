package dev.gavel.ledger.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.lease.Leases;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Of all that stand for the same thing one holds it at a time, whatever happens to their connections. */
class PostgresLeasesTest {
    private static final PostgresServer SERVER = PostgresServer.shared();

    /** Short, with margins that a busy machine keeps. */
    private static final LeaseTimes QUICK = new LeaseTimes(
            Duration.ofSeconds(3), Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(700));

    private static final LeaseTimes LONG = new LeaseTimes(
            Duration.ofSeconds(30), Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofMillis(700));

    private final String url = SERVER.freshDatabase();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger holding = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final List<Long> epochs = new ArrayList<>();

    PostgresLeasesTest() {
        PostgresLedgers.shared(url).close();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    /** Counts how many hold it at once. */
    private final class Post implements Leases.Holder {
        volatile Leases.@Nullable Term term;

        @Override
        public void begin(Leases.Term ours) {
            most.accumulateAndGet(holding.incrementAndGet(), Math::max);
            synchronized (epochs) {
                epochs.add(ours.epoch());
            }
            term = ours;
        }

        @Override
        public void end() {
            term = null;
            holding.decrementAndGet();
        }

        boolean holds() {
            Leases.Term now = term;
            return now != null && now.holds();
        }
    }

    private PostgresLeases leases(String address) {
        return leases(address, QUICK);
    }

    private PostgresLeases leases(String address, LeaseTimes times) {
        PostgresLeases leases = new PostgresLeases(new Connecting(PostgresLedgers.options(address, Use.SHARED)), times);
        open.add(leases);
        return leases;
    }

    @Test
    void oneHoldsItAndTheOthersKnowWhoUntilItIsGivenUp() {
        Post first = new Post();
        Post second = new Post();
        Leases.Candidacy one = leases(url).stand("sweep", first);
        await().until(first::holds);
        Leases.Candidacy other = leases(url).stand("sweep", second);
        await().until(() -> !other.holder().isEmpty());
        assertThat(second.holds()).isFalse();
        assertThat(one.holder()).isEmpty();
        one.close();
        assertThat(first.term).isNull();
        await().until(second::holds);
        assertThat(other.holder()).isEmpty();
        assertThat(most).hasValue(1);
        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void closedTwiceTheyAreGivenUpOnce() {
        Post first = new Post();
        Post second = new Post();
        PostgresLeases leases = leases(url, LONG);
        leases.stand("sweep", first);
        await().until(first::holds);
        leases.close();
        leases.close();
        assertThat(first.term).isNull();
        leases(url).stand("sweep", second);
        await().until(second::holds);
    }

    @Test
    void whatHasAnotherNameIsAnotherLease() {
        PostgresLeases both = leases(url);
        Post one = new Post();
        Post other = new Post();
        both.stand("bridge 'é'\\", one);
        both.stand("sweep", other);
        await().until(() -> one.holds() && other.holds());
        assertThatIllegalStateException().isThrownBy(() -> both.stand("sweep", new Post()));
    }

    @Test
    void aLostConnectionIsMadeAnewAndTheLeaseKept() {
        Post post = new Post();
        leases(url, LONG).stand("sweep", post);
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
        try (CutProxy proxy = new CutProxy(SERVER.port())) {
            Post cut = new Post();
            Post next = new Post();
            leases(proxy.address(url)).stand("sweep", cut);
            await().until(cut::holds);
            leases(url).stand("sweep", next);
            proxy.hold();
            await().until(next::holds);
            assertThat(cut.term).isNull();
            assertThat(most).hasValue(1);
            proxy.letThrough();
            assertThat(epochs).hasSize(2).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void manyThatStandAndGiveUpNeverHoldItTogether() {
        List<Post> posts = new ArrayList<>();
        List<Leases.Candidacy> standing = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Post post = new Post();
            posts.add(post);
            standing.add(leases(url).stand("sweep", post));
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
