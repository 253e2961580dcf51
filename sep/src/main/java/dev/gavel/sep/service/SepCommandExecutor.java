package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTask;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepReplayer;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummary;
import dev.gavel.sep.store.SepSummaryProjector;
import dev.gavel.sep.store.StoredDocumentMetadata;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Executes changes to SEPs on the ledger writer's thread and returns each result once it is durable. Thread-safe. */
final class SepCommandExecutor {
    static final String QUOTA_CODE = "quota-exceeded";

    private static final String QUOTA_MESSAGE =
            "You have used your quota for data in the ledger today. It is renewed at 00:00 UTC. Until then, send less"
                    + " data, or ask an admin to raise limits.bytes.day.";

    private final LedgerWriter writer;
    private final LifecycleEngine lifecycleEngine;
    private final SepReplayer replayer;
    private final Executor executor;
    private final SepLimits limits;
    private final Function<LongFunction<List<dev.gavel.ledger.LedgerEvent>>, PeopleResolver> people;

    /** Thrown when an identity has stored as much as it may on one day. */
    static final class QuotaExceededException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        QuotaExceededException() {
            super(QUOTA_MESSAGE, null, false, false);
        }
    }

    /** Thrown when the ledger cannot be written to at the moment. */
    static final class LedgerUnavailableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        LedgerUnavailableException(String reason, Duration retryAfter) {
            super(reason, null, false, false);
            this.retryAfter = retryAfter;
        }

        Duration retryAfter() {
            return retryAfter;
        }
    }

    /**
     * Creates the executor.
     *
     * @param people returns the people, including changes that only the ledger has yet; its argument returns the events
     *     of the identity stream after a seq
     */
    SepCommandExecutor(
            LedgerWriter writer,
            LifecycleEngine lifecycleEngine,
            SepReplayer reader,
            Executor executor,
            SepLimits limits,
            Function<LongFunction<List<dev.gavel.ledger.LedgerEvent>>, PeopleResolver> people) {
        this.limits = limits;
        this.people = people;
        this.writer = writer;
        this.lifecycleEngine = lifecycleEngine;
        this.replayer = reader;
        this.executor = executor;
    }

    private <R> CompletableFuture<R> submitTask(String stream, int bytes, WriterTask<R> task) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        // Dependent stages run on the executor, so that they do not block the ledger writer.
        writer.submit(
                stream,
                bytes,
                task,
                writeResult -> executor.execute(() -> {
                    switch (writeResult) {
                        case WriteResult.Written<R>(R result, var _) -> answer.complete(result);
                        case WriteResult.Failed<R>(Throwable cause) -> answer.completeExceptionally(cause);
                        case WriteResult.Unavailable<R>(String reason, Duration retryAfter) ->
                            answer.completeExceptionally(new LedgerUnavailableException(reason, retryAfter));
                    }
                }));
        return answer;
    }

    // --- documents

    /**
     * Stores a document, unless the ledger has it already. This happens before any event refers to it. Fails with a
     * {@link QuotaExceededException} if the actor has stored too much today.
     */
    CompletableFuture<StoredDocumentMetadata> storeDocument(Document document, String actor) {
        String hash = Sha256.hex(document.text());
        return submitTask(SepStreamNames.DOCUMENTS, document.text().length(), writerTaskContext -> {
                    if (writerTaskContext.summary(hash).isPresent()) {
                        return TaskDecision.withoutEvents(true);
                    }
                    LedgerBody body = LedgerBody.of(Json.object()
                            .with("text", Json.ofText(document.text()))
                            .raw());
                    if (exceedsQuota(writerTaskContext, actor, body.length())) {
                        return TaskDecision.withoutEvents(false);
                    }
                    dev.gavel.ledger.LedgerEvent event =
                            writerTaskContext.createEvent(hash, "filed", actor, null, body);
                    return TaskDecision.ofEvent(
                            true,
                            event,
                            SepSummaryProjector.documentSummary(
                                    event, document.metadata().summary()));
                })
                .thenApply(stored -> {
                    if (!stored) {
                        throw new QuotaExceededException();
                    }
                    return new StoredDocumentMetadata(hash, document.metadata());
                });
    }

    private boolean exceedsQuota(WriterTaskContext writerTaskContext, String identity, long bytes) {
        return limits.dailyBytes() < Long.MAX_VALUE
                && writerTaskContext.ownerUsage(identity, 0).dayBytes() + bytes > limits.dailyBytes();
    }

    // --- rights

    /** Whether roles include one of the process, or that of an admin. */
    static boolean hasRole(ProcessDefinition processDefinition, Collection<String> roles) {
        return roles.contains(LedgerSepService.ADMIN)
                || !processDefinition.expandActorRoles(List.copyOf(roles)).isEmpty();
    }

    /** Whether roles allow the operations on all SEPs: those of admins and of voters. */
    static boolean mayAdminister(ProcessDefinition processDefinition, Collection<String> roles) {
        List<String> actorRoles = processDefinition.expandActorRoles(List.copyOf(roles));
        return roles.contains(LedgerSepService.ADMIN)
                || processDefinition.votes().values().stream().anyMatch(vote -> actorRoles.contains(vote.voterRole()));
    }

    /** A change that the writer's thread decides, with the people at that time. */
    @FunctionalInterface
    private interface SepChange {
        TaskDecision<SepChangeResult> decide(WriterTaskContext writerTaskContext, PeopleResolver peopleResolver);
    }

    /** Submits a change of a caller. It is refused if the caller's last token was revoked in the meantime. */
    private CompletableFuture<SepChangeResult> submitChange(SepCaller caller, int bytes, SepChange change) {
        return submitTask(SepStreamNames.SEPS, bytes, writerTaskContext -> {
            PeopleResolver peopleResolver = people.apply(writerTaskContext::identityEventsAfter);
            return peopleResolver.hasLostAccess(caller.identity())
                    ? TaskDecision.withoutEvents(new SepChangeResult.Refused(
                            LifecycleRefusal.of("access-ended", "You no longer have a valid token.")))
                    : change.decide(writerTaskContext, peopleResolver);
        });
    }

    // --- changes of an existing SEP

    CompletableFuture<SepChangeResult> execute(
            SepCaller caller, SepOperation sepOperation, int number, Json arguments) {
        return submitChange(caller, arguments.raw().length(), (writerTaskContext, peopleResolver) -> {
            SepCommandParser sepCommandParser = new SepCommandParser(lifecycleEngine, peopleResolver);
            List<dev.gavel.ledger.LedgerEvent> ledgerEvents = writerTaskContext.history(Integer.toString(number));
            Optional<Sep> sep = replayer.replay(ledgerEvents);
            if (sep.isEmpty()) {
                return TaskDecision.withoutEvents(new SepChangeResult.NotFound(number));
            }
            Actor callerActor = peopleResolver.actor(caller);
            Optional<LifecycleRefusal> full = isDiscussion(sepOperation)
                    ? SepDiscussionLimitChecker.check(
                            sep.get(),
                            ledgerEvents,
                            callerActor,
                            hasRole(lifecycleEngine.processDefinition(), callerActor.roles()),
                            arguments.raw().length(),
                            lifecycleEngine.processDefinition().terms())
                    : Optional.empty();
            if (full.isPresent()) {
                return TaskDecision.withoutEvents(new SepChangeResult.Refused(full.get()));
            }
            if (isDiscussion(sepOperation)
                    && exceedsQuota(
                            writerTaskContext,
                            caller.identity(),
                            arguments.raw().length())) {
                return TaskDecision.withoutEvents(
                        new SepChangeResult.Refused(LifecycleRefusal.of(QUOTA_CODE, QUOTA_MESSAGE)));
            }
            if (!isCurrentDocument(sep.get(), arguments)) {
                return TaskDecision.withoutEvents(new SepChangeResult.DocumentChanged(
                        sep.get(), arguments.at("document").text()));
            }
            IntFunction<Optional<Sep>> sepLookup = other -> find(writerTaskContext, other);
            try {
                List<Evidence> offeredEvidence = sepCommandParser.evidence(sepOperation, arguments);
                Actor actor = SepFactEvaluator.withSuccessorRoles(
                        callerActor, sep.get(), offeredEvidence, lifecycleEngine.processDefinition(), sepLookup);
                ExternalFacts externalFacts = SepFactEvaluator.of(
                        sep.get(), offeredEvidence, lifecycleEngine.processDefinition(), peopleResolver, sepLookup);
                LifecycleCommand command = sepCommandParser.toCommand(
                        sepOperation,
                        arguments,
                        sep.get(),
                        actor,
                        offeredEvidence,
                        externalFacts,
                        writerTaskContext.now());
                return toTaskDecision(
                        writerTaskContext,
                        number,
                        sep.get(),
                        lifecycleEngine.decide(sep.get().history(), command, externalFacts, writerTaskContext.now()),
                        null);
            } catch (SepCommandParser.InvalidArgumentsException e) {
                return TaskDecision.withoutEvents(new SepChangeResult.Invalid(String.valueOf(e.getMessage())));
            }
        });
    }

    /** Whether the caller has read the current document, as far as the arguments say which one the caller read. */
    private static boolean isCurrentDocument(Sep sep, Json arguments) {
        return arguments
                .at("document")
                .asText()
                .map(read -> DocumentVersionComparer.matches(sep.documentHash(), read))
                .orElse(true);
    }

    private static boolean isDiscussion(SepOperation sepOperation) {
        return sepOperation == SepOperation.COMMENT
                || sepOperation == SepOperation.ASK
                || sepOperation == SepOperation.ATTACH;
    }

    /** Returns why a document would be refused, without storing it; empty if it would be accepted. */
    Optional<SepChangeResult> checkDocument(
            SepCaller caller,
            Optional<Sep> before,
            DocumentEdit documentEdit,
            DocumentMetadata documentMetadata,
            PeopleResolver peopleResolver,
            Instant now) {
        SepDocumentMapper sepDocumentMapper =
                new SepDocumentMapper(lifecycleEngine.processDefinition(), peopleResolver);
        Actor actor = peopleResolver.actor(caller);
        LifecycleCommand command = before.<LifecycleCommand>map(sep -> documentEdit.toCommand(
                        actor,
                        SepDocumentMapper.changedAttributes(
                                sep, sepDocumentMapper.normalizedAttributes(documentMetadata))))
                .orElseGet(() -> sepDocumentMapper.submitCommand(actor, documentMetadata));
        LifecycleCommandResult<LifecycleEvent> lifecycleCommandResult = lifecycleEngine.decide(
                before.map(Sep::history).orElse(LifecycleHistory.empty()),
                command,
                SepFactEvaluator.of(documentMetadata, lifecycleEngine.processDefinition(), peopleResolver),
                now);
        return lifecycleCommandResult
                        instanceof LifecycleCommandResult.Refused<LifecycleEvent>(LifecycleRefusal refusal)
                ? Optional.of(new SepChangeResult.Refused(refusal))
                : Optional.empty();
    }

    /**
     * Replaces the document of a SEP. Authors that the new document adds become authors of the SEP.
     *
     * @param base the hash of the document that the caller edited, if the caller wants to replace only that version
     */
    CompletableFuture<SepChangeResult> edit(
            SepCaller caller,
            int number,
            StoredDocumentMetadata storedDocumentMetadata,
            DocumentEdit documentEdit,
            Optional<String> base) {
        return submitChange(caller, 0, (writerTaskContext, peopleResolver) -> {
            Optional<Sep> found = find(writerTaskContext, number);
            if (found.isEmpty()) {
                return TaskDecision.withoutEvents(new SepChangeResult.NotFound(number));
            }
            Sep sep = found.get();
            SepDocumentMapper sepDocumentMapper =
                    new SepDocumentMapper(lifecycleEngine.processDefinition(), peopleResolver);
            Actor actor = peopleResolver.actor(caller);
            ExternalFacts externalFacts = SepFactEvaluator.of(
                    storedDocumentMetadata.metadata(), lifecycleEngine.processDefinition(), peopleResolver);
            LifecycleCommandResult<LifecycleEvent> lifecycleCommandResult = lifecycleEngine.decide(
                    sep.history(),
                    documentEdit.toCommand(
                            actor,
                            SepDocumentMapper.changedAttributes(
                                    sep, sepDocumentMapper.normalizedAttributes(storedDocumentMetadata.metadata()))),
                    externalFacts,
                    writerTaskContext.now());
            if (lifecycleCommandResult
                    instanceof
                    LifecycleCommandResult.Accepted<LifecycleEvent>(List<LifecycleEvent> events, List<String> advice)) {
                if (storedDocumentMetadata.hash().equals(sep.documentHash())) {
                    return TaskDecision.withoutEvents(
                            new SepChangeResult.Applied(sep, List.of(), List.of("The document is unchanged.")));
                }
                // Another edit between the comparison and now would make the comparison wrong.
                String expected = base.orElse(documentEdit.beforeHash());
                if (!expected.equals(sep.documentHash())
                        || !documentEdit.beforeHash().equals(expected)) {
                    return TaskDecision.withoutEvents(new SepChangeResult.DocumentChanged(sep, expected));
                }
                List<LifecycleEvent> all = new ArrayList<>(events);
                all.addAll(sepDocumentMapper.newAuthorEvents(
                        sep, storedDocumentMetadata.metadata(), actor, writerTaskContext.now()));
                List<String> allAdvice =
                        new ArrayList<>(sepDocumentMapper.typeAdvice(storedDocumentMetadata.metadata()));
                voidedVotesAdvice(sep, events, externalFacts).ifPresent(allAdvice::add);
                allAdvice.addAll(advice);
                return toTaskDecision(
                        writerTaskContext,
                        number,
                        sep,
                        new LifecycleCommandResult.Accepted<>(all, allAdvice),
                        storedDocumentMetadata);
            }
            return toTaskDecision(writerTaskContext, number, sep, lifecycleCommandResult, null);
        });
    }

    /** Returns advice that names the votes that an edit voids, if it voids any. */
    private static Optional<String> voidedVotesAdvice(
            Sep sep, List<LifecycleEvent> events, ExternalFacts externalFacts) {
        List<String> before = voters(sep.history(), externalFacts);
        List<String> after = voters(sep.history().append(events), externalFacts);
        List<String> voided =
                before.stream().filter(voter -> !after.contains(voter)).toList();
        return voided.isEmpty()
                ? Optional.empty()
                : Optional.of("The edit voided " + (voided.size() == 1 ? "1 vote: " : voided.size() + " votes: ")
                        + String.join(", ", voided) + ". "
                        + (voided.size() == 1 ? "This person has" : "These people have")
                        + " to read the changes and vote again.");
    }

    private static List<String> voters(LifecycleHistory history, ExternalFacts externalFacts) {
        return history.snapshot().orElseThrow().voteRound().ballots().keySet().stream()
                .map(externalFacts::nameOf)
                .toList();
    }

    // --- new SEPs

    /**
     * Submits a new SEP. If an open SEP has the same document already, the result includes advice to withdraw one of
     * the two.
     */
    CompletableFuture<SepChangeResult> submit(
            SepCaller caller, StoredDocumentMetadata storedDocumentMetadata, SepNumberAllocator sepNumberAllocator) {
        return submitChange(caller, 0, (writerTaskContext, peopleResolver) -> {
            SepDocumentMapper sepDocumentMapper =
                    new SepDocumentMapper(lifecycleEngine.processDefinition(), peopleResolver);
            Actor actor = peopleResolver.actor(caller);
            Optional<LifecycleRefusal> tooMany = hasRole(lifecycleEngine.processDefinition(), actor.roles())
                    ? Optional.empty()
                    : SepSubmissionLimitChecker.check(
                            writerTaskContext,
                            caller.identity(),
                            limits.submissions().apply(caller.identity()),
                            lifecycleEngine.processDefinition().terms());
            if (tooMany.isPresent()) {
                return TaskDecision.withoutEvents(new SepChangeResult.Refused(tooMany.get()));
            }
            Optional<String> sameDocument = withSameDocument(
                            writerTaskContext, storedDocumentMetadata, sepNumberAllocator)
                    .filter(sep -> lifecycleEngine
                            .processDefinition()
                            .state(sep.state())
                            .isOpen())
                    .map(sep -> lifecycleEngine.processDefinition().terms().numberLabel(sep.number())
                            + " has the same document. Withdraw one of the two.")
                    .findFirst();
            ExternalFacts externalFacts = SepFactEvaluator.of(
                    storedDocumentMetadata.metadata(), lifecycleEngine.processDefinition(), peopleResolver);
            LifecycleCommandResult<LifecycleEvent> lifecycleCommandResult = lifecycleEngine.decide(
                    LifecycleHistory.empty(),
                    sepDocumentMapper.submitCommand(actor, storedDocumentMetadata.metadata()),
                    externalFacts,
                    writerTaskContext.now());
            OptionalInt number = sepNumberAllocator.allocate(
                    storedDocumentMetadata.metadata(), requestedNumber -> isFree(writerTaskContext, requestedNumber));
            return switch (lifecycleCommandResult) {
                case LifecycleCommandResult.Accepted<LifecycleEvent>(
                        List<LifecycleEvent> events,
                        List<String> advice) -> {
                    if (number.isEmpty()) {
                        yield TaskDecision.withoutEvents(noNumber());
                    }
                    List<String> all = new ArrayList<>(sepNumberAllocator.advice(
                            storedDocumentMetadata.metadata(),
                            number.getAsInt(),
                            lifecycleEngine.processDefinition().terms()));
                    sameDocument.ifPresent(all::add);
                    all.addAll(sepDocumentMapper.typeAdvice(storedDocumentMetadata.metadata()));
                    all.addAll(advice);
                    yield toTaskDecision(
                            writerTaskContext,
                            number.getAsInt(),
                            null,
                            new LifecycleCommandResult.Accepted<>(events, all),
                            storedDocumentMetadata);
                }
                case LifecycleCommandResult.Refused<LifecycleEvent>(LifecycleRefusal refusal) ->
                    TaskDecision.withoutEvents(new SepChangeResult.Refused(refusal));
            };
        });
    }

    /**
     * Imports a document with the number and status it states.
     *
     * @param requestedNumber the number of the SEP, new or existing; if it is empty, an existing SEP with the same
     *     document keeps its number, and otherwise the SEP gets the next number if the options allow it
     */
    CompletableFuture<SepChangeResult> importDocument(
            SepCaller caller,
            StoredDocumentMetadata storedDocumentMetadata,
            ImportOptions importOptions,
            OptionalInt requestedNumber,
            SepNumberAllocator sepNumberAllocator) {
        return submitChange(caller, 0, (writerTaskContext, peopleResolver) -> {
            SepDocumentMapper sepDocumentMapper =
                    new SepDocumentMapper(lifecycleEngine.processDefinition(), peopleResolver);
            Actor actor = peopleResolver.actor(caller);
            if (!mayAdminister(lifecycleEngine.processDefinition(), actor.roles())) {
                return TaskDecision.withoutEvents(new SepChangeResult.Refused(
                        LifecycleRefusal.of("not-allowed", "You no longer have a role that can import documents.")));
            }
            Optional<Sep> sameDocument = requestedNumber.isPresent()
                    ? Optional.empty()
                    : withSameDocument(writerTaskContext, storedDocumentMetadata, sepNumberAllocator)
                            .findFirst();
            if (sameDocument.isPresent()) {
                return TaskDecision.withoutEvents(
                        new SepChangeResult.Applied(sameDocument.get(), List.of(), List.of()));
            }
            if (requestedNumber.isEmpty() && !importOptions.assignsNumber()) {
                return TaskDecision.withoutEvents(new SepChangeResult.Refused(LifecycleRefusal.of(
                        "number-missing",
                        "The document and its file name have no number. Add one, or let the import assign the next"
                                + " number.")));
            }
            OptionalInt chosenNumber = requestedNumber.isPresent()
                    ? requestedNumber
                    : sepNumberAllocator.next(free -> isFree(writerTaskContext, free));
            if (chosenNumber.isEmpty()) {
                return TaskDecision.withoutEvents(noNumber());
            }
            int number = chosenNumber.getAsInt();
            Optional<Sep> found = find(writerTaskContext, number);
            if (found.isEmpty()) {
                List<String> advice = new ArrayList<>(sepNumberAllocator.advice(
                        storedDocumentMetadata.metadata(),
                        number,
                        lifecycleEngine.processDefinition().terms()));
                advice.addAll(sepDocumentMapper.importAdvice(storedDocumentMetadata.metadata()));
                return toTaskDecision(
                        writerTaskContext,
                        number,
                        null,
                        new LifecycleCommandResult.Accepted<>(
                                sepDocumentMapper.importEvents(
                                        actor,
                                        storedDocumentMetadata.metadata(),
                                        importOptions,
                                        writerTaskContext.now()),
                                advice),
                        storedDocumentMetadata);
            }
            Sep sep = found.get();
            if (storedDocumentMetadata.hash().equals(sep.documentHash())) {
                return TaskDecision.withoutEvents(new SepChangeResult.Applied(sep, List.of(), List.of()));
            }
            if (sep.title().isBlank()
                    || !sep.title()
                            .equalsIgnoreCase(storedDocumentMetadata.metadata().title())) {
                return TaskDecision.withoutEvents(new SepChangeResult.Refused(LifecycleRefusal.of(
                        "number-taken",
                        lifecycleEngine.processDefinition().terms().name() + " " + number
                                + " already exists with the title '" + sep.title()
                                + "', but this document has the title '"
                                + storedDocumentMetadata.metadata().title()
                                + "'. Give the document another number, or use 'edit' if only"
                                + " the title has changed.")));
            }
            List<LifecycleEvent> events = List.of(new LifecycleEvent.Edited(
                    writerTaskContext.now(),
                    actor,
                    SepDocumentMapper.changedAttributes(
                            sep, sepDocumentMapper.normalizedAttributes(storedDocumentMetadata.metadata())),
                    false));
            return toTaskDecision(
                    writerTaskContext, number, sep, LifecycleCommandResult.accepted(events), storedDocumentMetadata);
        });
    }

    // --- clock actions

    /** Executes a due clock action, if it is still due. */
    CompletableFuture<SepChangeResult> executeDue(int number, ClockAction clockAction) {
        return submitTask(SepStreamNames.SEPS, 0, writerTaskContext -> {
            PeopleResolver peopleResolver = people.apply(writerTaskContext::identityEventsAfter);
            Optional<Sep> sep = find(writerTaskContext, number);
            if (sep.isEmpty()) {
                return TaskDecision.withoutEvents(new SepChangeResult.NotFound(number));
            }
            ExternalFacts externalFacts = SepFactEvaluator.of(
                    sep.get(),
                    List.of(),
                    lifecycleEngine.processDefinition(),
                    peopleResolver,
                    other -> find(writerTaskContext, other));
            return toTaskDecision(
                    writerTaskContext,
                    number,
                    sep.get(),
                    lifecycleEngine.decide(
                            sep.get().history(),
                            new LifecycleCommand.PerformClockAction(clockAction),
                            externalFacts,
                            writerTaskContext.now()),
                    null);
        });
    }

    private Optional<Sep> find(WriterTaskContext writerTaskContext, int number) {
        return replayer.replay(writerTaskContext.history(Integer.toString(number)));
    }

    /**
     * Returns the SEPs that have the same document: those known when the allocator was created, and those written
     * since.
     */
    private Stream<Sep> withSameDocument(
            WriterTaskContext writerTaskContext,
            StoredDocumentMetadata storedDocumentMetadata,
            SepNumberAllocator sepNumberAllocator) {
        return sepNumberAllocator
                .candidates(
                        storedDocumentMetadata.metadata(),
                        requestedNumber -> isFree(writerTaskContext, requestedNumber))
                .filter(number -> writerTaskContext
                        .summary(Integer.toString(number))
                        .filter(summary -> SepSummary.fromLedgerSummary(summary)
                                .documentHash()
                                .equals(storedDocumentMetadata.hash()))
                        .isPresent())
                .mapToObj(number -> find(writerTaskContext, number))
                .flatMap(Optional::stream);
    }

    private static SepChangeResult noNumber() {
        return new SepChangeResult.Refused(
                LifecycleRefusal.of("no-number", "All numbers up to " + SepNumberAllocator.MAX_NUMBER + " are taken."));
    }

    private static boolean isFree(WriterTaskContext writerTaskContext, int number) {
        return writerTaskContext.summary(Integer.toString(number)).isEmpty();
    }

    /**
     * Returns the events for the ledger writer to append, with the SEP's new summary. The document is stored with the
     * first event.
     */
    private TaskDecision<SepChangeResult> toTaskDecision(
            WriterTaskContext writerTaskContext,
            int number,
            @Nullable Sep before,
            LifecycleCommandResult<LifecycleEvent> lifecycleCommandResult,
            @Nullable StoredDocumentMetadata storedDocumentMetadata) {
        return switch (lifecycleCommandResult) {
            case LifecycleCommandResult.Refused<LifecycleEvent>(LifecycleRefusal refusal) ->
                TaskDecision.withoutEvents(new SepChangeResult.Refused(refusal));
            case LifecycleCommandResult.Accepted<LifecycleEvent>(List<LifecycleEvent> events, List<String> advice) -> {
                String subject = Integer.toString(number);
                String currentHash = before == null ? "" : before.documentHash();
                List<dev.gavel.ledger.LedgerEvent> ledgerEvents = new ArrayList<>();
                for (LifecycleEvent event : events) {
                    Optional<StoredDocumentMetadata> document =
                            ledgerEvents.isEmpty() ? Optional.ofNullable(storedDocumentMetadata) : Optional.empty();
                    ledgerEvents.add(writerTaskContext.createEvent(
                            subject,
                            SepEventCodec.typeName(event),
                            event.by().person().login(),
                            null,
                            SepEventCodec.encodeBody(event, document, currentHash)));
                }
                Sep after = replayer.append(before, ledgerEvents);
                SepSummary sepSummary = SepSummary.of(after, lifecycleEngine.processDefinition());
                yield new TaskDecision<>(
                        new SepChangeResult.Applied(after, events, advice),
                        ledgerEvents,
                        List.of(sepSummary.toLedgerSummary(
                                ledgerEvents.getLast().seq())));
            }
        };
    }
}
