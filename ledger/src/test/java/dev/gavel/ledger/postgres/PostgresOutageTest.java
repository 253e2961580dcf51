package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.postgres.PostgresOptions.Use;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests reads and writes while the database becomes unavailable, read-only or unreachable. */
class PostgresOutageTest {
    private static final TestPostgresServer SERVER = TestPostgresServer.shared();

    private final String url = SERVER.freshDatabase();

    @Test
    void readersDoNotNoticeThatTheirConnectionsWereKilled() {
        try (PostgresLedger ledger = TestPostgresLedgers.shared(url)) {
            LedgerEvent event = event("ops", 1, "p1");
            append(ledger, event, opened(event));
            for (int i = 0; i < 3; i++) {
                assertThat(SERVER.killConnections(url)).isPositive();
                assertThat(ledger.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
                assertThat(ledger.history("ops", "p1")).containsExactly(event);
            }
        }
    }

    @Test
    void whatCouldNotBeReadWhileDecidingIsDecidedAnew() {
        try (PostgresLedger ledger = TestPostgresLedgers.shared(url)) {
            AtomicInteger asked = new AtomicInteger();
            LedgerEvent event = event("ops", 1, "p1");
            CommitResult commitResult = ledger.write(Set.of("ops"), reader -> {
                if (asked.incrementAndGet() == 1) {
                    SERVER.killConnections(url);
                }
                try {
                    assertThat(reader.history("ops", "p1")).isEmpty();
                } catch (LedgerException e) {
                    // Like a ledger writer that has other tasks to decide as well.
                    return LedgerBatch.EMPTY;
                }
                return new LedgerBatch(List.of(event), List.of(opened(event)));
            });
            assertThat(commitResult).isEqualTo(new CommitResult.Committed());
            assertThat(asked).hasValue(2);
            assertThat(ledger.history("ops", "p1")).containsExactly(event);
        }
    }

    @Test
    void aDatabaseThatIsReadOnlyForAWhileIsWrittenToAgainWhenItIsNot() {
        try (PostgresLedger ledger = TestPostgresLedgers.open(
                TestPostgresLedgers.options(url, Use.SHARED).retryTimeout(Duration.ofMillis(100)))) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            String database = url.replaceFirst(".*/(test\\d+)\\?.*", "$1");
            String elsewhere = url.replace("/" + database, "/postgres");
            SERVER.execute(elsewhere, "ALTER DATABASE " + database + " SET default_transaction_read_only = on");
            SERVER.killConnections(url);
            LedgerEvent second = event("ops", 2, "p1");
            LedgerBatch batch = new LedgerBatch(List.of(second), List.of(opened(second)));
            assertThat(ledger.write(Set.of("ops"), reader -> batch))
                    .isInstanceOfSatisfying(
                            CommitResult.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("read-only"));
            assertThat(ledger.probe()).isInstanceOf(CommitResult.Unavailable.class);
            assertThat(ledger.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
            SERVER.execute(elsewhere, "ALTER DATABASE " + database + " RESET default_transaction_read_only");
            await().until(() -> ledger.probe() instanceof CommitResult.Committed);
            assertThat(ledger.write(Set.of("ops"), reader -> batch)).isEqualTo(new CommitResult.Committed());
        }
    }

    @Test
    void aStreamThatSomebodyHoldsMakesItUnavailableAndOthersAreWrittenTo() throws Exception {
        try (PostgresLedger ledger = TestPostgresLedgers.open(
                        TestPostgresLedgers.options(url + "&options=-c%20lock_timeout=50", Use.SHARED)
                                .retryTimeout(Duration.ofMillis(100)));
                PostgresSession other = new PostgresSession(
                        new PostgresConnector(TestPostgresLedgers.options(url, Use.SHARED)).connectForQueries())) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            other.begin();
            LockedStreamRows.lock(other, Set.of("ops"));
            LedgerEvent second = event("ops", 2, "p1");
            assertThat(ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(second), List.of(opened(second)))))
                    .isEqualTo(new CommitResult.Unavailable("another process has locked the ledger"));
            LedgerEvent elsewhere = event("seps", 1, "p1");
            append(ledger, elsewhere, opened(elsewhere));
            other.rollback();
            append(ledger, second, opened(second));
        }
    }

    /** There is neither an error nor a response: only the timeouts end the wait. */
    @Test
    void aNetworkThatHoldsEverythingMakesReadingFailAndWritingUnavailableUntilItLetsThrough() throws Exception {
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port());
                PostgresLedger ledger = TestPostgresLedgers.open(
                        TestPostgresLedgers.options(proxy.address(url) + "&socketTimeout=1", Use.SHARED)
                                .retryTimeout(Duration.ofMillis(100)))) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            proxy.stall();
            assertThatExceptionOfType(LedgerException.class).isThrownBy(() -> ledger.history("ops", "p1"));
            LedgerEvent second = event("ops", 2, "p1");
            assertThat(ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(second), List.of(opened(second)))))
                    .isEqualTo(new CommitResult.Unavailable("the ledger's database cannot be reached"));
            proxy.resume();
            await().until(() -> ledger.probe() instanceof CommitResult.Committed);
            assertThat(ledger.history("ops", "p1")).containsExactly(first);
            append(ledger, second, opened(second));
        }
    }

    @Test
    void aSecretIsTheSameForAllButNotWithoutThePassword() {
        PostgresOptions withPassword =
                PostgresOptions.of(url, Optional.empty(), Optional.of("a password nobody asks for"), Use.SHARED);
        try (PostgresLedger one = TestPostgresLedgers.shared(url);
                PostgresLedger same = TestPostgresLedgers.shared(url);
                PostgresLedger other = TestPostgresLedgers.open(withPassword)) {
            byte[] secret = one.sharedSecret("sessions");
            assertThat(secret)
                    .hasSize(32)
                    .isEqualTo(one.sharedSecret("sessions"))
                    .isEqualTo(same.sharedSecret("sessions"));
            assertThat(one.sharedSecret("another")).isNotEqualTo(secret);
            assertThat(other.sharedSecret("sessions")).isNotEqualTo(secret);
            assertThat(SERVER.execute(url, "SELECT count(*) FROM setting")).isEqualTo(2);
        }
    }
}
