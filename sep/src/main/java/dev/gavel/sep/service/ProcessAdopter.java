package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.SubjectPage;
import dev.gavel.ledger.SubjectQuery;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.AdoptedProcessRecord;
import dev.gavel.sep.process.ProcessChangeCheck;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummaryProjector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Records a process in the ledger as the one that SEPs follow, unless it cannot replace the previous process.
 *
 * <p>If the ledger cannot be written to, the server starts nevertheless, so that people can read the SEPs and repair
 * the ledger. The process is then recorded before the first change; otherwise the next process would be compared with
 * the wrong one. Thread-safe.
 */
final class ProcessAdopter {
    private static final String SUBJECT = "process";

    /** The maximum number of SEPs that are read for one state, to list them in a message. */
    private static final int PAGE_SIZE = 1_000;

    private static final Duration RETRY_AFTER = Duration.ofMinutes(1);

    private final LedgerReader ledger;
    private final LedgerWriter writer;
    private final ProcessDefinition processDefinition;
    private volatile boolean adopted;

    ProcessAdopter(LedgerReader ledger, LedgerWriter writer, ProcessDefinition processDefinition) {
        this.ledger = ledger;
        this.writer = writer;
        this.processDefinition = processDefinition;
    }

    /**
     * Ensures that the process is recorded before a change.
     *
     * @throws SepCommandExecutor.LedgerUnavailableException if the process cannot be recorded
     */
    void ensureAdopted() {
        if (!adopted) {
            adopt().ifPresent(why -> {
                throw new SepCommandExecutor.LedgerUnavailableException(why, RETRY_AFTER);
            });
        }
    }

    /**
     * Records the process. Returns why it cannot be adopted; empty once it is. Blocks on the disk.
     *
     * @throws SepCommandExecutor.LedgerUnavailableException if the ledger cannot be written to now
     */
    synchronized Optional<String> adopt() {
        if (adopted) {
            return Optional.empty();
        }
        AdoptedProcessRecord configuredProcess = AdoptedProcessRecord.of(processDefinition);
        Optional<AdoptedProcessRecord> recordedProcess =
                ledger.summary(SepStreamNames.PROCESS, SUBJECT).flatMap(ProcessAdopter::parseRecord);
        if (recordedProcess.filter(configuredProcess::equals).isPresent()) {
            adopted = true;
            return Optional.empty();
        }
        Optional<String> objection = recordedProcess
                .map(known -> ProcessChangeCheck.objection(known, processDefinition, state -> numbers(ledger, state)))
                .orElseGet(() -> ProcessChangeCheck.objection(numbersByState(), processDefinition));
        if (objection.isPresent()) {
            return objection;
        }
        CompletableFuture<WriteResult<Boolean>> written = new CompletableFuture<>();
        writer.submit(
                SepStreamNames.PROCESS,
                writerTaskContext -> record(writerTaskContext, configuredProcess),
                written::complete);
        return switch (written.join()) {
            case WriteResult.Written<Boolean> _ -> {
                adopted = true;
                yield Optional.empty();
            }
            case WriteResult.Unavailable<Boolean>(String reason, Duration retryAfter) ->
                throw new SepCommandExecutor.LedgerUnavailableException(reason, retryAfter);
            case WriteResult.Failed<Boolean>(Throwable cause) ->
                Optional.of("the process cannot be recorded in the ledger: " + cause.getMessage());
        };
    }

    private static Optional<AdoptedProcessRecord> parseRecord(SubjectSummary summary) {
        return Json.parse(summary.body().toString()).flatMap(AdoptedProcessRecord::of);
    }

    /**
     * Returns the SEPs in each state. It reads all summaries, which happens only while the ledger has no process
     * record.
     */
    private Map<String, List<Integer>> numbersByState() {
        Map<String, List<Integer>> found = new TreeMap<>();
        @Nullable String cursor = null;
        do {
            SubjectPage page = ledger.subjects(SubjectQuery.of(SepStreamNames.SEPS), cursor, PAGE_SIZE);
            page.subjects()
                    .forEach(summary -> found.computeIfAbsent(summary.state(), state -> new ArrayList<>())
                            .add(Integer.valueOf(summary.subject())));
            cursor = page.nextCursor();
        } while (cursor != null);
        return found;
    }

    private static List<Integer> numbers(LedgerReader ledger, String state) {
        return ledger.subjects(SubjectQuery.of(SepStreamNames.SEPS).state(state), null, PAGE_SIZE).subjects().stream()
                .map(SubjectSummary::subject)
                .map(Integer::valueOf)
                .toList();
    }

    /** Records the process only once, because several server processes may start at the same time. */
    private static TaskDecision<Boolean> record(
            WriterTaskContext writerTaskContext, AdoptedProcessRecord configuredProcess) {
        if (writerTaskContext
                .summary(SUBJECT)
                .flatMap(ProcessAdopter::parseRecord)
                .filter(configuredProcess::equals)
                .isPresent()) {
            return TaskDecision.withoutEvents(true);
        }
        LedgerEvent event = writerTaskContext.createEvent(
                SUBJECT,
                "adopted",
                Actor.SYSTEM,
                null,
                LedgerBody.of(configuredProcess.toJson().raw()));
        return TaskDecision.ofEvent(
                true,
                event,
                SepSummaryProjector.latestEventSummary(
                        writerTaskContext
                                .summary(SUBJECT)
                                .map(SubjectSummary::startedAt)
                                .orElse(event.at()),
                        event));
    }
}
