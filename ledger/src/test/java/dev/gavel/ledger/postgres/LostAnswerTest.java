package dev.gavel.ledger.postgres;

import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Commit;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.audit.Audit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection is cut in the moment of a commit; whatever became of it, everything is written once. */
class LostAnswerTest {
    private static final PostgresServer SERVER = PostgresServer.shared();

    @ParameterizedTest
    @EnumSource(
            value = CutProxy.Cut.class,
            names = {"BEFORE", "AFTER", "MEANWHILE"})
    void whatWasBeingCommittedIsWrittenOnceWhenTheConnectionIsCut(CutProxy.Cut cut) throws Exception {
        String url = SERVER.freshDatabase();
        try (CutProxy proxy = new CutProxy(SERVER.port());
                PostgresLedger ledger = PostgresLedgers.shared(proxy.address(url))) {
            int decided = 0;
            for (int seq = 1; seq <= 10; seq++) {
                proxy.cutNext(seq % 2 == 0 ? cut : CutProxy.Cut.NEVER);
                Event event = event("ops", seq, "p" + seq);
                List<Event> asked = new ArrayList<>();
                Commit commit = ledger.write(Set.of("ops"), reader -> {
                    asked.add(event);
                    return new Batch(List.of(event), List.of(opened(event)));
                });
                assertThat(commit).isEqualTo(new Commit.Done());
                decided += asked.size();
            }
            assertThat(proxy.cuts()).isEqualTo(5);
            // Decided anew where nothing had been written, and only there.
            switch (cut) {
                case BEFORE -> assertThat(decided).isEqualTo(15);
                case AFTER -> assertThat(decided).isEqualTo(10);
                default -> assertThat(decided).isBetween(10, 15);
            }
            assertThat(ledger.after("ops", 0, 100))
                    .isInstanceOfSatisfying(
                            Replay.Events.class,
                            events -> assertThat(events.events())
                                    .extracting(Event::seq)
                                    .containsExactlyElementsOf(LongStream.rangeClosed(1, 10)
                                            .boxed()
                                            .toList()));
            assertThat(Audit.verify(ledger, "ops", List.of(), () -> {}).findings())
                    .isEmpty();
        }
    }

    @Test
    void whereItCannotBeFoundOutInTimeThatIsSaidAndWhoTriesAgainFindsOut() throws Exception {
        String url = SERVER.freshDatabase();
        try (CutProxy proxy = new CutProxy(SERVER.port());
                PostgresLedger ledger = impatient(proxy.address(url))) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            Event second = event("ops", 2, "p2");
            proxy.cutNext(CutProxy.Cut.AFTER_FOR_GOOD);
            assertThat(ledger.write(Set.of("ops"), reader -> new Batch(List.of(second), List.of(opened(second)))))
                    .isInstanceOfSatisfying(
                            Commit.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason())
                                    .contains("cannot be reached", "send again under the same id"));
            assertThat(ledger.probe()).isInstanceOf(Commit.Unavailable.class);
            proxy.letThrough();
            await().until(() -> ledger.probe() instanceof Commit.Done);
            assertThat(ledger.byReference("ops", "ops-2")).contains(second);
            Event third = event("ops", 3, "p3");
            append(ledger, third, opened(third));
        }
    }

    /** Writing is tried for a shorter time than it takes to notice. */
    @Test
    void aCommitThatIsNeverAnsweredIsLookedUpHoweverLateThatShows() throws Exception {
        String url = SERVER.freshDatabase();
        try (CutProxy proxy = new CutProxy(SERVER.port());
                PostgresLedger ledger = impatient(proxy.address(url) + "&socketTimeout=1")) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            proxy.cutNext(CutProxy.Cut.SILENTLY_AFTER);
            Event second = event("ops", 2, "p2");
            AtomicInteger asked = new AtomicInteger();
            assertThat(ledger.write(Set.of("ops"), reader -> {
                        asked.incrementAndGet();
                        return new Batch(List.of(second), List.of(opened(second)));
                    }))
                    .isEqualTo(new Commit.Done());
            assertThat(asked).hasValue(1);
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(ledger.byReference("ops", "ops-2")).contains(second);
        }
    }

    /** What the server has locked for us it gives up by itself; only then can it be known. */
    @Test
    void aCommitThatNeverArrivedIsKnownNotToHave() throws Exception {
        String url = SERVER.freshDatabase();
        try (CutProxy proxy = new CutProxy(SERVER.port());
                PostgresLedger ledger = impatient(
                        proxy.address(url) + "&socketTimeout=1&options=-c%20idle_in_transaction_session_timeout=300")) {
            Event first = event("ops", 1, "p1");
            append(ledger, first, opened(first));
            proxy.cutNext(CutProxy.Cut.SILENTLY_BEFORE);
            Event second = event("ops", 2, "p2");
            assertThat(ledger.write(Set.of("ops"), reader -> new Batch(List.of(second), List.of(opened(second)))))
                    .isInstanceOfSatisfying(
                            Commit.Unavailable.class,
                            unavailable -> assertThat(unavailable.reason()).contains("nothing was written"));
            assertThat(proxy.cuts()).isEqualTo(1);
            assertThat(ledger.byReference("ops", "ops-2")).isEmpty();
            append(ledger, second, opened(second));
        }
    }

    private static PostgresLedger impatient(String url) {
        return PostgresLedgers.open(
                PostgresLedgers.options(url, PostgresOptions.Use.SHARED).patience(Duration.ofMillis(100)));
    }
}
