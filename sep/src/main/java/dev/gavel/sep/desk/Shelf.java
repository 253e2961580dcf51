package dev.gavel.sep.desk;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.SepReader;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.kept.Unreadable;
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
 * The proposals somebody must act on or was asked about, at hand and sorted by who: finished ones, however many, cost
 * nothing here. It follows the ledger, whoever wrote to it: what was written before something is asked is known when it is answered. Reads from the
 * disk at first, so not on an event loop. Thread-safe.
 */
final class Shelf {
    private static final int AT_ONCE = 1000;

    private final LedgerReader ledger;
    private final SepReader reader;
    private final Archive archive;
    private final Lifecycle lifecycle;
    private final Supplier<Roster> roster;
    private final List<Consumer<Sep>> listeners = new ArrayList<>();

    private final Map<Integer, Entry> atHand = new HashMap<>();
    private final Map<Party, Set<Integer>> byHolder = new HashMap<>();
    /** Clocks may run where nobody must act, too. */
    private final Set<String> clocked;

    /** Up to where listeners were told of everything; nothing was read yet where it is negative. */
    private long seen = -1;

    /** Whether what is at hand must be read anew. */
    private boolean stale = true;

    /** Whether the ledger's summaries say of each proposal whether it is open as the process does; once so, for good. */
    private volatile boolean agrees;

    /**
     * A proposal somebody must act on, or was asked about.
     *
     * @param upTo the seq of the last event that counts in it
     * @param asked people who were asked something and have not answered
     * @param since since when the first of those who must act has had to
     */
    record Entry(Sep sep, long upTo, List<Holding> mustAct, List<Person> asked, Instant since) {
        static Entry of(Known known, List<Holding> mustAct) {
            Sep sep = known.sep();
            return new Entry(
                    sep,
                    known.upTo(),
                    List.copyOf(mustAct),
                    sep.standing().activity().asked().stream()
                            .map(asked -> asked.whom())
                            .toList(),
                    mustAct.stream()
                            .map(Holding::since)
                            .min(Comparator.naturalOrder())
                            .or(() -> sep.standing().activity().asked().stream()
                                    .map(asked -> asked.at())
                                    .min(Comparator.naturalOrder()))
                            .orElseGet(() -> sep.standing().since()));
        }
    }

    /** A proposal as it stands after an event. */
    record Known(Sep sep, long upTo) {}

    Shelf(LedgerReader ledger, SepReader reader, Archive archive, Lifecycle lifecycle, Supplier<Roster> roster) {
        this.ledger = ledger;
        this.reader = reader;
        this.archive = archive;
        this.lifecycle = lifecycle;
        this.roster = roster;
        this.clocked = lifecycle.process().clocks().stream()
                .flatMap(clock -> clock.in().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Tells somebody of every proposal that changed from now on. */
    synchronized void listen(Consumer<Sep> listener) {
        listeners.add(listener);
    }

    /** People are called otherwise by now: everything is read anew when it is next wanted. */
    synchronized void forget() {
        stale = true;
    }

    /** Whether the ledger can be asked for what is open: what was written by another process may say otherwise. */
    boolean agrees() {
        if (!agrees) {
            agrees = archive.agrees(lifecycle.process());
        }
        return agrees;
    }

    /** Takes in what was written by now. */
    synchronized void follow() {
        catchUp();
    }

    /** A proposal as it stands now, open or not. */
    Optional<Sep> find(int number) {
        return atHand(number).or(() -> archive.find(number));
    }

    /** The same for whoever looks at others beside it: one that cannot be read is as if it were not there. */
    Optional<Sep> readable(int number) {
        return atHand(number).or(() -> archive.readable(number));
    }

    private synchronized Optional<Sep> atHand(int number) {
        catchUp();
        return Optional.ofNullable(atHand.get(number)).map(Entry::sep);
    }

    /** Every proposal somebody must act on, or a clock runs for. */
    synchronized List<Entry> open() {
        catchUp();
        return atHand.values().stream().filter(this::runs).toList();
    }

    /** One of them, where it is one. */
    synchronized Optional<Entry> entry(int number) {
        catchUp();
        return Optional.ofNullable(atHand.get(number)).filter(this::runs);
    }

    /** Whether more than a question keeps it here. */
    private boolean runs(Entry entry) {
        return runs(lifecycle.process().state(entry.sep().state()));
    }

    private boolean runs(State state) {
        return state.open() || clocked.contains(state.name());
    }

    /** What a reader must act on, or was asked about; those who have waited longest first. */
    List<Entry> heldBy(Actor reader) {
        List<Entry> found = new ArrayList<>();
        synchronized (this) {
            catchUp();
            Set<Integer> numbers = new LinkedHashSet<>(byHolder.getOrDefault(reader.person(), Set.of()));
            for (String role : lifecycle.process().brought(reader.roles())) {
                numbers.addAll(byHolder.getOrDefault(new Group(role), Set.of()));
            }
            for (Integer number : numbers) {
                Entry entry = atHand.get(number);
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
    synchronized Map<Person, Set<Integer>> held(String role) {
        Map<Person, Set<Integer>> held = new HashMap<>();
        for (Entry entry : open()) {
            for (Person person : entry.sep().standing().holders().people(role)) {
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
        long last = ledger.extent(Streams.SEPS).last();
        while (seen < last) {
            switch (ledger.after(Streams.SEPS, seen, AT_ONCE)) {
                case Replay.Events(List<Event> events) -> {
                    if (events.isEmpty()) {
                        return;
                    }
                    take(events);
                    seen = events.getLast().seq();
                }
                case Replay.Resync(Extent _) -> load();
            }
        }
    }

    /**
     * Takes in everything that is open or asked about. By state, for the process may see a state otherwise than the one
     * that summaries were written by. What is written meanwhile is taken in behind.
     */
    private void load() {
        atHand.clear();
        byHolder.clear();
        // Until all is done, so that what fails half-way is begun again.
        stale = true;
        long last = ledger.extent(Streams.SEPS).last();
        SubjectQuery all = SubjectQuery.of(Streams.SEPS);
        for (State state : lifecycle.process().states().values()) {
            if (runs(state)) {
                archive.lines(
                        all.state(state.name()), line -> read(line.number()).ifPresent(this::put));
            }
        }
        for (int number : archive.asked()) {
            if (!atHand.containsKey(number)) {
                read(number).ifPresent(this::put);
            }
        }
        if (seen >= 0 && !listeners.isEmpty()) {
            missed(last).forEach(number -> read(number).ifPresent(known -> tell(known.sep())));
        }
        seen = last;
        stale = false;
    }

    /** The proposals that listeners have not been told of as they are now. */
    private Set<Integer> missed(long last) {
        Set<Integer> missed = new LinkedHashSet<>();
        long at = seen;
        while (at < last) {
            switch (ledger.after(Streams.SEPS, at, AT_ONCE)) {
                case Replay.Events(List<Event> events) -> {
                    events.forEach(event -> missed.add(Integer.valueOf(event.subject())));
                    at = events.isEmpty() ? last : events.getLast().seq();
                }
                case Replay.Resync(Extent _) -> {
                    // It cannot be told any more which: so all.
                    archive.lines(SubjectQuery.of(Streams.SEPS), line -> missed.add(line.number()));
                    return missed;
                }
            }
        }
        return missed;
    }

    private void tell(Sep sep) {
        listeners.forEach(listener -> listener.accept(sep));
    }

    private Optional<Known> read(int number) {
        List<Event> events = archive.events(number);
        try {
            return reader.read(events)
                    .map(sep -> new Known(sep, events.getLast().seq()));
        } catch (Unreadable e) {
            // Everybody else's can go on.
            archive.passOver(number, e);
            return Optional.empty();
        }
    }

    private void take(List<Event> events) {
        Map<Integer, List<Event>> byNumber = new LinkedHashMap<>();
        events.forEach(event -> byNumber.computeIfAbsent(Integer.valueOf(event.subject()), number -> new ArrayList<>())
                .add(event));
        try {
            byNumber.forEach((number, more) -> after(number, more).ifPresent(known -> {
                put(known);
                tell(known.sep());
            }));
        } catch (RuntimeException e) {
            // Some were taken in and others not: who asks next begins again.
            stale = true;
            throw e;
        }
    }

    private Optional<Known> after(int number, List<Event> more) {
        Entry before = atHand.get(number);
        if (before == null) {
            return read(number);
        }
        // It may have been read when some of these were there already.
        List<Event> fresh =
                more.stream().filter(event -> event.seq() > before.upTo()).toList();
        try {
            return Optional.of(
                    fresh.isEmpty()
                            ? new Known(before.sep(), before.upTo())
                            : new Known(
                                    reader.plus(before.sep(), fresh),
                                    fresh.getLast().seq()));
        } catch (Unreadable e) {
            // How it stands now nobody can tell: better not at hand than as it stood before.
            remove(number);
            archive.passOver(number, e);
            return Optional.empty();
        }
    }

    private void remove(int number) {
        Entry before = atHand.remove(number);
        if (before != null) {
            parties(before).forEach(party -> {
                Set<Integer> of = byHolder.get(party);
                if (of != null) {
                    of.remove(number);
                }
            });
        }
    }

    private void put(Known known) {
        Sep sep = known.sep();
        remove(sep.number());
        State state = lifecycle.process().state(sep.state());
        if (runs(state) || (!state.end() && !sep.standing().activity().asked().isEmpty())) {
            Entry entry = entry(known);
            atHand.put(sep.number(), entry);
            parties(entry)
                    .forEach(party -> byHolder.computeIfAbsent(party, who -> new LinkedHashSet<>())
                            .add(sep.number()));
        }
    }

    private Entry entry(Known known) {
        Sep sep = known.sep();
        return Entry.of(
                known,
                lifecycle.mustAct(
                        sep.history(),
                        Facts.of(sep.outline(), lifecycle.process(), roster.get()),
                        sep.standing().since()));
    }

    private static Collection<Party> parties(Entry entry) {
        Set<Party> parties = new LinkedHashSet<>(entry.asked());
        entry.mustAct().forEach(holding -> parties.add(holding.who()));
        return parties;
    }
}
