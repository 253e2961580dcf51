package dev.gavel.sep.service;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.LinkedSepNumbers;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepStreams;
import dev.gavel.sep.store.SepSummary;
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
 * In-memory index of all SEPs: highest number, counts by state, document hashes and links between SEPs. Read from the
 * disk when it is first needed; not on an event loop. Thread-safe.
 */
final class SepIndex {
    private final SepLedgerReader sepReader;
    private final ProcessDefinition processDefinition;
    private final Runnable refresh;
    private final Map<Integer, String> documents = new TreeMap<>();
    private final Map<String, SortedSet<Integer>> byDocument = new HashMap<>();
    private final Map<Integer, LinkedSepNumbers> linkedSepNumbers = new HashMap<>();
    private final Map<Integer, String> states = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private boolean loaded;
    private int highest;

    /**
     * One that knows nothing yet.
     *
     * @param follow has {@link #update} told of everything up to now, and of everything from then on; never called with
     *     this locked, which {@link #update} waits for
     */
    SepIndex(SepLedgerReader sepLedgerReader, ProcessDefinition processDefinition, Runnable follow) {
        this.sepReader = sepLedgerReader;
        this.processDefinition = processDefinition;
        this.refresh = follow;
    }

    /** The numbers of proposals that name one, by how they name it. */
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
        if (sepSummary.linkedSepNumbers().equals(LinkedSepNumbers.NONE)) {
            linkedSepNumbers.remove(sepSummary.number());
        } else {
            linkedSepNumbers.put(sepSummary.number(), sepSummary.linkedSepNumbers());
        }
    }

    private void load() {
        if (!loaded) {
            sepReader.forEachSummary(SubjectQuery.of(SepStreams.SEPS), this::update);
            loaded = true;
        }
    }

    /** A number above all there are. */
    int nextNumber() {
        refresh.run();
        synchronized (this) {
            load();
            return highest + 1;
        }
    }

    /** How many there are in each state that any is in. */
    Map<String, Integer> countsByState() {
        refresh.run();
        synchronized (this) {
            load();
            Map<String, Integer> found = new HashMap<>(counts);
            found.values().removeIf(count -> count == 0);
            return found;
        }
    }

    /** The proposals that have a document now. */
    List<Integer> numbersWithDocument(String hash) {
        refresh.run();
        synchronized (this) {
            load();
            return List.copyOf(byDocument.getOrDefault(hash, Collections.emptySortedSet()));
        }
    }

    /** The hash of every proposal's document, by its number; whoever asks has followed the ledger. */
    synchronized Map<Integer, String> documentHashes() {
        load();
        return Map.copyOf(documents);
    }

    IncomingLinks linksTo(int number) {
        refresh.run();
        synchronized (this) {
            load();
            return new IncomingLinks(
                    linksTo(number, LinkedSepNumbers::supersedes),
                    linksTo(number, LinkedSepNumbers::replaces),
                    linksTo(number, LinkedSepNumbers::requires));
        }
    }

    private List<Integer> linksTo(int number, Function<LinkedSepNumbers, List<Integer>> how) {
        List<Integer> found = new ArrayList<>();
        linkedSepNumbers.forEach((from, all) -> {
            if (how.apply(all).contains(number)) {
                found.add(from);
            }
        });
        found.sort(null);
        return found;
    }
}
