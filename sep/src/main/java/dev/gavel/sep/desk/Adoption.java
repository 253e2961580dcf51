package dev.gavel.sep.desk;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.Outcome;
import dev.gavel.ledger.writer.View;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.kept.SepProjector;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.process.ProcessChange;
import dev.gavel.sep.process.Recorded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes up a process: proposals that live by another one go on by this, unless it has no place for them. Which one they
 * live by is kept beside them.
 *
 * <p>A server whose ledger cannot be written to starts nevertheless, so that it can be read and mended. Then nothing is
 * noted at first; but before anything changes it is, or the next process would be held against the wrong one.
 * Thread-safe.
 */
final class Adoption {
    private static final String SUBJECT = "process";

    /** So many proposals in one state are looked for, to name them. */
    private static final int LOOKED_FOR = 1_000;

    private static final Duration LATER = Duration.ofMinutes(1);

    private final LedgerReader ledger;
    private final LedgerWriter writer;
    private final Process process;
    private volatile boolean done;

    Adoption(LedgerReader ledger, LedgerWriter writer, Process process) {
        this.ledger = ledger;
        this.writer = writer;
        this.process = process;
    }

    /** Makes sure that what is about to change does so by a process that is noted. */
    void beforeChange() {
        if (!done) {
            adopt().ifPresent(why -> {
                throw new Clerk.Unavailable(why, LATER);
            });
        }
    }

    /**
     * Why the process cannot be taken up; empty once it is. Waits for the disk.
     *
     * @throws Clerk.Unavailable where the ledger cannot be written to now
     */
    synchronized Optional<String> adopt() {
        if (done) {
            return Optional.empty();
        }
        Recorded now = Recorded.of(process);
        Optional<Recorded> before = ledger.summary(Streams.PROCESS, SUBJECT).flatMap(Adoption::recorded);
        if (before.filter(now::equals).isPresent()) {
            done = true;
            return Optional.empty();
        }
        Optional<String> objection = before.map(
                        known -> ProcessChange.objection(known, process, state -> numbers(ledger, state)))
                .orElseGet(() -> ProcessChange.objection(byState(), process));
        if (objection.isPresent()) {
            return objection;
        }
        CompletableFuture<Outcome<Boolean>> written = new CompletableFuture<>();
        writer.submit(Streams.PROCESS, view -> note(view, now), written::complete);
        return switch (written.join()) {
            case Outcome.Written<Boolean> _ -> {
                done = true;
                yield Optional.empty();
            }
            case Outcome.Unavailable<Boolean>(String reason, Duration retryAfter) ->
                throw new Clerk.Unavailable(reason, retryAfter);
            case Outcome.Failed<Boolean>(Throwable cause) ->
                Optional.of("the process cannot be noted in the ledger: " + cause.getMessage());
        };
    }

    private static Optional<Recorded> recorded(Summary summary) {
        return Json.parse(summary.body().toString()).flatMap(Recorded::of);
    }

    /** Where proposals really are: all are looked through, which is done once in a ledger's life. */
    private Map<String, List<Integer>> byState() {
        Map<String, List<Integer>> found = new TreeMap<>();
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(SubjectQuery.of(Streams.SEPS), cursor, LOOKED_FOR);
            page.subjects()
                    .forEach(summary -> found.computeIfAbsent(summary.state(), state -> new ArrayList<>())
                            .add(Integer.valueOf(summary.subject())));
            cursor = page.next();
        } while (cursor != null);
        return found;
    }

    private static List<Integer> numbers(LedgerReader ledger, String state) {
        return ledger.subjects(SubjectQuery.of(Streams.SEPS).state(state), null, LOOKED_FOR).subjects().stream()
                .map(Summary::subject)
                .map(Integer::valueOf)
                .toList();
    }

    /** Several processes may begin at once, and one note is enough. */
    private static Decided<Boolean> note(View view, Recorded now) {
        if (view.summary(SUBJECT)
                .flatMap(Adoption::recorded)
                .filter(now::equals)
                .isPresent()) {
            return Decided.nothing(true);
        }
        Event event = view.event(
                SUBJECT, "adopted", Actor.SYSTEM, null, Body.of(now.json().raw()));
        return Decided.one(
                true,
                event,
                SepProjector.note(view.summary(SUBJECT).map(Summary::startedAt).orElse(event.at()), event));
    }
}
