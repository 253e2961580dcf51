package dev.gavel.sep.desk;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.kept.SepReader;
import dev.gavel.sep.kept.Streams;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proposals somebody must act on, at hand and sorted by who: finished ones, however many, cost nothing here. It follows
 * the ledger, whoever wrote to it: what was written before something is asked is known when it is answered. Reads from the
 * disk at first, so not on an event loop. Thread-safe.
 */
final class Shelf {
    private static final Logger log = LoggerFactory.getLogger(Shelf.class);
    private static final int AT_ONCE = 1000;

    private final LedgerReader ledger;
    private final SepReader reader;
    private final Archive archive;
    private final Lifecycle lifecycle;
    private final Supplier<Roster> roster;
    private final List<Consumer<Sep>> listeners = new ArrayList<>();

    private final Map<Integer, Entry> open = new HashMap<>();
    private final Map<Party, Set<Integer>> byHolder = new HashMap<>();
    /** Clocks may run where nobody must act, too. */
    private final Set<String> clocked;

    private long seen = -1;

    /**
     * A proposal somebody must act on.
     *
     * @param asked people who were asked something and have not answered
     * @param since since when the first of those who must act has had to
     */
    record Entry(Sep sep, List<Holding> mustAct, List<Person> asked, Instant since) {
        static Entry of(Sep sep, List<Holding> mustAct) {
            return new Entry(
                    sep,
                    List.copyOf(mustAct),
                    sep.standing().activity().asked().stream()
                            .map(asked -> asked.whom())
                            .toList(),
                    mustAct.stream()
                            .map(Holding::since)
                            .min(Comparator.naturalOrder())
                            .orElseGet(() -> sep.standing().since()));
        }
    }

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
        seen = -1;
    }

    /** Takes in what was written by now. */
    synchronized void follow() {
        catchUp();
    }

    /** A proposal as it stands now, open or not. */
    Optional<Sep> find(int number) {
        Entry entry;
        synchronized (this) {
            catchUp();
            entry = open.get(number);
        }
        return entry == null ? archive.find(number) : Optional.of(entry.sep());
    }

    /** Every proposal somebody must act on, or a clock runs for. */
    synchronized List<Entry> open() {
        catchUp();
        return List.copyOf(open.values());
    }

    /** One of them, where it is one. */
    synchronized Optional<Entry> entry(int number) {
        catchUp();
        return Optional.ofNullable(open.get(number));
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
                Entry entry = open.get(number);
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
        catchUp();
        Map<Person, Set<Integer>> held = new HashMap<>();
        for (Entry entry : open.values()) {
            for (Person person : entry.sep().standing().holders().people(role)) {
                held.computeIfAbsent(person, who -> new LinkedHashSet<>())
                        .add(entry.sep().number());
            }
        }
        return held;
    }

    private void catchUp() {
        if (seen < 0) {
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

    /** Takes in everything that is open. What is written meanwhile is taken in behind, where it is known already too. */
    private void load() {
        open.clear();
        byHolder.clear();
        long from = ledger.extent(Streams.SEPS).last();
        SubjectQuery all = SubjectQuery.of(Streams.SEPS);
        archive.lines(all.open(true), line -> read(line).ifPresent(this::put));
        for (String state : clocked) {
            archive.lines(all.open(false).state(state), line -> read(line).ifPresent(this::put));
        }
        seen = from;
    }

    private Optional<Sep> read(Line line) {
        try {
            return archive.find(line.number());
        } catch (LedgerFailure e) {
            // Everybody else's can go on.
            log.error("SEP {} cannot be read and is passed over: {}", line.number(), e.getMessage());
            return Optional.empty();
        }
    }

    private void take(List<Event> events) {
        Map<String, List<Event>> bySubject = new LinkedHashMap<>();
        events.forEach(event -> bySubject
                .computeIfAbsent(event.subject(), subject -> new ArrayList<>())
                .add(event));
        bySubject.forEach((subject, more) -> {
            try {
                Entry before = open.get(Integer.parseInt(subject));
                Sep now = after(before, more);
                put(now);
                listeners.forEach(listener -> listener.accept(now));
            } catch (LedgerFailure e) {
                log.error("SEP {} cannot be read and is passed over: {}", subject, e.getMessage());
            }
        });
    }

    private Sep after(@Nullable Entry before, List<Event> more) {
        if (before == null) {
            int number = Integer.parseInt(more.getFirst().subject());
            return archive.find(number)
                    .orElseThrow(() -> new LedgerFailure("SEP " + number + " has events and no history"));
        }
        return reader.plus(before.sep(), more);
    }

    private void put(Sep sep) {
        Entry before = open.remove(sep.number());
        if (before != null) {
            parties(before).forEach(party -> {
                Set<Integer> of = byHolder.get(party);
                if (of != null) {
                    of.remove(sep.number());
                }
            });
        }
        if (clocked.contains(sep.state())
                || lifecycle.process().state(sep.state()).open()) {
            Entry entry = entry(sep);
            open.put(sep.number(), entry);
            parties(entry)
                    .forEach(party -> byHolder.computeIfAbsent(party, who -> new LinkedHashSet<>())
                            .add(sep.number()));
        }
    }

    private Entry entry(Sep sep) {
        return Entry.of(
                sep,
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
