package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.executor.TooManyTasksException;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.SectionNames;
import dev.gavel.sep.notification.DeliveryCursorStore;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepReplayer;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements the SEP service on a ledger: checks arguments and rights, dispatches each operation to its handler, and
 * publishes changes. All interfaces call this one class, so rights and guidance are the same for each of them.
 * Thread-safe.
 */
public final class LedgerSepService implements SepService {
    private static final Logger log = LoggerFactory.getLogger(LedgerSepService.class);

    /** The maximum length of a document, in characters. */
    public static final int MAX_DOCUMENT_LENGTH = Document.MAX_LENGTH;

    /** The role that may use the operations on all SEPs, such as sweep and import. */
    static final String ADMIN = "admin";

    private final LedgerReader ledger;
    private final LedgerWriter writer;
    private final List<Runnable> changeListeners = new CopyOnWriteArrayList<>();
    private final LifecycleEngine lifecycleEngine;
    private final PeopleDirectory peopleDirectory;
    private final InstantSource clock;
    private final ExecutorPools executors;
    private final int maxSepsPerSponsor;
    private final SepEventCodec codec =
            new SepEventCodec(person -> cachedPeople().resolveStored(person));
    private final SepLedgerReader sepReader;
    private final OpenSepCache openSepCache;
    private final SepIndex index;
    private final SimilarSepFinder similarSepFinder;
    private final SepCommandExecutor commandExecutor;
    private final ProcessAdopter processAdopter;
    private volatile PeopleSnapshot peopleSnapshot;

    /** The known people at one moment, and the resolver built from them. */
    private record PeopleSnapshot(List<PeopleDirectory.KnownPerson> people, PeopleResolver resolver) {}

    /**
     * Creates a service. It does not read the ledger before the first request.
     *
     * @param executorPools the thread pools that run the operations, because reading blocks on the disk
     */
    public LedgerSepService(
            LedgerReader ledger,
            LedgerWriter writer,
            LifecycleEngine lifecycleEngine,
            PeopleDirectory peopleDirectory,
            InstantSource clock,
            ExecutorPools executorPools,
            SepLimits limits) {
        this.ledger = ledger;
        this.writer = writer;
        this.lifecycleEngine = lifecycleEngine;
        this.peopleDirectory = peopleDirectory;
        this.clock = clock;
        this.executors = executorPools;
        this.maxSepsPerSponsor = limits.sepsPerSponsor();
        this.peopleSnapshot = snapshotPeople(peopleDirectory.listAll(), lifecycleEngine.processDefinition());
        SepReplayer replayer = new SepReplayer(codec);
        this.sepReader = new SepLedgerReader(ledger, replayer);
        this.openSepCache = new OpenSepCache(ledger, replayer, sepReader, lifecycleEngine, this::cachedPeople);
        this.index = new SepIndex(sepReader, lifecycleEngine.processDefinition(), openSepCache::refresh);
        this.similarSepFinder = new SimilarSepFinder(sepReader, index, openSepCache::refresh);
        this.openSepCache.addListener(index::update);
        this.openSepCache.addListener(similarSepFinder::update);
        this.processAdopter = new ProcessAdopter(ledger, writer, lifecycleEngine.processDefinition());
        this.commandExecutor = new SepCommandExecutor(
                writer, lifecycleEngine, replayer, executorPools.completion(), limits, this::peopleInLedger);
    }

    /** Returns why a process cannot be used: it names facts that the service cannot evaluate. */
    public static Optional<String> findUnsupportedFacts(ProcessDefinition processDefinition) {
        List<String> unknown = SepFactEvaluator.unsupportedFacts(processDefinition);
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("the process " + processDefinition.name() + " uses unknown facts: "
                        + String.join(", ", unknown) + "; the known facts are titled, complete, named-back, "
                        + String.join(
                                ", ",
                                SectionNames.of(processDefinition.documentFormat())
                                        .standardSlugs()) + " and section-NAME");
    }

    /** Returns the people as of the last request, because listing them again for each name would take too long. */
    private PeopleResolver cachedPeople() {
        return peopleSnapshot.resolver();
    }

    private static PeopleSnapshot snapshotPeople(
            List<PeopleDirectory.KnownPerson> knownPeople, ProcessDefinition processDefinition) {
        return new PeopleSnapshot(knownPeople, new PeopleResolver(knownPeople, processDefinition));
    }

    /** Returns the current people. The resolver is rebuilt only if a person has changed. */
    private PeopleResolver currentPeople() {
        PeopleSnapshot before = peopleSnapshot;
        List<PeopleDirectory.KnownPerson> currentPeople = peopleDirectory.listAll();
        if (currentPeople.equals(before.people())) {
            return before.resolver();
        }
        PeopleSnapshot changed = snapshotPeople(currentPeople, lifecycleEngine.processDefinition());
        peopleSnapshot = changed;
        if (!changed.resolver().hasSameHandlesAndMembers(before.resolver())) {
            openSepCache.invalidate();
        }
        return changed.resolver();
    }

    /** Returns the people as the ledger knows them, for a decision on the ledger writer's thread. */
    private PeopleResolver peopleInLedger(LongFunction<List<LedgerEvent>> identityEventsAfter) {
        PeopleSnapshot before = peopleSnapshot;
        List<PeopleDirectory.KnownPerson> knownPeople = peopleDirectory.listAll(identityEventsAfter);
        return knownPeople.equals(before.people())
                ? before.resolver()
                : new PeopleResolver(knownPeople, lifecycleEngine.processDefinition());
    }

    @Override
    public CompletionStage<SepResult> execute(SepCaller caller, SepOperation sepOperation, Json arguments) {
        Optional<String> problem = sepOperation.validate(
                arguments, lifecycleEngine.processDefinition().terms());
        if (problem.isPresent()) {
            return CompletableFuture.completedStage(new SepResult.InvalidRequest(problem.get()));
        }
        CompletableFuture<SepResult> result = executors
                .executorFor(sepOperation)
                .submitAsync(caller.identity(), () -> dispatch(caller, sepOperation, arguments))
                .exceptionallyCompose(LedgerSepService::toFailureResult);
        // A change is executed even if its caller no longer waits for the result.
        return sepOperation.isMutating()
                ? result.whenComplete((sepResult, failure) -> {
                            if (sepResult instanceof SepResult.Success) {
                                notifyChanged();
                            }
                        })
                        .minimalCompletionStage()
                : result;
    }

    private static CompletionStage<SepResult> toFailureResult(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case SepCommandExecutor.LedgerUnavailableException e ->
                CompletableFuture.completedStage(
                        new SepResult.Unavailable(String.valueOf(e.getMessage()), e.retryAfter()));
            case SepCommandExecutor.QuotaExceededException e ->
                CompletableFuture.completedStage(new SepResult.Refused(
                        SepCommandExecutor.QUOTA_CODE, String.valueOf(e.getMessage()), Json.object()));
            case TooManyTasksException e ->
                CompletableFuture.completedStage(
                        new SepResult.Unavailable(String.valueOf(e.getMessage()), Duration.ofSeconds(1)));
            case LedgerException e -> {
                log.error("The ledger cannot be read: {}", e.getMessage());
                yield CompletableFuture.completedStage(new SepResult.Unavailable(
                        "the ledger is unavailable; see the server log", Duration.ofSeconds(1)));
            }
            default -> CompletableFuture.failedStage(cause);
        };
    }

    private CompletionStage<SepResult> dispatch(SepCaller caller, SepOperation sepOperation, Json arguments) {
        if (sepOperation.isMutating()) {
            processAdopter.ensureAdopted();
        }
        SepQueries sepQueries = queries(caller);
        SepChangeResultBuilder sepChangeResultBuilder = new SepChangeResultBuilder(sepQueries);
        DocumentRequestHandler documentRequestHandler =
                new DocumentRequestHandler(sepQueries, commandExecutor, similarSepFinder, sepChangeResultBuilder);
        return switch (sepOperation) {
            case LIST -> completed(sepQueries.list(arguments));
            case SHOW -> completed(sepQueries.show(arguments));
            case NEXT -> completed(sepQueries.next(arguments));
            case EXPLAIN -> completed(sepQueries.explain(arguments));
            case INBOX -> completed(sepQueries.inbox(arguments));
            case TRIAGE -> completed(sepQueries.triage(arguments));
            case MAINTAINERS -> completed(sepQueries.maintainers());
            case HISTORY -> completed(sepQueries.history(arguments));
            case DIFF -> completed(sepQueries.diff(arguments));
            case EXPORT -> completed(sepQueries.export(arguments));
            case STATS -> completed(sepQueries.stats());
            case SIMILAR -> completed(documentRequestHandler.similar(arguments));
            case LINT -> documentRequestHandler.lint(arguments);
            case SUBMIT -> documentRequestHandler.submit(arguments);
            case EDIT -> documentRequestHandler.edit(arguments);
            case IMPORT -> documentRequestHandler.importDocument(arguments);
            case SWEEP ->
                new SepSweeper(sepQueries, commandExecutor, digests(), sepChangeResultBuilder).handle(arguments);
            case ASK,
                    SPONSOR,
                    STEP_DOWN,
                    MOVE,
                    COMMENT,
                    ATTACH,
                    CONFIRM,
                    VOTE,
                    HOLD,
                    RELEASE,
                    WITHDRAW,
                    SUPERSEDE,
                    TRANSFER ->
                commandExecutor
                        .execute(caller, sepOperation, number(arguments), arguments)
                        .thenApply(sepChangeResultBuilder::toResult);
        };
    }

    private SepQueries queries(SepCaller caller) {
        return new SepQueries(
                lifecycleEngine,
                openSepCache,
                index,
                sepReader,
                codec,
                currentPeople(),
                maxSepsPerSponsor,
                caller,
                clock.instant());
    }

    private static CompletionStage<SepResult> completed(SepResult sepResult) {
        return CompletableFuture.completedStage(sepResult);
    }

    static int number(Json arguments) {
        return (int) Math.min(arguments.at("number").asLong(0), Integer.MAX_VALUE);
    }

    /** Executes the due clock actions as the system actor. */
    public CompletionStage<SepResult> sweep() {
        return CompletableFuture.supplyAsync(
                        () -> {
                            processAdopter.ensureAdopted();
                            SepQueries sepQueries = queries(new SepCaller(Actor.SYSTEM, Set.of()));
                            return new SepSweeper(
                                            sepQueries,
                                            commandExecutor,
                                            digests(),
                                            new SepChangeResultBuilder(sepQueries))
                                    .sweep();
                        },
                        executors.slow())
                .thenCompose(Function.identity())
                .exceptionallyCompose(LedgerSepService::toFailureResult)
                .thenApply(sepResult -> {
                    notifyChanged();
                    return sepResult;
                });
    }

    /**
     * Records the configured process in the ledger. Returns why this is impossible, for example because existing SEPs
     * are in states that the process does not have.
     */
    public Optional<String> adoptProcess() {
        return findUnsupportedFacts(lifecycleEngine.processDefinition()).or(() -> {
            try {
                return processAdopter.adopt();
            } catch (SepCommandExecutor.LedgerUnavailableException e) {
                log.warn(
                        "The ledger cannot be written to: {}. The process {} is recorded before the first change.",
                        e.getMessage(),
                        lifecycleEngine.processDefinition().name());
                return Optional.empty();
            }
        });
    }

    /** Registers a listener that runs whenever SEPs may have changed. It must return immediately. */
    public void addChangeListener(Runnable listener) {
        changeListeners.add(listener);
    }

    /**
     * Notifies the listeners that SEPs may have changed: after an operation or a sweep of this process, or a write of
     * another process.
     */
    public void notifyChanged() {
        changeListeners.forEach(Runnable::run);
    }

    /**
     * Returns the sources of notifications: the events of SEPs, and the digests.
     *
     * @param base the public base address of the server, if it is known
     */
    public List<SepNotificationReader> notificationReaders(Optional<URI> base) {
        return List.of(
                ledgerNotificationReader(base),
                digests()
                        .reader(
                                base.map(uri -> LedgerSepNotificationReader.appendPath(uri, "/seps")),
                                group -> currentPeople().holders(group)));
    }

    private RoleDigestStore digests() {
        return new RoleDigestStore(ledger, writer, lifecycleEngine.processDefinition());
    }

    /** Returns the store of the cursors of channels. */
    public DeliveryCursorStore deliveryCursors() {
        return new LedgerDeliveryCursorStore(ledger, writer);
    }

    /** Returns the recent events as an Atom document, for an identity. */
    public CompletionStage<String> feed(String identity, Optional<URI> base) {
        return executors
                .slow()
                .submit(identity, () -> ledgerNotificationReader(base).feed().toXml());
    }

    private LedgerSepNotificationReader ledgerNotificationReader(Optional<URI> base) {
        return new LedgerSepNotificationReader(
                ledger, codec, lifecycleEngine, sepReader, openSepCache, this::currentPeople, base);
    }
}
