package dev.gavel.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events and summaries to write. An odd subject's owner is {@code owner-1}, an even one's {@code owner-0}. */
public final class Samples {
    public static final Instant START = Instant.parse("2026-01-05T10:00:00Z");

    private Samples() {}

    public static Event event(String stream, long seq, String subject) {
        return new Event(
                stream,
                seq,
                START.plusSeconds(seq),
                subject,
                "proposed",
                "agent",
                stream + "-" + seq,
                Body.of("{\"seq\":" + seq + "}"));
    }

    public static Summary opened(Event last) {
        return opened(last, null);
    }

    public static Summary opened(Event last, @Nullable Instant dueAt) {
        return new Summary(
                last.stream(), last.subject(), "open", true, owner(last), dueAt, START, null, last.seq(), last.body());
    }

    public static Summary ended(Event last, Instant at) {
        return new Summary(
                last.stream(), last.subject(), "done", false, owner(last), null, START, at, last.seq(), last.body());
    }

    /** Open, whatever happened. */
    public static Summary summarise(List<Event> history) {
        return opened(history.getLast());
    }

    public static void append(LedgerStore store, Event event, Summary summary) {
        assertThat(store.write(Set.of(event.stream()), reader -> new Batch(List.of(event), List.of(summary))))
                .isEqualTo(new Commit.Done());
    }

    private static String owner(Event event) {
        return "owner-" + event.subject().charAt(event.subject().length() - 1) % 2;
    }
}
