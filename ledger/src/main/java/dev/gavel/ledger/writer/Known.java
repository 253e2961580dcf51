package dev.gavel.ledger.writer;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All about one subject. Immutable.
 *
 * @param weight roughly the memory it takes
 */
record Known(List<Event> history, @Nullable Summary summary, long weight) {
    /** What an object takes besides its body. */
    private static final long OVERHEAD = 400;

    static final Known NOTHING = new Known(List.of(), null, OVERHEAD);

    static Known of(List<Event> history, @Nullable Summary summary) {
        long weight = OVERHEAD + weight(summary);
        for (Event event : history) {
            weight += weight(event);
        }
        return new Known(List.copyOf(history), summary, weight);
    }

    Known plus(Event event) {
        List<Event> longer = new ArrayList<>(history.size() + 1);
        longer.addAll(history);
        longer.add(event);
        return new Known(List.copyOf(longer), summary, weight + weight(event));
    }

    Known with(Summary now) {
        return new Known(history, now, weight - weight(summary) + weight(now));
    }

    /** Whether it has ended, and nothing is to be done about it by the clock: little happens to such a subject. */
    boolean settled() {
        return summary != null && summary.endedAt() != null && summary.dueAt() == null;
    }

    private static long weight(Event event) {
        return OVERHEAD + event.body().length();
    }

    private static long weight(@Nullable Summary summary) {
        return summary == null ? 0 : OVERHEAD + summary.body().length();
    }

    /** Which subject it is about. */
    record Key(String stream, String subject) {}
}
