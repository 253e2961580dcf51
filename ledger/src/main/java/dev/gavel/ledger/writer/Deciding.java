package dev.gavel.ledger.writer;

import dev.gavel.ledger.Batch;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Growth;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One batch in the making: what is durable, and on top of it what its tasks have decided so far. If the batch fails this
 * is dropped, and nothing of it was ever anywhere else. Used by the writer's thread alone.
 */
final class Deciding {
    private static final int PAGE = 500;

    /** What settled subjects may weigh that are read for one batch and remembered in it. */
    private static final long MOST_SETTLED = 4 << 20;

    private final LedgerReader durable;
    private final Cache cache;
    private final Instant now;
    private final Map<String, End> ends = new HashMap<>();
    private final Map<Known.Key, Known> changed = new LinkedHashMap<>();
    private final Map<Known.Key, Known> settled = new HashMap<>();
    private final Map<Reference, Event> references = new HashMap<>();
    private final List<Event> events = new ArrayList<>();
    private long settledWeight;

    Deciding(LedgerReader durable, Cache cache, Instant now) {
        this.durable = durable;
        this.cache = cache;
        this.now = now;
    }

    /** Lets a task decide. If it throws, or decides what cannot be written, it is as if it had never been asked. */
    <R> Decided<R> decide(String stream, Task<R> task) {
        TaskView view = new TaskView(this, stream, now, end(stream).last());
        Decided<R> decided = task.decide(view);
        if (!decided.events().isEmpty() || !decided.summaries().isEmpty()) {
            Map<Known.Key, Known> after = new Checking(this, view).check(decided);
            changed.putAll(after);
            events.addAll(decided.events());
            for (Event event : decided.events()) {
                if (event.reference() != null) {
                    references.put(new Reference(stream, event.reference()), event);
                }
                ends.computeIfPresent(stream, (name, end) -> end.plus(event));
            }
        }
        return decided;
    }

    /** What all tasks together decided. A subject's summary is written once, as the last of them left it. */
    Batch batch() {
        List<Summary> summaries = new ArrayList<>(changed.size());
        for (Known known : changed.values()) {
            if (known.summary() != null) {
                summaries.add(known.summary());
            }
        }
        return new Batch(events, summaries);
    }

    /** By what each stream grows. */
    List<Growth> growths() {
        Map<String, Growth> growths = new LinkedHashMap<>();
        for (Event event : events) {
            growths.merge(
                    event.stream(),
                    new Growth(event.stream(), event.seq(), event.seq()),
                    (before, next) -> new Growth(before.stream(), before.first(), next.last()));
        }
        return List.copyOf(growths.values());
    }

    int eventCount() {
        return events.size();
    }

    /** The batch is durable: what it changed is now what others will find at hand. */
    void keep() {
        ends.forEach(cache::grew);
        changed.forEach(cache::put);
    }

    Known known(String stream, String subject) {
        Known.Key key = new Known.Key(stream, subject);
        Known known = changed.get(key);
        if (known == null) {
            known = cache.get(key);
        }
        if (known == null) {
            known = settled.get(key);
        }
        return known == null ? read(key) : known;
    }

    private Known read(Known.Key key) {
        List<Event> history = durable.history(key.stream(), key.subject());
        if (history.isEmpty()) {
            return Known.NOTHING;
        }
        Known known =
                Known.of(history, durable.summary(key.stream(), key.subject()).orElse(null));
        cache.put(key, known);
        // That lets go of what is settled, which would be read anew for every task about it.
        if (known.settled() && settledWeight + known.weight() <= MOST_SETTLED) {
            settledWeight += known.weight();
            settled.put(key, known);
        }
        return known;
    }

    Optional<Event> byReference(String stream, String reference) {
        Event queued = references.get(new Reference(stream, reference));
        return queued == null ? durable.byReference(stream, reference) : Optional.of(queued);
    }

    List<Summary> open(String stream) {
        Map<String, Summary> open = new LinkedHashMap<>();
        SubjectQuery query = SubjectQuery.of(stream).open(true).order(SubjectQuery.Order.OLDEST_FIRST);
        @Nullable String cursor = null;
        do {
            SubjectPage page = durable.subjects(query, cursor, PAGE);
            page.subjects().forEach(summary -> open.put(summary.subject(), summary));
            cursor = page.next();
        } while (cursor != null);
        changed.forEach((key, known) -> {
            Summary summary = known.summary();
            if (key.stream().equals(stream) && summary != null) {
                if (summary.open()) {
                    open.put(key.subject(), summary);
                } else {
                    open.remove(key.subject());
                }
            }
        });
        return List.copyOf(open.values());
    }

    private End end(String stream) {
        End known = ends.get(stream);
        if (known == null) {
            known = End.of(durable, stream);
            cache.see(stream, known);
            ends.put(stream, known);
        }
        return known;
    }

    private record Reference(String stream, String reference) {}
}
