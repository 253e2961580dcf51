package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReplayResult;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.process.ProcessState;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.sep.Sep;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepReplayer;
import dev.gavel.sep.store.SepStreams;
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
 * In-memory cache of open SEPs, indexed by who must act, that follows the ledger. It follows the ledger, whoever wrote
 * to it: what was written before something is asked is known when it is answered. Reads from the disk at first, so not
 * on an event loop. Thread-safe.
 */
final class OpenSepCache {
    private static final int AT_ONCE = 1000;

    private final LedgerReader ledger;
    private final SepReplayer reader;
    private final SepLedgerReader sepReader;
    private final LifecycleEngine lifecycleEngine;
    private final Supplier<PeopleResolver> peopleResolver;
    private final List<Consumer<Sep>> listeners = new ArrayList<>();

    private final Map<Integer, Entry> cached = new HashMap<>();
    private final Map<PersonOrGroup, Set<Integer>> byHolder = new HashMap<>();
    /** Clocks may run where nobody must act, too. */
    private final Set<String> clockedStates;

    /** Up to where listeners were told of everything; nothing was read yet where it is negative. */
    private long lastSeenSeq = -1;

    /** Whether what is at hand must be read anew. */
    private boolean stale = true;

    /** Whether the ledger's summaries say of each proposal whether it is open as the process does; once so, for good. */
    private volatile boolean summariesAgree;

    /**
     * A proposal somebody must act on, or was asked about.
     *
     * @param lastSeq the seq of the last event that counts in it
     * @param asked people who were asked something and have not answered
     * @param since since when the first of those who must act has had to
     */
    record Entry(Sep sep, long lastSeq, List<Assignment> mustAct, List<Person> asked, Instant since) {
        static Entry of(VersionedSep versionedSep, List<Assignment> mustAct) {
            Sep sep = versionedSep.sep();
            return new Entry(
                    sep,
                    versionedSep.lastSeq(),
                    List.copyOf(mustAct),
                    sep.snapshot().lastActivity().openQuestions().stream()
                            .map(asked -> asked.addressee())
                            .toList(),
                    mustAct.stream()
                            .map(Assignment::since)
                            .min(Comparator.naturalOrder())
                            .or(() -> sep.snapshot().lastActivity().openQuestions().stream()
                                    .map(asked -> asked.at())
                                    .min(Comparator.naturalOrder()))
                            .orElseGet(() -> sep.snapshot().since()));
        }
    }

    /** A proposal as it stands after an event. */
    record VersionedSep(Sep sep, long lastSeq) {}

    OpenSepCache(
            LedgerReader ledger,
            SepReplayer reader,
            SepLedgerReader sepLedgerReader,
            LifecycleEngine lifecycleEngine,
            Supplier<PeopleResolver> roster) {
        this.ledger = ledger;
        this.reader = reader;
        this.sepReader = sepLedgerReader;
        this.lifecycleEngine = lifecycleEngine;
        this.peopleResolver = roster;
        this.clockedStates = lifecycleEngine.processDefinition().clockRules().stream()
                .flatMap(clockRule -> clockRule.states().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Tells somebody of every proposal that changed from now on. */
    synchronized void addListener(Consumer<Sep> listener) {
        listeners.add(listener);
    }

    /** People are called otherwise by now: everything is read anew when it is next wanted. */
    synchronized void invalidate() {
        stale = true;
    }

    /** Whether the ledger can be asked for what is open: what was written by another process may say otherwise. */
    boolean summariesAgree() {
        if (!summariesAgree) {
            summariesAgree = sepReader.summariesAgree(lifecycleEngine.processDefinition());
        }
        return summariesAgree;
    }

    /** Takes in what was written by now. */
    synchronized void refresh() {
        catchUp();
    }

    /** A proposal as it stands now, open or not. */
    Optional<Sep> find(int number) {
        return findCached(number).or(() -> sepReader.find(number));
    }

    /** The same for whoever looks at others beside it: one that cannot be read is as if it were not there. */
    Optional<Sep> findReadable(int number) {
        return findCached(number).or(() -> sepReader.findReadable(number));
    }

    private synchronized Optional<Sep> findCached(int number) {
        catchUp();
        return Optional.ofNullable(cached.get(number)).map(Entry::sep);
    }

    /** Every proposal somebody must act on, or a clock runs for. */
    synchronized List<Entry> openEntries() {
        catchUp();
        return cached.values().stream().filter(this::isTracked).toList();
    }

    /** One of them, where it is one. */
    synchronized Optional<Entry> entry(int number) {
        catchUp();
        return Optional.ofNullable(cached.get(number)).filter(this::isTracked);
    }

    /** Whether more than a question keeps it here. */
    private boolean isTracked(Entry entry) {
        return isTracked(lifecycleEngine.processDefinition().state(entry.sep().state()));
    }

    private boolean isTracked(ProcessState state) {
        return state.isOpen() || clockedStates.contains(state.name());
    }

    /** What a reader must act on, or was asked about; those who have waited longest first. */
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

    /** How many open proposals each person holds a role in. */
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
        long last = ledger.retainedRange(SepStreams.SEPS).last();
        while (lastSeenSeq < last) {
            switch (ledger.eventsAfter(SepStreams.SEPS, lastSeenSeq, AT_ONCE)) {
                case StreamReplayResult.Events(List<LedgerEvent> events) -> {
                    if (events.isEmpty()) {
                        return;
                    }
                    apply(events);
                    lastSeenSeq = events.getLast().seq();
                }
                case StreamReplayResult.Resync(RetainedStreamRange _) -> load();
            }
        }
    }

    /**
     * Takes in everything that is open or asked about. By state, for the process may see a state otherwise than the one
     * that summaries were written by. What is written meanwhile is taken in behind.
     */
    private void load() {
        cached.clear();
        byHolder.clear();
        // Until all is done, so that what fails half-way is begun again.
        stale = true;
        long last = ledger.retainedRange(SepStreams.SEPS).last();
        SubjectQuery all = SubjectQuery.of(SepStreams.SEPS);
        for (ProcessState state : lifecycleEngine.processDefinition().states().values()) {
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

    /** The proposals that listeners have not been told of as they are now. */
    private Set<Integer> missedNumbers(long last) {
        Set<Integer> missed = new LinkedHashSet<>();
        long at = lastSeenSeq;
        while (at < last) {
            switch (ledger.eventsAfter(SepStreams.SEPS, at, AT_ONCE)) {
                case StreamReplayResult.Events(List<LedgerEvent> events) -> {
                    events.forEach(event -> missed.add(Integer.valueOf(event.subject())));
                    at = events.isEmpty() ? last : events.getLast().seq();
                }
                case StreamReplayResult.Resync(RetainedStreamRange _) -> {
                    // It cannot be told any more which: so all.
                    sepReader.forEachSummary(
                            SubjectQuery.of(SepStreams.SEPS), sepSummary -> missed.add(sepSummary.number()));
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
            // Everybody else's can go on.
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
            // Some were taken in and others not: who asks next begins again.
            stale = true;
            throw e;
        }
    }

    private Optional<VersionedSep> withEvents(int number, List<LedgerEvent> more) {
        Entry before = cached.get(number);
        if (before == null) {
            return read(number);
        }
        // It may have been read when some of these were there already.
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
            // How it stands now nobody can tell: better not at hand than as it stood before.
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
        ProcessState state = lifecycleEngine.processDefinition().state(sep.state());
        if (isTracked(state)
                || (!state.isEnd()
                        && !sep.snapshot().lastActivity().openQuestions().isEmpty())) {
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
                lifecycleEngine.mustAct(
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
