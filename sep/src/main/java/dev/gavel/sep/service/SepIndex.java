package dev.gavel.sep.service;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DeclaredSepRelations;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * In-memory index of all SEPs: highest number, counts by state, document hashes and links between SEPs. The first query
 * loads it from the disk, so it must not be called on an event loop. Thread-safe.
 */
final class SepIndex {
    private final SepLedgerReader sepReader;
    private final ProcessDefinition processDefinition;
    private final Runnable refresh;
    private final Map<Integer, String> documents = new TreeMap<>();
    private final Map<String, SortedSet<Integer>> byDocument = new HashMap<>();
    private final Map<Integer, DeclaredSepRelations> declaredSepRelations = new HashMap<>();
    private final Map<Integer, String> states = new HashMap<>();
    private final Map<Integer, Instant> stateSince = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private boolean loaded;
    private int highest;

    /**
     * Creates an empty index.
     *
     * @param refreshAction passes all events so far, and all later ones, to {@link #update}; never called while this object is
     *     locked, because {@link #update} waits for the lock
     */
    SepIndex(SepLedgerReader sepLedgerReader, ProcessDefinition processDefinition, Runnable refreshAction) {
        this.sepReader = sepLedgerReader;
        this.processDefinition = processDefinition;
        this.refresh = refreshAction;
    }

    /** The numbers of the SEPs that link to a SEP, by kind of link. */
    record IncomingLinks(List<Integer> supersedes, List<Integer> replaces, List<Integer> requires) {}

    synchronized void update(Sep sep) {
        if (loaded) {
            update(SepSummary.of(sep, processDefinition));
        }
    }

    private void update(SepSummary sepSummary) {
        highest = Math.max(highest, sepSummary.number());
        String left = states.put(sepSummary.number(), sepSummary.state());
        if (left != null) {
            counts.merge(left, -1, Integer::sum);
        }
        counts.merge(sepSummary.state(), 1, Integer::sum);
        stateSince.put(sepSummary.number(), sepSummary.since());
        String before = documents.put(sepSummary.number(), sepSummary.documentHash());
        if (before != null) {
            byDocument.computeIfPresent(before, (hash, numbers) -> {
                numbers.remove(sepSummary.number());
                return numbers.isEmpty() ? null : numbers;
            });
        }
        byDocument
                .computeIfAbsent(sepSummary.documentHash(), hash -> new TreeSet<>())
                .add(sepSummary.number());
        if (sepSummary.declaredSepRelations().equals(DeclaredSepRelations.NONE)) {
            declaredSepRelations.remove(sepSummary.number());
        } else {
            declaredSepRelations.put(sepSummary.number(), sepSummary.declaredSepRelations());
        }
    }

    private void load() {
        if (!loaded) {
            sepReader.forEachSummary(SubjectQuery.of(SepStreamNames.SEPS), this::update);
            loaded = true;
        }
    }

    /** Returns a number above all existing ones. */
    int nextNumber() {
        refresh.run();
        synchronized (this) {
            load();
            return highest + 1;
        }
    }

    /** Returns the lowest number that no SEP has. */
    int lowestFreeNumber() {
        refresh.run();
        synchronized (this) {
            load();
            int number = 1;
            for (int taken : documents.keySet()) {
                if (taken > number) {
                    break;
                }
                number = taken + 1;
            }
            return number;
        }
    }

    /** Returns the number of SEPs in each state that has any. */
    Map<String, Integer> countsByState() {
        refresh.run();
        synchronized (this) {
            load();
            Map<String, Integer> found = new HashMap<>(counts);
            found.values().removeIf(count -> count == 0);
            return found;
        }
    }

    /** Returns the numbers of the SEPs that entered their state after an instant. */
    List<Integer> movedSince(Instant instant) {
        refresh.run();
        synchronized (this) {
            load();
            return stateSince.entrySet().stream()
                    .filter(entry -> entry.getValue().isAfter(instant))
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** Returns the SEPs whose current document has a hash. */
    List<Integer> numbersWithDocument(String hash) {
        refresh.run();
        synchronized (this) {
            load();
            return List.copyOf(byDocument.getOrDefault(hash, Collections.emptySortedSet()));
        }
    }

    /** Returns the document hash of every SEP, by number. The caller has already refreshed the index. */
    synchronized Map<Integer, String> documentHashes() {
        load();
        return Map.copyOf(documents);
    }

    IncomingLinks linksTo(int number) {
        refresh.run();
        synchronized (this) {
            load();
            return new IncomingLinks(
                    linksTo(number, DeclaredSepRelations::supersedes),
                    linksTo(number, DeclaredSepRelations::replaces),
                    linksTo(number, DeclaredSepRelations::requires));
        }
    }

    private List<Integer> linksTo(int number, Function<DeclaredSepRelations, List<Integer>> how) {
        List<Integer> found = new ArrayList<>();
        declaredSepRelations.forEach((from, all) -> {
            if (how.apply(all).contains(number)) {
                found.add(from);
            }
        });
        found.sort(null);
        return found;
    }
}
