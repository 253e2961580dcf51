package dev.gavel.ledger.writer;

import dev.gavel.ledger.AppendedRange;
import dev.gavel.ledger.LedgerBatch;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds one batch of ledger events by running writer tasks in turn, so that each task sees the events of those before.
 * If the batch fails, the builder is dropped, and none of its state has reached any other object. Confined to the
 * writer's thread.
 */
final class BatchBuilder {
    private static final int PAGE_SIZE = 500;

    /** The total weight of the settled subjects that are read for one batch and remembered within it. */
    private static final long MAX_SETTLED_BYTES = 4 << 20;

    private final LedgerReader reader;
    private final SubjectCache cache;
    private final Instant now;
    private final Map<String, StreamHead> streamHeads = new HashMap<>();
    private final Map<SubjectCacheEntry.Key, SubjectCacheEntry> changedSubjects = new LinkedHashMap<>();
    private final Map<SubjectCacheEntry.Key, SubjectCacheEntry> settledSubjects = new HashMap<>();
    private final Map<Reference, LedgerEvent> eventsByReference = new HashMap<>();
    private final List<LedgerEvent> events = new ArrayList<>();
    private final List<LedgerEvent> identityEvents = new ArrayList<>();
    private final Map<UsageKey, OwnerUsage> ownerUsages = new HashMap<>();
    private final BatchUsage usage = new BatchUsage();
    private long settledWeight;

    /** The last durable seq of the identity stream; -1 if it was not read yet. */
    private long durableIdentitySeq = -1;

    BatchBuilder(LedgerReader reader, SubjectCache cache, Instant now) {
        this.reader = reader;
        this.cache = cache;
        this.now = now;
    }

    /** Lets a task decide. If the task throws, or its decision cannot be written, the batch stays unchanged. */
    <R> TaskDecision<R> decide(String stream, WriterTask<R> task) {
        BatchTaskContext context =
                new BatchTaskContext(this, stream, now, streamHead(stream).lastSeq());
        TaskDecision<R> taskDecision = task.decide(context);
        if (!taskDecision.events().isEmpty() || !taskDecision.summaries().isEmpty()) {
            Map<SubjectCacheEntry.Key, SubjectCacheEntry> after =
                    new LedgerAppendValidator(this, context).validate(taskDecision);
            usage.add(after, key -> subject(key.stream(), key.subject()), taskDecision.events());
            changedSubjects.putAll(after);
            events.addAll(taskDecision.events());
            for (LedgerEvent event : taskDecision.events()) {
                if (stream.equals(LedgerReader.IDENTITY_STREAM)) {
                    identityEvents.add(event);
                }
                if (event.reference() != null) {
                    eventsByReference.put(new Reference(stream, event.reference()), event);
                }
                streamHeads.computeIfPresent(stream, (name, streamHead) -> streamHead.plus(event));
            }
        }
        return taskDecision;
    }

    /** Returns the decisions of all tasks. A subject's summary is contained once, in its last version. */
    LedgerBatch batch() {
        List<SubjectSummary> summaries = new ArrayList<>(changedSubjects.size());
        for (SubjectCacheEntry subjectCacheEntry : changedSubjects.values()) {
            if (subjectCacheEntry.summary() != null) {
                summaries.add(subjectCacheEntry.summary());
            }
        }
        return new LedgerBatch(events, summaries);
    }

    /** Returns the range by which each stream grows. */
    List<AppendedRange> appendedRanges() {
        Map<String, AppendedRange> appendedRanges = new LinkedHashMap<>();
        for (LedgerEvent event : events) {
            appendedRanges.merge(
                    event.stream(),
                    new AppendedRange(event.stream(), event.seq(), event.seq()),
                    (before, next) -> new AppendedRange(before.stream(), before.firstSeq(), next.lastSeq()));
        }
        return List.copyOf(appendedRanges.values());
    }

    int eventCount() {
        return events.size();
    }

    /** Moves the changed state into the cache; called once the batch is durable. */
    void updateCache() {
        streamHeads.forEach(cache::setWrittenHead);
        changedSubjects.forEach(cache::put);
    }

    SubjectCacheEntry subject(String stream, String subject) {
        SubjectCacheEntry.Key key = new SubjectCacheEntry.Key(stream, subject);
        SubjectCacheEntry subjectCacheEntry = changedSubjects.get(key);
        if (subjectCacheEntry == null) {
            subjectCacheEntry = cache.get(key);
        }
        if (subjectCacheEntry == null) {
            subjectCacheEntry = settledSubjects.get(key);
        }
        return subjectCacheEntry == null ? loadSubject(key) : subjectCacheEntry;
    }

    private SubjectCacheEntry loadSubject(SubjectCacheEntry.Key key) {
        List<LedgerEvent> history = reader.history(key.stream(), key.subject());
        if (history.isEmpty()) {
            return SubjectCacheEntry.EMPTY;
        }
        SubjectCacheEntry subjectCacheEntry = SubjectCacheEntry.of(
                history, reader.summary(key.stream(), key.subject()).orElse(null));
        cache.put(key, subjectCacheEntry);
        // The cache does not hold settled subjects, so without this map every task would read them again.
        if (subjectCacheEntry.hasEnded() && settledWeight + subjectCacheEntry.memoryBytes() <= MAX_SETTLED_BYTES) {
            settledWeight += subjectCacheEntry.memoryBytes();
            settledSubjects.put(key, subjectCacheEntry);
        }
        return subjectCacheEntry;
    }

    Optional<LedgerEvent> findByReference(String stream, String reference) {
        LedgerEvent batchEvent = eventsByReference.get(new Reference(stream, reference));
        return batchEvent == null ? reader.findByReference(stream, reference) : Optional.of(batchEvent);
    }

    List<LedgerEvent> identityEventsAfter(long seq) {
        if (durableIdentitySeq < 0) {
            durableIdentitySeq = reader.lastIdentitySeq();
        }
        if (durableIdentitySeq <= seq && identityEvents.isEmpty()) {
            return List.of();
        }
        List<LedgerEvent> found = new ArrayList<>();
        long last = seq;
        while (last < durableIdentitySeq
                && reader.eventsAfter(LedgerReader.IDENTITY_STREAM, last, PAGE_SIZE)
                        instanceof StreamReadResult.Events(List<LedgerEvent> page)
                && !page.isEmpty()) {
            found.addAll(page);
            last = page.getLast().seq();
        }
        identityEvents.stream().filter(event -> event.seq() > seq).forEach(found::add);
        return found;
    }

    OwnerUsage ownerUsage(String owner, int starts) {
        return usage.plusBatch(
                owner,
                ownerUsages.computeIfAbsent(new UsageKey(owner, starts), key -> reader.ownerUsage(owner, now, starts)));
    }

    private record UsageKey(String owner, int starts) {}

    List<SubjectSummary> openSubjects(String stream) {
        Map<String, SubjectSummary> open = new LinkedHashMap<>();
        SubjectQuery query = SubjectQuery.of(stream).open(true).order(SubjectQuery.Order.OLDEST_FIRST);
        @Nullable String cursor = null;
        do {
            SubjectPage page = reader.subjects(query, cursor, PAGE_SIZE);
            page.subjects().forEach(summary -> open.put(summary.subject(), summary));
            cursor = page.nextCursor();
        } while (cursor != null);
        changedSubjects.forEach((key, subjectCacheEntry) -> {
            SubjectSummary summary = subjectCacheEntry.summary();
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

    List<SubjectSummary> latestSubjects(String stream, String owner, boolean openOnly, int limit) {
        SubjectQuery all = SubjectQuery.of(stream).owner(owner);
        Map<String, SubjectSummary> found = new LinkedHashMap<>();
        reader.subjects(openOnly ? all.open(true) : all, null, limit)
                .subjects()
                .forEach(summary -> found.put(summary.subject(), summary));
        changedSubjects.forEach((key, subjectCacheEntry) -> {
            SubjectSummary summary = subjectCacheEntry.summary();
            if (key.stream().equals(stream) && summary != null) {
                found.remove(key.subject());
                if (summary.owner().equals(owner) && (summary.open() || !openOnly)) {
                    found.put(key.subject(), summary);
                }
            }
        });
        return found.values().stream()
                .sorted(Comparator.comparing(SubjectSummary::startedAt).reversed())
                .limit(limit)
                .toList();
    }

    private StreamHead streamHead(String stream) {
        StreamHead cachedHead = streamHeads.get(stream);
        if (cachedHead == null) {
            cachedHead = StreamHead.of(reader, stream);
            cache.updateDurableHead(stream, cachedHead);
            streamHeads.put(stream, cachedHead);
        }
        return cachedHead;
    }

    private record Reference(String stream, String reference) {}
}
