package dev.gavel.sep.desk;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerReader;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Takes up a process: proposals that live by another one go on by this, unless it has no place for them. Which one they
 * live by is kept beside them. Stateless.
 */
final class Adoption {
    private static final String SUBJECT = "process";

    /** So many proposals in one state are looked for, to name them. */
    private static final int LOOKED_FOR = 1_000;

    private Adoption() {}

    /** Why a process cannot be taken up; empty once it is. */
    static Optional<String> adopt(LedgerReader ledger, LedgerWriter writer, Process process) {
        Recorded now = Recorded.of(process);
        Optional<Recorded> before = ledger.summary(Streams.PROCESS, SUBJECT)
                .flatMap(summary -> Json.parse(summary.body().toString()))
                .flatMap(Recorded::of);
        if (before.filter(now::equals).isPresent()) {
            return Optional.empty();
        }
        Optional<String> objection =
                before.flatMap(known -> ProcessChange.objection(known, process, state -> numbers(ledger, state)));
        if (objection.isPresent()) {
            return objection;
        }
        CompletableFuture<Optional<String>> written = new CompletableFuture<>();
        writer.submit(
                Streams.PROCESS,
                view -> note(view, now),
                outcome -> written.complete(
                        switch (outcome) {
                            case Outcome.Written<Boolean> _ -> Optional.empty();
                            // It is written at the next start; until then nothing stands in the way of anything.
                            case Outcome.Unavailable<Boolean> _ -> Optional.empty();
                            case Outcome.Failed<Boolean>(Throwable cause) ->
                                Optional.of("the process cannot be noted in the ledger: " + cause.getMessage());
                        }));
        return written.join();
    }

    private static List<Integer> numbers(LedgerReader ledger, String state) {
        return ledger.subjects(SubjectQuery.of(Streams.SEPS).state(state), null, LOOKED_FOR).subjects().stream()
                .map(Summary::subject)
                .map(Integer::valueOf)
                .toList();
    }

    private static Decided<Boolean> note(View view, Recorded now) {
        Event event = view.event(
                SUBJECT, "adopted", Actor.SYSTEM, null, Body.of(now.json().raw()));
        return Decided.one(
                true,
                event,
                SepProjector.note(view.summary(SUBJECT).map(Summary::startedAt).orElse(event.at()), event));
    }
}
