package dev.gavel.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates sample ledger events and summaries for tests and appends them to a store. Subjects with odd numbers have the
 * owner {@code owner-1}, even ones {@code owner-0}.
 */
public final class SampleEvents {
    public static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

    private SampleEvents() {}

    public static LedgerEvent event(String stream, long seq, String subject) {
        return new LedgerEvent(
                stream,
                seq,
                START.plusSeconds(seq),
                subject,
                "proposed",
                "agent",
                stream + "-" + seq,
                LedgerBody.of("{\"seq\":" + seq + "}"));
    }

    public static SubjectSummary opened(LedgerEvent last) {
        return opened(last, null);
    }

    public static SubjectSummary opened(LedgerEvent last, @Nullable Instant dueAt) {
        return new SubjectSummary(
                last.stream(), last.subject(), "open", true, owner(last), dueAt, START, null, last.seq(), last.body());
    }

    public static SubjectSummary ended(LedgerEvent last, Instant at) {
        return new SubjectSummary(
                last.stream(), last.subject(), "done", false, owner(last), null, START, at, last.seq(), last.body());
    }

    /** Returns a summary that is open, whatever the events are. */
    public static SubjectSummary summarise(List<LedgerEvent> history) {
        return opened(history.getLast());
    }

    public static void append(LedgerStore store, LedgerEvent event, SubjectSummary summary) {
        assertThat(store.write(Set.of(event.stream()), reader -> new LedgerBatch(List.of(event), List.of(summary))))
                .isEqualTo(new CommitResult.Committed());
    }

    private static String owner(LedgerEvent event) {
        return "owner-" + event.subject().charAt(event.subject().length() - 1) % 2;
    }
}
