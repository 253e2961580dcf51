package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.notification.SepClockAction;
import dev.gavel.sep.notification.SepClockActionFinder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/**
 * Finds the reminders, escalations, automatic moves and digests that are due for open SEPs, and executes them in
 * batches.
 */
record SepSweeper(
        SepQueries queries, SepCommandExecutor commands, RoleDigestStore digests, SepChangeResultBuilder results) {
    private static final Logger log = LoggerFactory.getLogger(SepSweeper.class);
    private static final int BATCH_SIZE = 100;

    /** A sweep with a date is always a dry run, so that no event is written with a time other than its own. */
    CompletionStage<SepResult> handle(Json arguments) {
        Instant now = queries.now();
        boolean hasDate = arguments.at("asOf").isPresent();
        Optional<Instant> asOf =
                hasDate ? AsOfDateParser.parse(arguments.at("asOf").text(), now) : Optional.of(now);
        if (asOf.isEmpty()) {
            return CompletableFuture.completedStage(new SepResult.InvalidRequest(
                    "'asOf' must be a date such as 2027-01-31 or a time such as 2027-01-31T12:00:00Z"));
        }
        boolean dry = hasDate || arguments.at("dryRun").isTrue();
        return dry || results.mayAdminister()
                ? sweep(asOf.get(), dry)
                : CompletableFuture.completedStage(results.notAllowed("sweep; anyone can do a dry run"));
    }

    /** Executes all actions that are due now. */
    CompletionStage<SepResult> sweep() {
        return sweep(queries.now(), false);
    }

    private CompletionStage<SepResult> sweep(Instant at, boolean dry) {
        List<SepClockAction> sepClockActions = findDue(at);
        List<RoleDigestStore.Digest> dueDigests =
                digests.findDue(queries.openSeps().openEntries(), at);
        return (dry
                        ? CompletableFuture.completedFuture(new Done(sepClockActions, dueDigests))
                        : executeAll(sepClockActions).thenCombine(recordAll(dueDigests), Done::new))
                .thenApply(done -> toResult(done, at, dry));
    }

    /** What a sweep has done, or a dry run has found. */
    private record Done(List<SepClockAction> actions, List<RoleDigestStore.Digest> digests) {}

    private SepResult toResult(Done done, Instant at, boolean dry) {
        return new SepResult.Success(SepJsonWriter.write(queries.peopleResolver(), writer -> {
            JsonGenerator json = writer.json();
            json.writeStringProperty("asOf", at.toString()).writeBooleanProperty("dryRun", dry);
            json.writeArrayPropertyStart("due");
            for (SepClockAction sepClockAction : done.actions()) {
                json.writeStartObject()
                        .writeNumberProperty("number", sepClockAction.number())
                        .writeStringProperty("title", sepClockAction.title());
                writer.due(sepClockAction.clockAction());
                json.writeEndObject();
            }
            json.writeEndArray()
                    .writeNumberProperty("done", dry ? 0 : done.actions().size());
            json.writeArrayPropertyStart("digests");
            for (RoleDigestStore.Digest digest : done.digests()) {
                json.writeStartObject()
                        .writeStringProperty("role", digest.role())
                        .writeNumberProperty("seps", digest.waiting().size())
                        .writeEndObject();
            }
            json.writeEndArray();
        }));
    }

    private CompletableFuture<List<RoleDigestStore.Digest>> recordAll(List<RoleDigestStore.Digest> dueDigests) {
        CompletableFuture<List<RoleDigestStore.Digest>> recorded = CompletableFuture.completedFuture(List.of());
        for (RoleDigestStore.Digest digest : dueDigests) {
            recorded = recorded.thenCombine(
                    digests.record(digest),
                    (before, yes) -> yes
                            ? Stream.concat(before.stream(), Stream.of(digest)).toList()
                            : before);
        }
        return recorded;
    }

    private List<SepClockAction> findDue(Instant at) {
        return SepClockActionFinder.findDue(
                queries.openSeps().openEntries().stream()
                        .map(OpenSepCache.Entry::sep)
                        .toList(),
                queries.lifecycleEngine(),
                queries::externalFacts,
                at);
    }

    /**
     * Executes the actions in small batches, so that other writers get their turn in between. The ledger writer decides
     * each action again, so that an action executed by another process in the meantime is not repeated. An action that
     * cannot be written is left to the next sweep.
     */
    private CompletableFuture<List<SepClockAction>> executeAll(List<SepClockAction> sepClockActions) {
        CompletableFuture<List<SepClockAction>> done = CompletableFuture.completedFuture(new ArrayList<>());
        for (int from = 0; from < sepClockActions.size(); from += BATCH_SIZE) {
            List<SepClockAction> batch =
                    sepClockActions.subList(from, Math.min(sepClockActions.size(), from + BATCH_SIZE));
            done = done.thenCompose(executedActions -> executeBatch(batch, executedActions));
        }
        return done;
    }

    private CompletableFuture<List<SepClockAction>> executeBatch(
            List<SepClockAction> sepClockActions, List<SepClockAction> before) {
        CompletableFuture<List<SepClockAction>> done = CompletableFuture.completedFuture(before);
        for (SepClockAction sepClockAction : sepClockActions) {
            CompletableFuture<Boolean> isApplied = commands.executeDue(
                            sepClockAction.number(), sepClockAction.clockAction())
                    .handle((sepChangeResult, failure) -> {
                        if (failure != null) {
                            log.warn(
                                    "Proposal {}: a due action could not be performed: {}",
                                    sepClockAction.number(),
                                    failure.toString());
                        }
                        return sepChangeResult instanceof SepChangeResult.Applied;
                    });
            done = done.thenCombine(isApplied, (executedActions, yes) -> {
                if (yes) {
                    executedActions.add(sepClockAction);
                }
                return executedActions;
            });
        }
        return done;
    }
}
