package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.CommitResult;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.audit.HashChainVerifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a batch is written exactly once when the reply to its commit is lost. */
class LostCommitReplyTest {
    private static final TestPostgresServer SERVER = TestPostgresServer.shared();

    @ParameterizedTest
    @EnumSource(
            value = CommitFaultProxy.Fault.class,
            names = {"BEFORE", "AFTER", "DURING"})
    void whatWasBeingCommittedIsWrittenOnceWhenTheConnectionIsCut(CommitFaultProxy.Fault fault) throws Exception {
        String url = SERVER.freshDatabase();
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port());
                PostgresLedger ledger = TestPostgresLedgers.shared(proxy.address(url))) {
            int decided = 0;
            for (int seq = 1; seq <= 10; seq++) {
                proxy.failNextCommit(seq % 2 == 0 ? fault : CommitFaultProxy.Fault.NEVER);
                LedgerEvent event = event("ops", seq, "p" + seq);
                List<LedgerEvent> decideCalls = new ArrayList<>();
                CommitResult commitResult = ledger.write(Set.of("ops"), reader -> {
                    decideCalls.add(event);
                    return new LedgerBatch(List.of(event), List.of(opened(event)));
                });
                assertThat(commitResult).isEqualTo(new CommitResult.Committed());
                decided += decideCalls.size();
            }
            assertThat(proxy.faultCount()).isEqualTo(5);
            // The batch is decided again only if nothing was written.
            switch (fault) {
                case BEFORE -> assertThat(decided).isEqualTo(15);
                case AFTER -> assertThat(decided).isEqualTo(10);
                default -> assertThat(decided).isBetween(10, 15);
            }
            assertThat(ledger.eventsAfter("ops", 0, 100))
                    .isInstanceOfSatisfying(
                            StreamReadResult.Events.class,
                            events -> assertThat(events.events())
                                    .extracting(LedgerEvent::seq)
                                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 10)
                                            .boxed()
                                            .toList()));
            assertThat(HashChainVerifier.verify(ledger, "ops", List.of(), () -> {})
                            .findings())
                    .isEmpty();
        }
    }

    @Test
    void whereItCannotBeFoundOutInTimeThatIsSaidAndWhoTriesAgainFindsOut() throws Exception {
        String url = SERVER.freshDatabase();
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port());
                PostgresLedger ledger = openWithShortRetry(proxy.address(url))) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            LedgerEvent second = event("ops", 2, "p2");
            proxy.failNextCommit(CommitFaultProxy.Fault.AFTER_AND_BLOCK);
            assertThat(ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(second), List.of(opened(second)))))
                    .isInstanceOfSatisfying(
                            CommitResult.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason())
                                    .contains("cannot be reached", "it is unknown whether it succeeded"));
            assertThat(ledger.probe()).isInstanceOf(CommitResult.Unavailable.class);
            proxy.resume();
            await().until(() -> ledger.probe() instanceof CommitResult.Committed);
            assertThat(ledger.findByReference("ops", "ops-2")).contains(second);
            LedgerEvent third = event("ops", 3, "p3");
            append(ledger, third, opened(third));
        }
    }

    /** The retry time is shorter than the time to notice the failure. */
    @Test
    void aCommitThatIsNeverAnsweredIsLookedUpHoweverLateThatShows() throws Exception {
        String url = SERVER.freshDatabase();
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port());
                PostgresLedger ledger = openWithShortRetry(proxy.address(url) + "&socketTimeout=1")) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            proxy.failNextCommit(CommitFaultProxy.Fault.SILENTLY_AFTER);
            LedgerEvent second = event("ops", 2, "p2");
            AtomicInteger decideCalls = new AtomicInteger();
            assertThat(ledger.write(Set.of("ops"), reader -> {
                        decideCalls.incrementAndGet();
                        return new LedgerBatch(List.of(second), List.of(opened(second)));
                    }))
                    .isEqualTo(new CommitResult.Committed());
            assertThat(decideCalls).hasValue(1);
            assertThat(proxy.faultCount()).isEqualTo(1);
            assertThat(ledger.findByReference("ops", "ops-2")).contains(second);
        }
    }

    /** The server releases the locks of the lost connection by itself; only then the result is known. */
    @Test
    void aCommitThatNeverArrivedIsKnownNotToHave() throws Exception {
        String url = SERVER.freshDatabase();
        try (CommitFaultProxy proxy = new CommitFaultProxy(SERVER.port());
                PostgresLedger ledger = openWithShortRetry(
                        proxy.address(url) + "&socketTimeout=1&options=-c%20idle_in_transaction_session_timeout=300")) {
            LedgerEvent first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            proxy.failNextCommit(CommitFaultProxy.Fault.SILENTLY_BEFORE);
            LedgerEvent second = event("ops", 2, "p2");
            assertThat(ledger.write(Set.of("ops"), reader -> new LedgerBatch(List.of(second), List.of(opened(second)))))
                    .isInstanceOfSatisfying(
                            CommitResult.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("nothing was written"));
            assertThat(proxy.faultCount()).isEqualTo(1);
            assertThat(ledger.findByReference("ops", "ops-2")).isEmpty();
            append(ledger, second, opened(second));
        }
    }

    private static PostgresLedger openWithShortRetry(String url) {
        return TestPostgresLedgers.open(
                TestPostgresLedgers.options(url, PostgresOptions.Use.SHARED).retryTimeout(Duration.ofMillis(100)));
    }
}
