package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The database goes away, or changes its mind, in the middle of things. */
class PostgresOutageTest {
    private static final PostgresServer SERVER = PostgresServer.shared();

    private final String url = SERVER.freshDatabase();

    @Test
    void readersDoNotNoticeThatTheirConnectionsWereKilled() {
        try (PostgresLedger ledger = PostgresLedgers.shared(url)) {
            Event event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
            for (int i = 0; i < 3; i++) {
                assertThat(SERVER.killConnections(url)).isPositive();
                assertThat(ledger.extent("ops")).isEqualTo(new Extent(1, 1));
                assertThat(ledger.history("ops", "p1")).containsExactly(event);
            }
        }
    }

    @Test
    void whatCouldNotBeReadWhileDecidingIsDecidedAnew() {
        try (PostgresLedger ledger = PostgresLedgers.shared(url)) {
            AtomicInteger asked = new AtomicInteger();
            Event event = event("ops", 1, "p1");
            Commit commit = ledger.write(Set.of("ops"), reader -> {
                if (asked.incrementAndGet() == 1) {
                    SERVER.killConnections(url);
                }
                try {
                    assertThat(reader.history("ops", "p1")).isEmpty();
                } catch (LedgerFailure e) {
                    // As a writer does that has other things to decide as well.
                    return Batch.EMPTY;
                }
                return new Batch(List.of(event), List.of(opened(event)));
            });
            assertThat(commit).isEqualTo(new Commit.Done());
            assertThat(asked).hasValue(2);
            assertThat(ledger.history("ops", "p1")).containsExactly(event);
        }
    }

    @Test
    void aDatabaseThatIsReadOnlyForAWhileIsWrittenToAgainWhenItIsNot() {
        try (PostgresLedger ledger =
                PostgresLedgers.open(PostgresLedgers.options(url, Use.SHARED).patience(Duration.ofMillis(100)))) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            String database = url.replaceFirst(".*/(test\\d+)\\?.*", "$1");
            String elsewhere = url.replace("/" + database, "/postgres");
            SERVER.execute(elsewhere, "ALTER DATABASE " + database + " SET default_transaction_read_only = on");
            SERVER.killConnections(url);
            Event second = event("ops", 2, "p1");
            Batch batch = new Batch(List.of(second), List.of(opened(second)));
            assertThat(ledger.write(Set.of("ops"), reader -> batch))
                    .isInstanceOfSatisfying(
                            Commit.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("read-only"));
            assertThat(ledger.probe()).isInstanceOf(Commit.Unavailable.class);
            assertThat(ledger.extent("ops")).isEqualTo(new Extent(1, 1));
            SERVER.execute(elsewhere, "ALTER DATABASE " + database + " RESET default_transaction_read_only");
            await().until(() -> ledger.probe() instanceof Commit.Done);
            assertThat(ledger.write(Set.of("ops"), reader -> batch)).isEqualTo(new Commit.Done());
        }
    }

    @Test
    void aStreamThatSomebodyHoldsMakesItUnavailableAndOthersAreWrittenTo() throws Exception {
        try (PostgresLedger ledger =
                        PostgresLedgers.open(PostgresLedgers.options(url + "&options=-c%20lock_timeout=50", Use.SHARED)
                                .patience(Duration.ofMillis(100)));
                PostgresSession other =
                        new PostgresSession(new Connecting(PostgresLedgers.options(url, Use.SHARED)).quick())) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            other.begin();
            Streams.lock(other, Set.of("ops"));
            Event second = event("ops", 2, "p1");
            assertThat(ledger.write(Set.of("ops"), reader -> new Batch(List.of(second), List.of(opened(second)))))
                    .isEqualTo(new Commit.Unavailable("another process holds the ledger"));
            Event elsewhere = event("seps", 1, "p1");
            append(ledger, elsewhere, opened(elsewhere));
            other.rollback();
            append(ledger, second, opened(second));
        }
    }

    /** Nothing is refused and nothing comes: only time tells. */
    @Test
    void aNetworkThatHoldsEverythingMakesReadingFailAndWritingUnavailableUntilItLetsThrough() throws Exception {
        try (CutProxy proxy = new CutProxy(SERVER.port());
                PostgresLedger ledger = PostgresLedgers.open(
                        PostgresLedgers.options(proxy.address(url) + "&socketTimeout=1", Use.SHARED)
                                .patience(Duration.ofMillis(100)))) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            proxy.hold();
            assertThatExceptionOfType(LedgerFailure.class).isThrownBy(() -> ledger.history("ops", "p1"));
            Event second = event("ops", 2, "p1");
            assertThat(ledger.write(Set.of("ops"), reader -> new Batch(List.of(second), List.of(opened(second)))))
                    .isEqualTo(new Commit.Unavailable("the ledger's database cannot be reached"));
            proxy.letThrough();
            await().until(() -> ledger.probe() instanceof Commit.Done);
            assertThat(ledger.history("ops", "p1")).containsExactly(first);
            append(ledger, second, opened(second));
        }
    }

    @Test
    void aSecretIsTheSameForAllButNotWithoutThePassword() {
        PostgresOptions withPassword =
                PostgresOptions.of(url, Optional.empty(), Optional.of("a password nobody asks for"), Use.SHARED);
        try (PostgresLedger one = PostgresLedgers.shared(url);
                PostgresLedger same = PostgresLedgers.shared(url);
                PostgresLedger other = PostgresLedgers.open(withPassword)) {
            byte[] secret = one.secret("sessions");
            assertThat(secret).hasSize(32).isEqualTo(one.secret("sessions")).isEqualTo(same.secret("sessions"));
            assertThat(one.secret("another")).isNotEqualTo(secret);
            assertThat(other.secret("sessions")).isNotEqualTo(secret);
            assertThat(SERVER.execute(url, "SELECT count(*) FROM setting")).isEqualTo(2);
        }
    }
}
