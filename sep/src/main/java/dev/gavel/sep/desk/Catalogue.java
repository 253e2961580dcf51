package dev.gavel.sep.desk;

import dev.gavel.ledger.SubjectQuery;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Links;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.kept.Streams;
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
 * What must be known of all proposals at once, finished ones too: the highest number, how many stand where, which
 * document is whose, and who names whom. Read from the disk when it is first needed; not on an event loop. Thread-safe.
 */
final class Catalogue {
    private final Archive archive;
    private final Process process;
    private final Runnable follow;
    private final Map<Integer, String> documents = new TreeMap<>();
    private final Map<String, SortedSet<Integer>> byDocument = new HashMap<>();
    private final Map<Integer, Links> links = new HashMap<>();
    private final Map<Integer, String> states = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private boolean loaded;
    private int highest;

    /**
     * One that knows nothing yet.
     *
     * @param follow has {@link #note} told of everything up to now, and of everything from then on; never called with
     *     this locked, which {@link #note} waits for
     */
    Catalogue(Archive archive, Process process, Runnable follow) {
        this.archive = archive;
        this.process = process;
        this.follow = follow;
    }

    /** The numbers of proposals that name one, by how they name it. */
    record NamedBy(List<Integer> supersedes, List<Integer> replaces, List<Integer> requires) {}

    synchronized void note(Sep sep) {
        if (loaded) {
            note(Line.of(sep, process));
        }
    }

    private void note(Line line) {
        highest = Math.max(highest, line.number());
        String left = states.put(line.number(), line.state());
        if (left != null) {
            counts.merge(left, -1, Integer::sum);
        }
        counts.merge(line.state(), 1, Integer::sum);
        String before = documents.put(line.number(), line.document());
        if (before != null) {
            byDocument.computeIfPresent(before, (hash, numbers) -> {
                numbers.remove(line.number());
                return numbers.isEmpty() ? null : numbers;
            });
        }
        byDocument.computeIfAbsent(line.document(), hash -> new TreeSet<>()).add(line.number());
        if (line.links().equals(Links.NONE)) {
            links.remove(line.number());
        } else {
            links.put(line.number(), line.links());
        }
    }

    private void load() {
        if (!loaded) {
            archive.lines(SubjectQuery.of(Streams.SEPS), this::note);
            loaded = true;
        }
    }

    /** A number above all there are. */
    int next() {
        follow.run();
        synchronized (this) {
            load();
            return highest + 1;
        }
    }

    /** How many there are in each state that any is in. */
    Map<String, Integer> counts() {
        follow.run();
        synchronized (this) {
            load();
            Map<String, Integer> found = new HashMap<>(counts);
            found.values().removeIf(count -> count == 0);
            return found;
        }
    }

    /** The proposals that have a document now. */
    List<Integer> withDocument(String hash) {
        follow.run();
        synchronized (this) {
            load();
            return List.copyOf(byDocument.getOrDefault(hash, Collections.emptySortedSet()));
        }
    }

    /** The hash of every proposal's document, by its number; whoever asks has followed the ledger. */
    synchronized Map<Integer, String> documents() {
        load();
        return Map.copyOf(documents);
    }

    NamedBy naming(int number) {
        follow.run();
        synchronized (this) {
            load();
            return new NamedBy(
                    naming(number, Links::supersedes),
                    naming(number, Links::replaces),
                    naming(number, Links::requires));
        }
    }

    private List<Integer> naming(int number, Function<Links, List<Integer>> how) {
        List<Integer> found = new ArrayList<>();
        links.forEach((from, all) -> {
            if (how.apply(all).contains(number)) {
                found.add(from);
            }
        });
        found.sort(null);
        return found;
    }
}
