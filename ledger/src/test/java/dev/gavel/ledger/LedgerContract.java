package dev.gavel.ledger;

import static dev.gavel.ledger.SampleEvents.START;
import static dev.gavel.ledger.SampleEvents.append;
import static dev.gavel.ledger.SampleEvents.ended;
import static dev.gavel.ledger.SampleEvents.event;
import static dev.gavel.ledger.SampleEvents.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.ledger.audit.HashChainVerifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that every ledger store backend must pass, written against the store interface alone. */
public abstract class LedgerContract {
    private LedgerStore store;

    /** Opens an empty store at the first call, and the same store with its content at further calls. */
    protected abstract LedgerStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void probingFindsThatWritingWorksAndWritesNothing() {
        assertThat(store.probe()).isEqualTo(new CommitResult.Committed());
        assertThat(store.streams()).isEmpty();
    }

    @Test
    void anEmptyStoreKnowsNothing() {
        assertThat(store.streams()).isEmpty();
        assertThat(store.retainedRange("ops")).isEqualTo(RetainedStreamRange.EMPTY);
        assertThat(store.eventsAfter("ops", 0, 10)).isEqualTo(new StreamReadResult.Events(List.of()));
        assertThat(store.history("ops", "p1")).isEmpty();
        assertThat(store.findByReference("ops", "e1")).isEmpty();
        assertThat(store.summary("ops", "p1")).isEmpty();
        assertThat(store.subjects(SubjectQuery.of("ops"), null, 10)).isEqualTo(new SubjectPage(List.of(), null));
        assertThat(store.dueSubjects("ops", Instant.MAX, 10)).isEmpty();
        assertThat(store.prune(Instant.MAX, 10)).isZero();
        assertThat(exported()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadBackAsItWas() {
        LedgerEvent event = new LedgerEvent(
                "ops",
                1,
                START.plusNanos(123_456_789),
                "p1",
                "proposed",
                "agent",
                "env-1",
                LedgerBody.of("{\"ü\":\"\u0000\"}"));
        SubjectSummary summary = new SubjectSummary(
                "ops", "p1", "open", true, "agent", START.plusSeconds(9), START, null, 1, LedgerBody.of("{\"a\":1}"));
        assertThat(write(new LedgerBatch(List.of(event), List.of(summary)))).isEqualTo(new CommitResult.Committed());
        assertThat(store.history("ops", "p1")).containsExactly(event);
        assertThat(store.eventsAfter("ops", 0, 10)).isEqualTo(new StreamReadResult.Events(List.of(event)));
        assertThat(store.findByReference("ops", "env-1")).contains(event);
        assertThat(store.summary("ops", "p1")).contains(summary);
        assertThat(store.streams()).containsExactly("ops");
        assertThat(exported()).containsExactly(event);
    }

    @Test
    void whatWasWrittenIsThereAfterClosing() throws Exception {
        LedgerEvent event = event("ops", 1, "p1");
        append(store, event, opened(event));
        store.close();
        store = open();
        assertThat(store.history("ops", "p1")).containsExactly(event);
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
    }

    @Test
    void streamsAreApart() {
        LedgerEvent one = event("ops", 1, "p1");
        LedgerEvent other = event("seps", 1, "p1");
        append(store, one, opened(one));
        append(store, other, ended(other, START));
        assertThat(store.history("ops", "p1")).containsExactly(one);
        assertThat(store.history("seps", "p1")).containsExactly(other);
        assertThat(store.findByReference("seps", "ops-1")).isEmpty();
        assertThat(store.summary("ops", "p1")).contains(opened(one));
        assertThat(store.summary("seps", "p1")).contains(ended(other, START));
        assertThat(store.streams()).containsExactly("ops", "seps");
    }

    @Test
    void aDecisionSeesWhatIsDurable() {
        LedgerEvent event = event("ops", 1, "p1");
        append(store, event, opened(event));
        store.write(Set.of("ops"), reader -> {
            assertThat(reader.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
            assertThat(reader.history("ops", "p1")).containsExactly(event);
            assertThat(reader.summary("ops", "p1")).contains(opened(event));
            return LedgerBatch.EMPTY;
        });
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
    }

    @Test
    void aBatchWithAGapIsNotWrittenAtAll() {
        LedgerEvent first = event("ops", 1, "p1");
        LedgerEvent third = event("ops", 3, "p1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> write(new LedgerBatch(List.of(first, third), List.of(opened(third)))));
        assertThat(store.retainedRange("ops")).isEqualTo(RetainedStreamRange.EMPTY);
        assertThat(store.history("ops", "p1")).isEmpty();
        append(store, first, opened(first));
        assertThat(store.history("ops", "p1")).containsExactly(first);
    }

    @Test
    void aReferenceIsNotWrittenTwiceInAStream() {
        LedgerEvent first = event("ops", 1, "p1");
        append(store, first, opened(first));
        LedgerEvent again =
                new LedgerEvent("ops", 2, START, "p2", "proposed", "agent", first.reference(), first.body());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> write(new LedgerBatch(List.of(again), List.of(opened(again)))));
        assertThat(store.history("ops", "p2")).isEmpty();
        assertThat(store.summary("ops", "p2")).isEmpty();
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
    }

    @Test
    void eventsWithoutAReferenceMayBeMany() {
        for (long seq = 1; seq <= 3; seq++) {
            LedgerEvent event = new LedgerEvent("ops", seq, START, "p1", "told", "system", null, LedgerBody.of("{}"));
            append(store, event, opened(event));
        }
        assertThat(store.history("ops", "p1"))
                .extracting(LedgerEvent::reference)
                .containsOnlyNulls();
        assertThat(store.history("ops", "p1")).hasSize(3);
    }

    @Test
    void aDecisionThatThrowsWritesNothingAndTheNextSucceeds() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> store.write(Set.of("ops"), reader -> {
                    throw new UnsupportedOperationException("no");
                }));
        LedgerEvent event = event("ops", 1, "p1");
        append(store, event, opened(event));
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(1, 1));
    }

    @Test
    void aStreamIsReadPageByPage() {
        appendSubjects(25);
        List<Long> seqs = new ArrayList<>();
        long last = 0;
        while (store.eventsAfter("ops", last, 10) instanceof StreamReadResult.Events(List<LedgerEvent> page)
                && !page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(10);
            page.forEach(event -> seqs.add(event.seq()));
            last = page.getLast().seq();
        }
        assertThat(seqs)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(store.eventsAfter("ops", 99, 10)).isEqualTo(new StreamReadResult.Events(List.of()));
    }

    @Test
    void aPageEndsWhenItHasSoManyBytes() {
        appendSubjects(25);
        int bytes = event("ops", 1, "p1").body().length();
        assertThat(store.eventsAfter("ops", 3, 10, bytes + 1))
                .isInstanceOfSatisfying(
                        StreamReadResult.Events.class,
                        page -> assertThat(page.events())
                                .extracting(LedgerEvent::seq)
                                .containsExactly(4L, 5L));
        assertThat(store.eventsAfter("ops", 3, 10, 1))
                .isInstanceOfSatisfying(
                        StreamReadResult.Events.class,
                        page -> assertThat(page.events()).hasSize(1));
    }

    @Test
    void subjectsAreFoundByWhatTheyAre() {
        appendSubjects(3);
        LedgerEvent end = event("ops", 4, "p2");
        append(store, end, ended(end, START));
        SubjectQuery all = SubjectQuery.of("ops");
        assertThat(found(all)).containsExactly("p3", "p2", "p1");
        assertThat(found(all.order(SubjectQuery.Order.OLDEST_FIRST))).containsExactly("p1", "p2", "p3");
        assertThat(found(all.open(true))).containsExactly("p3", "p1");
        assertThat(found(all.open(false))).containsExactly("p2");
        assertThat(found(all.state("done"))).containsExactly("p2");
        assertThat(found(all.state("open").open(false))).isEmpty();
        assertThat(found(all.owner("owner-1"))).containsExactly("p3", "p1");
        assertThat(found(all.owner("owner-1").state("open").open(true))).containsExactly("p3", "p1");
        assertThat(found(all.owner("nobody"))).isEmpty();
        assertThat(found(SubjectQuery.of("seps"))).isEmpty();
    }

    @Test
    void cursorsVisitEverySubjectOnceWhateverIsWrittenMeanwhile() {
        appendSubjects(20);
        for (SubjectQuery.Order order : SubjectQuery.Order.values()) {
            SubjectQuery query = SubjectQuery.of("ops").order(order);
            List<String> before = found(query);
            List<String> visited = new ArrayList<>();
            @Nullable String cursor = null;
            do {
                SubjectPage page = store.subjects(query, cursor, 3);
                page.subjects().forEach(summary -> visited.add(summary.subject()));
                cursor = page.nextCursor();
                long next = store.retainedRange("ops").last() + 1;
                LedgerEvent more = event("ops", next, "p1");
                LedgerEvent fresh = event("ops", next + 1, "fresh" + next);
                if (visited.size() < before.size()) {
                    write(new LedgerBatch(List.of(more, fresh), List.of(opened(more), opened(fresh))));
                }
            } while (cursor != null);
            assertThat(visited).doesNotHaveDuplicates().containsSubsequence(before);
        }
    }

    @Test
    void theLastPageHasNoCursorAndAStrangeCursorIsRefused() {
        appendSubjects(4);
        assertThat(store.subjects(SubjectQuery.of("ops"), null, 4).nextCursor()).isNull();
        assertThat(store.subjects(SubjectQuery.of("ops"), null, 3).nextCursor()).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> store.subjects(SubjectQuery.of("ops"), "'; DROP", 3));
    }

    @Test
    void whatIsDueIsFoundTheLongestDueFirst() {
        List<Integer> delays = List.of(30, 10, 20);
        for (int i = 0; i < delays.size(); i++) {
            LedgerEvent event = event("ops", i + 1, "p" + delays.get(i));
            append(store, event, opened(event, START.plusSeconds(delays.get(i))));
        }
        LedgerEvent unused = event("ops", 4, "never");
        append(store, unused, opened(unused));
        assertThat(due(9)).isEmpty();
        assertThat(due(10)).containsExactly("p10");
        assertThat(due(100)).containsExactly("p10", "p20", "p30");
        assertThat(store.dueSubjects("ops", Instant.MAX, 2))
                .extracting(SubjectSummary::subject)
                .containsExactly("p10", "p20");
        assertThat(store.dueSubjects("seps", Instant.MAX, 2)).isEmpty();
        LedgerEvent done = event("ops", 5, "p10");
        append(store, done, ended(done, START));
        assertThat(due(100)).containsExactly("p20", "p30");
    }

    @Test
    void pruningForgetsWhatEndedLongAgoAndSaysSo() {
        appendSubjects(4);
        endAt(5, "p1", START.plusSeconds(10));
        endAt(6, "p2", START.plusSeconds(20));
        assertThat(store.prune(START.plusSeconds(10), 10)).isZero();
        assertThat(store.prune(START.plusSeconds(11), 10)).isEqualTo(1);
        assertThat(store.history("ops", "p1")).isEmpty();
        assertThat(store.summary("ops", "p1")).isEmpty();
        assertThat(store.findByReference("ops", "ops-1")).isEmpty();
        assertThat(store.findByReference("ops", "ops-5")).isEmpty();
        assertThat(store.history("ops", "p2")).hasSize(2);
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(6, 6));
        assertThat(store.eventsAfter("ops", 4, 10))
                .isEqualTo(new StreamReadResult.Resync(new RetainedStreamRange(6, 6)));
        assertThat(store.eventsAfter("ops", 5, 10)).isInstanceOf(StreamReadResult.Events.class);
        assertThat(exported()).extracting(LedgerEvent::seq).containsExactly(2L, 3L, 4L, 6L);
    }

    @Test
    void pruningGoesInChunksAndLeavesOthersAlone() {
        appendSubjects(10);
        for (int i = 1; i <= 9; i++) {
            endAt(10 + i, "p" + i, START.plusSeconds(i));
        }
        LedgerEvent other = event("seps", 1, "s1");
        append(store, other, opened(other));
        assertThat(store.prune(Instant.MAX, 4)).isEqualTo(4);
        assertThat(found(SubjectQuery.of("ops"))).containsExactly("p10", "p9", "p8", "p7", "p6", "p5");
        assertThat(store.prune(Instant.MAX, 4)).isEqualTo(4);
        assertThat(store.prune(Instant.MAX, 4)).isEqualTo(1);
        assertThat(store.prune(Instant.MAX, 4)).isZero();
        assertThat(found(SubjectQuery.of("ops"))).containsExactly("p10");
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(20, 19));
        assertThat(store.retainedRange("seps")).isEqualTo(new RetainedStreamRange(1, 1));
        LedgerEvent next = event("ops", 20, "p1");
        append(store, next, opened(next));
        assertThat(store.history("ops", "p1")).containsExactly(next);
    }

    @Test
    void aStreamIsPrunedThroughASeqAndStillVerifies() {
        for (int i = 1; i <= 4; i++) {
            LedgerEvent event = event("ops", i, "p" + i);
            append(store, event, i == 2 ? opened(event) : ended(event, START));
        }
        LedgerEvent later = event("ops", 5, "p1");
        append(store, later, ended(later, START));
        LedgerEvent other = event("seps", 1, "s1");
        append(store, other, ended(other, START));
        assertThat(store.eventSizesAfter("ops", 3, 10))
                .containsExactly(new EventSize(4, START.plusSeconds(4), 9), new EventSize(5, START.plusSeconds(5), 9));
        assertThat(store.eventSizesAfter("ops", 0, 1)).hasSize(1);
        store.pruneThrough("ops", 3);
        store.pruneThrough("unknown", 3);
        assertThat(exported())
                .extracting(LedgerEvent::stream, LedgerEvent::seq)
                .containsExactlyInAnyOrder(tuple("ops", 4L), tuple("ops", 5L), tuple("seps", 1L));
        assertThat(store.retainedRange("ops")).isEqualTo(new RetainedStreamRange(4, 5));
        assertThat(store.summary("ops", "p1")).as("has later events").isPresent();
        assertThat(store.summary("ops", "p2")).as("is open").isPresent();
        assertThat(store.summary("ops", "p3")).isEmpty();
        assertThat(HashChainVerifier.verify(store, "ops", List.of(), () -> {}).findings())
                .isEmpty();
        assertThat(HashChainVerifier.verify(store, "ops", List.of(), () -> {}).prunedEvents())
                .isEqualTo(3);
        LedgerEvent next = event("ops", 6, "p3");
        append(store, next, opened(next));
        assertThat(store.history("ops", "p3")).containsExactly(next);
    }

    @Test
    void whatIsStillDueIsNotPruned() {
        LedgerEvent event = event("ops", 1, "p1");
        SubjectSummary results = new SubjectSummary(
                "ops", "p1", "fulfilled", false, "agent", START.plusSeconds(60), START, START, 1, LedgerBody.of("{}"));
        append(store, event, results);
        assertThat(store.prune(Instant.MAX, 10)).isZero();
        assertThat(store.summary("ops", "p1")).contains(results);
    }

    @Test
    void rebuildingMakesTheSummariesFromTheEventsAlone() {
        appendSubjects(5);
        endAt(6, "p3", START.plusSeconds(1));
        List<SubjectSummary> right =
                store.subjects(SubjectQuery.of("ops"), null, 100).subjects();
        LedgerEvent event = event("ops", 7, "p4");
        append(store, event, ended(event, START));
        assertThat(store.rebuildSummaries(SampleEvents::summarise)).isEqualTo(5);
        List<SubjectSummary> rebuilt =
                store.subjects(SubjectQuery.of("ops"), null, 100).subjects();
        assertThat(rebuilt).extracting(SubjectSummary::subject).containsExactly("p5", "p4", "p3", "p2", "p1");
        assertThat(rebuilt.get(0)).isEqualTo(right.get(0));
        assertThat(rebuilt.get(1)).isEqualTo(SampleEvents.summarise(store.history("ops", "p4")));
        assertThat(rebuilt.get(2).lastSeq()).isEqualTo(6);
    }

    @Test
    void readersSeeTheOldSummariesUntilRebuildingIsDone() {
        appendSubjects(3);
        List<Integer> seen = new ArrayList<>();
        store.rebuildSummaries(history -> {
            seen.add(store.subjects(SubjectQuery.of("ops").state("open"), null, 10)
                    .subjects()
                    .size());
            LedgerEvent last = history.getLast();
            return ended(last, START);
        });
        assertThat(seen).containsExactly(3, 3, 3);
        assertThat(found(SubjectQuery.of("ops").state("done"))).hasSize(3);
    }

    @Test
    void rebuildingThatThrowsLeavesTheOldSummaries() {
        appendSubjects(3);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> store.rebuildSummaries(history -> {
                    throw new UnsupportedOperationException("no");
                }));
        assertThat(found(SubjectQuery.of("ops"))).hasSize(3);
    }

    @Test
    void exportingShowsEverythingInOrderOfEachStream() {
        for (int batch = 0; batch < 7; batch++) {
            List<LedgerEvent> events = new ArrayList<>();
            for (int seq = batch * 100 + 1; seq <= batch * 100 + 100; seq++) {
                events.add(event("ops", seq, "p" + seq % 7));
                events.add(event("seps", seq, "s" + seq % 3));
            }
            write(new LedgerBatch(events, List.of()));
        }
        List<LedgerEvent> all = exported();
        assertThat(all).hasSize(1400);
        for (String stream : List.of("ops", "seps")) {
            assertThat(all.stream()
                            .filter(event -> event.stream().equals(stream))
                            .map(LedgerEvent::seq))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 700).boxed().toList());
        }
    }

    private CommitResult write(LedgerBatch batch) {
        return store.write(
                Set.copyOf(batch.events().stream().map(LedgerEvent::stream).toList()), reader -> batch);
    }

    private void appendSubjects(int count) {
        IntStream.rangeClosed(1, count).forEach(i -> {
            LedgerEvent event = event("ops", i, "p" + i);
            append(store, event, opened(event));
        });
    }

    private void endAt(long seq, String subject, Instant at) {
        LedgerEvent event = event("ops", seq, subject);
        append(store, event, ended(event, at));
    }

    private List<String> found(SubjectQuery query) {
        return store.subjects(query, null, 100).subjects().stream()
                .map(SubjectSummary::subject)
                .toList();
    }

    private List<String> due(int seconds) {
        return store.dueSubjects("ops", START.plusSeconds(seconds), 10).stream()
                .map(SubjectSummary::subject)
                .toList();
    }

    private List<LedgerEvent> exported() {
        List<LedgerEvent> all = new ArrayList<>();
        store.export(each -> all.add(each.event()));
        return all;
    }
}
