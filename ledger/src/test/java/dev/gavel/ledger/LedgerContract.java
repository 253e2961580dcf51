package dev.gavel.ledger;

import static dev.gavel.ledger.Samples.START;
import static dev.gavel.ledger.Samples.append;
import static dev.gavel.ledger.Samples.ended;
import static dev.gavel.ledger.Samples.event;
import static dev.gavel.ledger.Samples.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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

/** What every store of a ledger does, whatever database is behind it. */
public abstract class LedgerContract {
    private LedgerStore store;

    /** An empty store, or the one of this test opened anew, which has kept what was written. */
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
        assertThat(store.probe()).isEqualTo(new Commit.Done());
        assertThat(store.streams()).isEmpty();
    }

    @Test
    void anEmptyStoreKnowsNothing() {
        assertThat(store.streams()).isEmpty();
        assertThat(store.extent("ops")).isEqualTo(Extent.EMPTY);
        assertThat(store.after("ops", 0, 10)).isEqualTo(new Replay.Events(List.of()));
        assertThat(store.history("ops", "p1")).isEmpty();
        assertThat(store.byReference("ops", "e1")).isEmpty();
        assertThat(store.summary("ops", "p1")).isEmpty();
        assertThat(store.subjects(SubjectQuery.of("ops"), null, 10)).isEqualTo(new SubjectPage(List.of(), null));
        assertThat(store.due("ops", Instant.MAX, 10)).isEmpty();
        assertThat(store.prune(Instant.MAX, 10)).isZero();
        assertThat(exported()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadBackAsItWas() {
        Event event = new Event(
                "ops",
                1,
                START.plusNanos(123_456_789),
                "p1",
                "proposed",
                "agent",
                "env-1",
                Body.of("{\"ü\":\"\u0000\"}"));
        Summary summary = new Summary(
                "ops", "p1", "open", true, "agent", START.plusSeconds(9), START, null, 1, Body.of("{\"a\":1}"));
        assertThat(write(new Batch(List.of(event), List.of(summary)))).isEqualTo(new Commit.Done());
        assertThat(store.history("ops", "p1")).containsExactly(event);
        assertThat(store.after("ops", 0, 10)).isEqualTo(new Replay.Events(List.of(event)));
        assertThat(store.byReference("ops", "env-1")).contains(event);
        assertThat(store.summary("ops", "p1")).contains(summary);
        assertThat(store.streams()).containsExactly("ops");
        assertThat(exported()).containsExactly(event);
    }

    @Test
    void whatWasWrittenIsThereAfterClosing() throws Exception {
        Event event = event("ops", 1, "p1");
        append(store, event, opened(event));
        store.close();
        store = open();
        assertThat(store.history("ops", "p1")).containsExactly(event);
        assertThat(store.extent("ops")).isEqualTo(new Extent(1, 1));
    }

    @Test
    void streamsAreApart() {
        Event one = event("ops", 1, "p1");
        Event other = event("seps", 1, "p1");
        append(store, one, opened(one));
        append(store, other, ended(other, START));
        assertThat(store.history("ops", "p1")).containsExactly(one);
        assertThat(store.history("seps", "p1")).containsExactly(other);
        assertThat(store.byReference("seps", "ops-1")).isEmpty();
        assertThat(store.summary("ops", "p1")).contains(opened(one));
        assertThat(store.summary("seps", "p1")).contains(ended(other, START));
        assertThat(store.streams()).containsExactly("ops", "seps");
    }

    @Test
    void aDecisionSeesWhatIsDurable() {
        Event event = event("ops", 1, "p1");
        append(store, event, opened(event));
        store.write(Set.of("ops"), reader -> {
            assertThat(reader.extent("ops")).isEqualTo(new Extent(1, 1));
            assertThat(reader.history("ops", "p1")).containsExactly(event);
            assertThat(reader.summary("ops", "p1")).contains(opened(event));
            return Batch.EMPTY;
        });
        assertThat(store.extent("ops")).isEqualTo(new Extent(1, 1));
    }

    @Test
    void aBatchWithAGapIsNotWrittenAtAll() {
        Event first = event("ops", 1, "p1");
        Event third = event("ops", 3, "p1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> write(new Batch(List.of(first, third), List.of(opened(third)))));
        assertThat(store.extent("ops")).isEqualTo(Extent.EMPTY);
        assertThat(store.history("ops", "p1")).isEmpty();
        append(store, first, opened(first));
        assertThat(store.history("ops", "p1")).containsExactly(first);
    }

    @Test
    void aReferenceIsNotWrittenTwiceInAStream() {
        Event first = event("ops", 1, "p1");
        append(store, first, opened(first));
        Event again = new Event("ops", 2, START, "p2", "proposed", "agent", first.reference(), first.body());
        assertThatIllegalArgumentException().isThrownBy(() -> write(new Batch(List.of(again), List.of(opened(again)))));
        assertThat(store.history("ops", "p2")).isEmpty();
        assertThat(store.summary("ops", "p2")).isEmpty();
        assertThat(store.extent("ops")).isEqualTo(new Extent(1, 1));
    }

    @Test
    void eventsWithoutAReferenceMayBeMany() {
        for (long seq = 1; seq <= 3; seq++) {
            Event event = new Event("ops", seq, START, "p1", "told", "system", null, Body.of("{}"));
            append(store, event, opened(event));
        }
        assertThat(store.history("ops", "p1")).extracting(Event::reference).containsOnlyNulls();
        assertThat(store.history("ops", "p1")).hasSize(3);
    }

    @Test
    void aDecisionThatThrowsWritesNothingAndTheNextSucceeds() {
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> store.write(Set.of("ops"), reader -> {
                    throw new UnsupportedOperationException("no");
                }));
        Event event = event("ops", 1, "p1");
        append(store, event, opened(event));
        assertThat(store.extent("ops")).isEqualTo(new Extent(1, 1));
    }

    @Test
    void aStreamIsReadPageByPage() {
        appendSubjects(25);
        List<Long> seqs = new ArrayList<>();
        long last = 0;
        while (store.after("ops", last, 10) instanceof Replay.Events(List<Event> page) && !page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(10);
            page.forEach(event -> seqs.add(event.seq()));
            last = page.getLast().seq();
        }
        assertThat(seqs)
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 25).boxed().toList());
        assertThat(store.after("ops", 99, 10)).isEqualTo(new Replay.Events(List.of()));
    }

    @Test
    void aPageEndsWhenItHasSoManyBytes() {
        appendSubjects(25);
        int bytes = event("ops", 1, "p1").body().length();
        assertThat(store.after("ops", 3, 10, bytes + 1))
                .isInstanceOfSatisfying(
                        Replay.Events.class,
                        page -> assertThat(page.events()).extracting(Event::seq).containsExactly(4L, 5L));
        assertThat(store.after("ops", 3, 10, 1))
                .isInstanceOfSatisfying(
                        Replay.Events.class, page -> assertThat(page.events()).hasSize(1));
    }

    @Test
    void subjectsAreFoundByWhatTheyAre() {
        appendSubjects(3);
        Event end = event("ops", 4, "p2");
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
                cursor = page.next();
                long next = store.extent("ops").last() + 1;
                Event more = event("ops", next, "p1");
                Event fresh = event("ops", next + 1, "fresh" + next);
                if (visited.size() < before.size()) {
                    write(new Batch(List.of(more, fresh), List.of(opened(more), opened(fresh))));
                }
            } while (cursor != null);
            assertThat(visited).doesNotHaveDuplicates().containsSubsequence(before);
        }
    }

    @Test
    void theLastPageHasNoCursorAndAStrangeCursorIsRefused() {
        appendSubjects(4);
        assertThat(store.subjects(SubjectQuery.of("ops"), null, 4).next()).isNull();
        assertThat(store.subjects(SubjectQuery.of("ops"), null, 3).next()).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> store.subjects(SubjectQuery.of("ops"), "'; DROP", 3));
    }

    @Test
    void whatIsDueIsFoundTheLongestDueFirst() {
        List<Integer> delays = List.of(30, 10, 20);
        for (int i = 0; i < delays.size(); i++) {
            Event event = event("ops", i + 1, "p" + delays.get(i));
            append(store, event, opened(event, START.plusSeconds(delays.get(i))));
        }
        Event never = event("ops", 4, "never");
        append(store, never, opened(never));
        assertThat(due(9)).isEmpty();
        assertThat(due(10)).containsExactly("p10");
        assertThat(due(100)).containsExactly("p10", "p20", "p30");
        assertThat(store.due("ops", Instant.MAX, 2))
                .extracting(Summary::subject)
                .containsExactly("p10", "p20");
        assertThat(store.due("seps", Instant.MAX, 2)).isEmpty();
        Event done = event("ops", 5, "p10");
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
        assertThat(store.byReference("ops", "ops-1")).isEmpty();
        assertThat(store.byReference("ops", "ops-5")).isEmpty();
        assertThat(store.history("ops", "p2")).hasSize(2);
        assertThat(store.extent("ops")).isEqualTo(new Extent(6, 6));
        assertThat(store.after("ops", 4, 10)).isEqualTo(new Replay.Resync(new Extent(6, 6)));
        assertThat(store.after("ops", 5, 10)).isInstanceOf(Replay.Events.class);
        assertThat(exported()).extracting(Event::seq).containsExactly(2L, 3L, 4L, 6L);
    }

    @Test
    void pruningGoesInChunksAndLeavesOthersAlone() {
        appendSubjects(10);
        for (int i = 1; i <= 9; i++) {
            endAt(10 + i, "p" + i, START.plusSeconds(i));
        }
        Event other = event("seps", 1, "s1");
        append(store, other, opened(other));
        assertThat(store.prune(Instant.MAX, 4)).isEqualTo(4);
        assertThat(found(SubjectQuery.of("ops"))).containsExactly("p10", "p9", "p8", "p7", "p6", "p5");
        assertThat(store.prune(Instant.MAX, 4)).isEqualTo(4);
        assertThat(store.prune(Instant.MAX, 4)).isEqualTo(1);
        assertThat(store.prune(Instant.MAX, 4)).isZero();
        assertThat(found(SubjectQuery.of("ops"))).containsExactly("p10");
        assertThat(store.extent("ops")).isEqualTo(new Extent(20, 19));
        assertThat(store.extent("seps")).isEqualTo(new Extent(1, 1));
        Event next = event("ops", 20, "p1");
        append(store, next, opened(next));
        assertThat(store.history("ops", "p1")).containsExactly(next);
    }

    @Test
    void whatIsStillDueIsNotPruned() {
        Event event = event("ops", 1, "p1");
        Summary answered = new Summary(
                "ops", "p1", "fulfilled", false, "agent", START.plusSeconds(60), START, START, 1, Body.of("{}"));
        append(store, event, answered);
        assertThat(store.prune(Instant.MAX, 10)).isZero();
        assertThat(store.summary("ops", "p1")).contains(answered);
    }

    @Test
    void rebuildingMakesTheSummariesFromTheEventsAlone() {
        appendSubjects(5);
        endAt(6, "p3", START.plusSeconds(1));
        List<Summary> right = store.subjects(SubjectQuery.of("ops"), null, 100).subjects();
        Event event = event("ops", 7, "p4");
        append(store, event, ended(event, START));
        assertThat(store.rebuild(Samples::summarise)).isEqualTo(5);
        List<Summary> rebuilt =
                store.subjects(SubjectQuery.of("ops"), null, 100).subjects();
        assertThat(rebuilt).extracting(Summary::subject).containsExactly("p5", "p4", "p3", "p2", "p1");
        assertThat(rebuilt.get(0)).isEqualTo(right.get(0));
        assertThat(rebuilt.get(1)).isEqualTo(Samples.summarise(store.history("ops", "p4")));
        assertThat(rebuilt.get(2).lastSeq()).isEqualTo(6);
    }

    @Test
    void readersSeeTheOldSummariesUntilRebuildingIsDone() {
        appendSubjects(3);
        List<Integer> seen = new ArrayList<>();
        store.rebuild(history -> {
            seen.add(store.subjects(SubjectQuery.of("ops").state("open"), null, 10)
                    .subjects()
                    .size());
            Event last = history.getLast();
            return ended(last, START);
        });
        assertThat(seen).containsExactly(3, 3, 3);
        assertThat(found(SubjectQuery.of("ops").state("done"))).hasSize(3);
    }

    @Test
    void rebuildingThatThrowsLeavesTheOldSummaries() {
        appendSubjects(3);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> store.rebuild(history -> {
                    throw new UnsupportedOperationException("no");
                }));
        assertThat(found(SubjectQuery.of("ops"))).hasSize(3);
    }

    @Test
    void exportingShowsEverythingInOrderOfEachStream() {
        for (int batch = 0; batch < 7; batch++) {
            List<Event> events = new ArrayList<>();
            for (int seq = batch * 100 + 1; seq <= batch * 100 + 100; seq++) {
                events.add(event("ops", seq, "p" + seq % 7));
                events.add(event("seps", seq, "s" + seq % 3));
            }
            write(new Batch(events, List.of()));
        }
        List<Event> all = exported();
        assertThat(all).hasSize(1400);
        for (String stream : List.of("ops", "seps")) {
            assertThat(all.stream()
                            .filter(event -> event.stream().equals(stream))
                            .map(Event::seq))
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 700).boxed().toList());
        }
    }

    private Commit write(Batch batch) {
        return store.write(Set.copyOf(batch.events().stream().map(Event::stream).toList()), reader -> batch);
    }

    private void appendSubjects(int count) {
        IntStream.rangeClosed(1, count).forEach(i -> {
            Event event = event("ops", i, "p" + i);
            append(store, event, opened(event));
        });
    }

    private void endAt(long seq, String subject, Instant at) {
        Event event = event("ops", seq, subject);
        append(store, event, ended(event, at));
    }

    private List<String> found(SubjectQuery query) {
        return store.subjects(query, null, 100).subjects().stream()
                .map(Summary::subject)
                .toList();
    }

    private List<String> due(int seconds) {
        return store.due("ops", START.plusSeconds(seconds), 10).stream()
                .map(Summary::subject)
                .toList();
    }

    private List<Event> exported() {
        List<Event> all = new ArrayList<>();
        store.export(each -> all.add(each.event()));
        return all;
    }
}
