package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.sep.Sep;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepReplayer;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.UnreadableSepException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * In-memory cache of open SEPs, indexed by who must act and kept up to date from the ledger. It sees the writes of all
 * processes: an event written before a query is included in its result. The first query loads from the disk, so it must
 * not be called on an event loop. Thread-safe.
 */
final class OpenSepCache {
    private static final int PAGE_SIZE = 1000;

    private final LedgerReader ledger;
    private final SepReplayer reader;
    private final SepLedgerReader sepReader;
    private final LifecycleEngine lifecycleEngine;
    private final Supplier<PeopleResolver> peopleResolver;
    private final List<Consumer<Sep>> listeners = new ArrayList<>();

    private final Map<Integer, Entry> cached = new HashMap<>();
    private final Map<PersonOrGroup, Set<Integer>> byHolder = new HashMap<>();
    /** States with a clock rule. A clock may also run in a state in which no one must act. */
    private final Set<String> clockedStates;

    /** Sequence number of the last event that listeners were notified of; negative before the first load. */
    private long lastSeenSeq = -1;

    /** Whether the cache must be loaded again. */
    private boolean stale = true;

    /** Whether all ledger summaries classify states as open exactly as the process does. Once true, it stays true. */
    private volatile boolean summariesAgree;

    /**
     * A SEP on which a person or role must act, or with an unanswered question.
     *
     * @param lastSeq the sequence number of the last event applied to the SEP
     * @param asked the people who have not answered a question
     * @param since since when the longest-waiting of those who must act has been assigned
     */
    record Entry(Sep sep, long lastSeq, List<Assignment> mustAct, List<Person> asked, Instant since) {
        static Entry of(VersionedSep versionedSep, List<Assignment> mustAct) {
            Sep sep = versionedSep.sep();
            return new Entry(
                    sep,
                    versionedSep.lastSeq(),
                    List.copyOf(mustAct),
                    sep.snapshot().lastActivityByPerson().openQuestions().stream()
                            .map(asked -> asked.addressee())
                            .toList(),
                    mustAct.stream()
                            .map(Assignment::since)
                            .min(Comparator.naturalOrder())
                            .or(() -> sep.snapshot().lastActivityByPerson().openQuestions().stream()
                                    .map(asked -> asked.at())
                                    .min(Comparator.naturalOrder()))
                            .orElseGet(() -> sep.snapshot().since()));
        }
    }

    /** A SEP after a given event. */
    record VersionedSep(Sep sep, long lastSeq) {}

    OpenSepCache(
            LedgerReader ledger,
            SepReplayer reader,
            SepLedgerReader sepLedgerReader,
            LifecycleEngine lifecycleEngine,
            Supplier<PeopleResolver> peopleSupplier) {
        this.ledger = ledger;
        this.reader = reader;
        this.sepReader = sepLedgerReader;
        this.lifecycleEngine = lifecycleEngine;
        this.peopleResolver = peopleSupplier;
        this.clockedStates = lifecycleEngine.processDefinition().clockRules().stream()
                .flatMap(clockRule -> clockRule.states().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Registers a listener that is notified of every SEP that changes from now on. */
    synchronized void addListener(Consumer<Sep> listener) {
        listeners.add(listener);
    }

    /** Marks the cache as stale because people or their roles have changed. The next query loads it again. */
    synchronized void invalidate() {
        stale = true;
    }

    /**
     * Whether the ledger can be queried for open SEPs. Summaries written under another process definition may differ.
     */
    boolean summariesAgree() {
        if (!summariesAgree) {
            summariesAgree = sepReader.summariesAgree(lifecycleEngine.processDefinition());
        }
        return summariesAgree;
    }

    /** Applies all events written so far. */
    synchronized void refresh() {
        catchUp();
    }

    /** Returns the current version of a SEP, open or not. */
    Optional<Sep> find(int number) {
        return findCached(number).or(() -> sepReader.find(number));
    }

    /**
     * Returns the current version of a SEP, for callers that read other SEPs as well. An unreadable SEP counts as
     * missing.
     */
    Optional<Sep> findReadable(int number) {
        return findCached(number).or(() -> sepReader.findReadable(number));
    }

    private synchronized Optional<Sep> findCached(int number) {
        catchUp();
        return Optional.ofNullable(cached.get(number)).map(Entry::sep);
    }

    /** Returns every SEP on which a person or role must act or for which a clock runs. */
    synchronized List<Entry> openEntries() {
        catchUp();
        return cached.values().stream().filter(this::isTracked).toList();
    }

    /** Returns one entry of {@link #openEntries}, if the SEP is among them. */
    synchronized Optional<Entry> entry(int number) {
        catchUp();
        return Optional.ofNullable(cached.get(number)).filter(this::isTracked);
    }

    /** Whether the SEP is cached for another reason than an unanswered question. */
    private boolean isTracked(Entry entry) {
        return isTracked(lifecycleEngine.processDefinition().state(entry.sep().state()));
    }

    private boolean isTracked(StateDefinition state) {
        return state.isOpen() || clockedStates.contains(state.name());
    }

    /** Returns the SEPs on which a reader must act or about which the reader was asked, the longest waiting first. */
    List<Entry> pendingFor(Actor reader) {
        List<Entry> found = new ArrayList<>();
        synchronized (this) {
            catchUp();
            Set<Integer> numbers = new LinkedHashSet<>(byHolder.getOrDefault(reader.person(), Set.of()));
            for (String role : lifecycleEngine.processDefinition().expandActorRoles(reader.roles())) {
                numbers.addAll(byHolder.getOrDefault(new RoleGroup(role), Set.of()));
            }
            for (Integer number : numbers) {
                Entry entry = cached.get(number);
                if (entry != null) {
                    found.add(entry);
                }
            }
        }
        found.sort(Comparator.comparing(Entry::since)
                .thenComparingInt(entry -> entry.sep().number()));
        return found;
    }

    /** Returns the numbers of the open SEPs in which each person holds a role. */
    synchronized Map<Person, Set<Integer>> numbersByHolder(String role) {
        Map<Person, Set<Integer>> held = new HashMap<>();
        for (Entry entry : openEntries()) {
            for (Person person : entry.sep().snapshot().holders().people(role)) {
                held.computeIfAbsent(person, who -> new LinkedHashSet<>())
                        .add(entry.sep().number());
            }
        }
        return held;
    }

    private void catchUp() {
        if (stale) {
            load();
        }
        long last = ledger.retainedRange(SepStreamNames.SEPS).last();
        while (lastSeenSeq < last) {
            switch (ledger.eventsAfter(SepStreamNames.SEPS, lastSeenSeq, PAGE_SIZE)) {
                case StreamReadResult.Events(List<LedgerEvent> events) -> {
                    if (events.isEmpty()) {
                        return;
                    }
                    apply(events);
                    lastSeenSeq = events.getLast().seq();
                }
                case StreamReadResult.Resync(RetainedStreamRange _) -> load();
            }
        }
    }

    /**
     * Loads all SEPs that are open or have an unanswered question. It queries by state, because the summaries may have
     * been written under a process definition that classifies states differently. Events written during the load are
     * applied afterwards.
     */
    private void load() {
        cached.clear();
        byHolder.clear();
        // The cache stays stale until the load is complete, so that the next query repeats a failed load.
        stale = true;
        long last = ledger.retainedRange(SepStreamNames.SEPS).last();
        SubjectQuery all = SubjectQuery.of(SepStreamNames.SEPS);
        for (StateDefinition state :
                lifecycleEngine.processDefinition().states().values()) {
            if (isTracked(state)) {
                sepReader.forEachSummary(
                        all.state(state.name()),
                        sepSummary -> read(sepSummary.number()).ifPresent(this::put));
            }
        }
        for (int number : sepReader.withOpenQuestions()) {
            if (!cached.containsKey(number)) {
                read(number).ifPresent(this::put);
            }
        }
        if (lastSeenSeq >= 0 && !listeners.isEmpty()) {
            missedNumbers(last)
                    .forEach(number -> read(number).ifPresent(versionedSep -> notifyListeners(versionedSep.sep())));
        }
        lastSeenSeq = last;
        stale = false;
    }

    /** Returns the SEPs whose current version listeners have not been notified of. */
    private Set<Integer> missedNumbers(long last) {
        Set<Integer> missed = new LinkedHashSet<>();
        long at = lastSeenSeq;
        while (at < last) {
            switch (ledger.eventsAfter(SepStreamNames.SEPS, at, PAGE_SIZE)) {
                case StreamReadResult.Events(List<LedgerEvent> events) -> {
                    events.forEach(event -> missed.add(Integer.valueOf(event.subject())));
                    at = events.isEmpty() ? last : events.getLast().seq();
                }
                case StreamReadResult.Resync(RetainedStreamRange _) -> {
                    // The changed SEPs cannot be determined any more, so all are returned.
                    sepReader.forEachSummary(
                            SubjectQuery.of(SepStreamNames.SEPS), sepSummary -> missed.add(sepSummary.number()));
                    return missed;
                }
            }
        }
        return missed;
    }

    private void notifyListeners(Sep sep) {
        listeners.forEach(listener -> listener.accept(sep));
    }

    private Optional<VersionedSep> read(int number) {
        List<LedgerEvent> events = sepReader.events(number);
        try {
            return reader.replay(events)
                    .map(sep -> new VersionedSep(sep, events.getLast().seq()));
        } catch (UnreadableSepException e) {
            // The other SEPs stay usable.
            sepReader.logUnreadable(number, e);
            return Optional.empty();
        }
    }

    private void apply(List<LedgerEvent> events) {
        Map<Integer, List<LedgerEvent>> byNumber = new LinkedHashMap<>();
        events.forEach(event -> byNumber.computeIfAbsent(Integer.valueOf(event.subject()), number -> new ArrayList<>())
                .add(event));
        try {
            byNumber.forEach((number, more) -> withEvents(number, more).ifPresent(versionedSep -> {
                put(versionedSep);
                notifyListeners(versionedSep.sep());
            }));
        } catch (RuntimeException e) {
            // Only some events were applied, so the next query loads the cache again.
            stale = true;
            throw e;
        }
    }

    private Optional<VersionedSep> withEvents(int number, List<LedgerEvent> more) {
        Entry before = cached.get(number);
        if (before == null) {
            return read(number);
        }
        // The cached version may already include some of these events.
        List<LedgerEvent> fresh =
                more.stream().filter(event -> event.seq() > before.lastSeq()).toList();
        try {
            return Optional.of(
                    fresh.isEmpty()
                            ? new VersionedSep(before.sep(), before.lastSeq())
                            : new VersionedSep(
                                    reader.append(before.sep(), fresh),
                                    fresh.getLast().seq()));
        } catch (UnreadableSepException e) {
            // The current version is unknown, and a missing entry is better than an outdated one.
            remove(number);
            sepReader.logUnreadable(number, e);
            return Optional.empty();
        }
    }

    private void remove(int number) {
        Entry before = cached.remove(number);
        if (before != null) {
            parties(before).forEach(personOrGroup -> {
                Set<Integer> of = byHolder.get(personOrGroup);
                if (of != null) {
                    of.remove(number);
                }
            });
        }
    }

    private void put(VersionedSep versionedSep) {
        Sep sep = versionedSep.sep();
        remove(sep.number());
        StateDefinition state = lifecycleEngine.processDefinition().state(sep.state());
        if (isTracked(state)
                || (!state.isEnd()
                        && !sep.snapshot()
                                .lastActivityByPerson()
                                .openQuestions()
                                .isEmpty())) {
            Entry entry = entry(versionedSep);
            cached.put(sep.number(), entry);
            parties(entry)
                    .forEach(personOrGroup -> byHolder.computeIfAbsent(personOrGroup, who -> new LinkedHashSet<>())
                            .add(sep.number()));
        }
    }

    private Entry entry(VersionedSep versionedSep) {
        Sep sep = versionedSep.sep();
        return Entry.of(
                versionedSep,
                lifecycleEngine.requiredActors(
                        sep.history(),
                        SepFactEvaluator.of(sep.metadata(), lifecycleEngine.processDefinition(), peopleResolver.get()),
                        sep.snapshot().since()));
    }

    private static Collection<PersonOrGroup> parties(Entry entry) {
        Set<PersonOrGroup> personOrGroups = new LinkedHashSet<>(entry.asked());
        entry.mustAct().forEach(assignment -> personOrGroups.add(assignment.party()));
        return personOrGroups;
    }
}
