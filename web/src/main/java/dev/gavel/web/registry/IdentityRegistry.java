package dev.gavel.web.registry;

import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.identity.TokenAuthenticator.TokenGrant;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.RemoveMember;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps identities, tokens, roles and topic members up to date: records admins' changes in the ledger, applies other
 * processes' changes, and expires tokens. Changes take effect in the ledger's order, whichever process wrote them.
 * Thread-safe.
 */
public final class IdentityRegistry implements IdentityAccessSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(IdentityRegistry.class);

    /** How many commands may wait for the ledger. */
    private static final int MAX_PENDING_COMMANDS = 100;

    /** How often at most a command is decided again because another process wrote first. */
    private static final int MAX_ATTEMPTS = 200;

    private static final long REVOCATION_RETRY_MILLIS = 500;

    /**
     * How long a revocation waits for the ledger. Then it takes effect in this process. A disk or a database that hangs
     * reports no failure, and meanwhile the revoked identity could do harm.
     */
    private static final long REVOCATION_DEADLINE_MILLIS = 1_000;

    /** How long the answer to a revocation waits for the open topics, and for the file of revocations. */
    private static final long ANSWER_DEADLINE_MILLIS = 1_000;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /**
     * While a token may expire, the clock is read at least this often, because it may be set and a machine may sleep.
     */
    private static final long MAX_TIMER_MILLIS = 30_000;

    private final Optional<RegistryLedger> ledger;
    private final TokenAuthenticator tokenAuthenticator;
    private final RegistryChangeApplier registryChangeApplier;
    private final InstantSource clock;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-identities").factory());

    /** Runs what must not wait for the ledger, which {@link #worker} reads. */
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-identity-timer").factory());

    private final AtomicBoolean catchUpQueued = new AtomicBoolean();

    /** What the ledger contains. */
    private volatile RegistrySnapshot durable;

    /** Revocations that are in effect but not in the ledger, because it is unavailable. */
    private final UnwrittenRevocations unwrittenRevocations;

    /** What is in effect: the durable snapshot with the unwritten revocations. */
    private volatile RegistrySnapshot snapshot;

    /** The identities that have a valid token. */
    private Set<String> identitiesWithToken = new HashSet<>();

    /** The sequence number up to which the ledger is in effect here. */
    private volatile long appliedSeq;

    /** Completes when all applied events are in effect in the topics. */
    private CompletableFuture<?> allApplied = CompletableFuture.completedFuture(null);

    /** Runs after every change of the snapshot. */
    private volatile Runnable changeListener = () -> {};

    private @Nullable ScheduledFuture<?> expiryTimer;
    private CompletableFuture<?> lastCommand = CompletableFuture.completedFuture(null);
    private int pendingCommands;
    private boolean catchUpFailed;

    /**
     * Starts with this snapshot.
     *
     * @param registryLedger empty if there is no ledger, and so no change is possible
     * @param unwrittenRevocations the revocations that an earlier process could not write to the ledger
     */
    public IdentityRegistry(
            RegistrySnapshot registrySnapshot,
            Optional<RegistryLedger> registryLedger,
            UnwrittenRevocations unwrittenRevocations,
            TokenAuthenticator tokenAuthenticator,
            Function<String, Optional<Topic>> topics,
            InstantSource clock) {
        this.durable = registrySnapshot;
        this.unwrittenRevocations = unwrittenRevocations;
        this.snapshot = unwrittenRevocations.addTo(registrySnapshot);
        this.appliedSeq = registrySnapshot.lastSeq();
        this.ledger = registryLedger;
        this.tokenAuthenticator = tokenAuthenticator;
        this.registryChangeApplier = new RegistryChangeApplier(topics);
        this.clock = clock;
        install(snapshot);
        if (!unwrittenRevocations.isEmpty()) {
            applyEarlierRevocations();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private void applyEarlierRevocations() {
        for (UnwrittenRevocations.Revocation revocation : unwrittenRevocations.all()) {
            log.atWarn()
                    .addKeyValue("by", revocation.changeAttribution().by())
                    .addKeyValue("identity", revocation.name())
                    .log(
                            "{} revoked the access of '{}' while the ledger was unavailable. The revocation is in"
                                    + " effect, and Gavel stores it when the ledger is available.",
                            revocation.changeAttribution().by(),
                            revocation.name());
            registryChangeApplier.apply(snapshot, revocation.name(), revocation.changes());
        }
        ledger.ifPresent(this::scheduleRevocationWrite);
    }

    /** Calls this listener after every change of identities, tokens and members. It must not block. */
    public void setChangeListener(Runnable listener) {
        changeListener = listener;
    }

    /** The current snapshot. */
    public RegistrySnapshot snapshot() {
        return snapshot;
    }

    /**
     * Returns the current snapshot with the events that the ledger has in addition, for a decision on the ledger
     * writer's thread.
     *
     * @param eventsAfter returns the events of the identity stream after a seq
     */
    public RegistrySnapshot snapshot(LongFunction<List<LedgerEvent>> eventsAfter) {
        // In this order: the snapshot may include events after the seq, but it never lacks one before it.
        long seq = appliedSeq;
        return snapshot.applyNewer(eventsAfter.apply(seq));
    }

    @Override
    public AccessSnapshot current() {
        // In this order: the snapshot may include events after the seq, but it never lacks one before it.
        long seq = appliedSeq;
        return new RegistryAccessSnapshot(snapshot, seq);
    }

    /** Applies what other processes have written since the start, and what they write from now on. */
    public void follow(RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher) {
        ledger.ifPresent(sourceLedger -> remoteLedgerWriteDispatcher.subscribe(
                RegistrySnapshot.STREAM, new RemoteLedgerWriteDispatcher.StreamListener() {
                    @Override
                    public void onWritten(long first, long last) {
                        onPolledHead(last);
                    }

                    @Override
                    public void onPolledHead(long last) {
                        if (last > appliedSeq && catchUpQueued.compareAndSet(false, true)) {
                            runOnWorker(() -> {
                                catchUpQueued.set(false);
                                catchUp(sourceLedger, last);
                            });
                        }
                    }
                }));
    }

    private void runOnWorker(Runnable task) {
        try {
            worker.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("A change of identities was ignored, because the process is shutting down.");
        }
    }

    /**
     * Executes a command.
     *
     * @param actor the id of the admin
     * @param revocableAccessGrant the grant of the admin's request; it must still be valid when the command is executed
     */
    public CompletionStage<RegistryCommandResult> submit(
            String actor, RevocableAccessGrant revocableAccessGrant, RegistryCommand command) {
        return ledger.<CompletionStage<RegistryCommandResult>>map(
                        it -> enqueue(it, new PendingCommand(actor, revocableAccessGrant, command)))
                .orElseGet(() -> CompletableFuture.completedStage(new RegistryCommandResult.NoLedger()));
    }

    private record PendingCommand(String actor, RevocableAccessGrant revocableAccessGrant, RegistryCommand command) {
        boolean isRevocation() {
            return command instanceof RevokeTokens || command instanceof RemoveMember;
        }
    }

    /** The result of one attempt to decide a command. */
    private sealed interface DecisionAttempt {
        record Complete(RegistryDecisionResult registryDecisionResult) implements DecisionAttempt {}

        /** Another process has written events that are not in effect here yet, so no decision is possible. */
        record Stale(long last) implements DecisionAttempt {}
    }

    /**
     * Queues a command. It is decided only after the previous one is in effect, so that the decision uses the state
     * after it.
     */
    private synchronized CompletionStage<RegistryCommandResult> enqueue(
            RegistryLedger targetLedger, PendingCommand pendingCommand) {
        if (pendingCommands >= MAX_PENDING_COMMANDS) {
            CompletableFuture<RegistryCommandResult> result = new CompletableFuture<>();
            revokeInMemory(
                    targetLedger, pendingCommand, "too many changes are waiting to be written", RETRY_AFTER, result);
            return result;
        }
        String name = pendingCommand.command().name();
        if (!pendingCommand.isRevocation() && unwrittenRevocations.contains(name)) {
            // The revocation is written later than this command would be, and would undo it.
            return CompletableFuture.completedStage(new RegistryCommandResult.Unavailable(
                    "an earlier revocation of the access of '" + name + "' is not stored yet", RETRY_AFTER));
        }
        pendingCommands++;
        CompletableFuture<RegistryCommandResult> registryCommandResult = new CompletableFuture<>();
        lastCommand = lastCommand.handle((before, failure) -> null).thenCompose(nothing -> {
            CompletableFuture<@Nullable Void> completion = new CompletableFuture<>();
            attempt(targetLedger, pendingCommand, MAX_ATTEMPTS, registryCommandResult, () -> {
                onCommandFinished();
                completion.complete(null);
            });
            return completion;
        });
        if (pendingCommand.isRevocation()) {
            scheduleDeadline(targetLedger, pendingCommand, registryCommandResult);
        }
        return registryCommandResult;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task runs, or the command completes before
    private void scheduleDeadline(
            RegistryLedger targetLedger,
            PendingCommand pendingCommand,
            CompletableFuture<RegistryCommandResult> registryCommandResult) {
        if (!registryCommandResult.isDone() && !timer.isShutdown()) {
            ScheduledFuture<?> deadline = timer.schedule(
                    () -> revokeAtDeadline(targetLedger, pendingCommand, registryCommandResult),
                    REVOCATION_DEADLINE_MILLIS,
                    TimeUnit.MILLISECONDS);
            registryCommandResult.whenComplete((result, failure) -> deadline.cancel(false));
        }
    }

    /**
     * Puts a revocation into effect for which the ledger has not answered. The command still waits for the ledger, and
     * is decided there. If only the ledger can tell whether there is something to revoke, the caller waits too.
     */
    private synchronized void revokeAtDeadline(
            RegistryLedger targetLedger,
            PendingCommand pendingCommand,
            CompletableFuture<RegistryCommandResult> registryCommandResult) {
        boolean hasEffect = decideInMemory(pendingCommand, clock.instant())
                        instanceof RegistryDecisionResult.Changed(List<RegistryChange> changes)
                ? !changes.isEmpty()
                : unwrittenRevocations.contains(pendingCommand.command().name());
        if (hasEffect && !registryCommandResult.isDone()) {
            revokeInMemory(
                    targetLedger, pendingCommand, "the ledger does not answer", RETRY_AFTER, registryCommandResult);
        }
    }

    private RegistryDecisionResult decideInMemory(PendingCommand pendingCommand, Instant now) {
        return !pendingCommand.isRevocation()
                        || !pendingCommand.revocableAccessGrant().isValid()
                ? new RegistryDecisionResult.Changed(List.of())
                : new RegistryCommandDecider(snapshot, pendingCommand.actor(), now).decide(pendingCommand.command());
    }

    private synchronized void onCommandFinished() {
        pendingCommands--;
    }

    private void attempt(
            RegistryLedger targetLedger,
            PendingCommand pendingCommand,
            int tries,
            CompletableFuture<RegistryCommandResult> registryCommandResult,
            Runnable onFinished) {
        targetLedger
                .writer()
                .submitEssential(
                        RegistrySnapshot.STREAM,
                        writerTaskContext -> decide(writerTaskContext, pendingCommand),
                        writeResult -> {
                            if (writeResult
                                            instanceof
                                            WriteResult.Written<DecisionAttempt>(DecisionAttempt.Stale(long end), var _)
                                    && tries > 0) {
                                catchUpAndRetry(
                                        targetLedger,
                                        pendingCommand,
                                        end,
                                        () -> attempt(
                                                targetLedger,
                                                pendingCommand,
                                                tries - 1,
                                                registryCommandResult,
                                                onFinished),
                                        registryCommandResult,
                                        onFinished);
                                return;
                            }
                            try {
                                completeResult(targetLedger, pendingCommand, writeResult, registryCommandResult);
                            } catch (RuntimeException e) {
                                registryCommandResult.completeExceptionally(e);
                            } finally {
                                onFinished.run();
                            }
                        });
    }

    /** Reads what other processes wrote, off the writer's thread, and tries again. */
    private void catchUpAndRetry(
            RegistryLedger targetLedger,
            PendingCommand pendingCommand,
            long end,
            Runnable attempt,
            CompletableFuture<RegistryCommandResult> registryCommandResult,
            Runnable onFinished) {
        try {
            worker.execute(() -> {
                if (catchUp(targetLedger, end)) {
                    attempt.run();
                } else {
                    revokeInMemory(
                            targetLedger,
                            pendingCommand,
                            "the changes of another process cannot be read; see the log",
                            RETRY_AFTER,
                            registryCommandResult);
                    onFinished.run();
                }
            });
        } catch (RejectedExecutionException e) {
            registryCommandResult.complete(
                    new RegistryCommandResult.Unavailable("the server is shutting down", RETRY_AFTER));
            onFinished.run();
        }
    }

    private TaskDecision<DecisionAttempt> decide(WriterTaskContext writerTaskContext, PendingCommand pendingCommand) {
        if (writerTaskContext.lastSeq() != appliedSeq) {
            return TaskDecision.withoutEvents(new DecisionAttempt.Stale(writerTaskContext.lastSeq()));
        }
        if (!pendingCommand.revocableAccessGrant().isValid()) {
            return TaskDecision.withoutEvents(new DecisionAttempt.Complete(new RegistryDecisionResult.Refused(
                    RegistryDecisionResult.Reason.UNAUTHENTICATED, "the token is unknown, expired or revoked")));
        }
        RegistryDecisionResult registryDecisionResult = new RegistryCommandDecider(
                        durable, pendingCommand.actor(), writerTaskContext.now())
                .decide(pendingCommand.command());
        if (!(registryDecisionResult instanceof RegistryDecisionResult.Changed(List<RegistryChange> changes))
                || changes.isEmpty()) {
            return TaskDecision.withoutEvents(new DecisionAttempt.Complete(registryDecisionResult));
        }
        String name = pendingCommand.command().name();
        List<LedgerEvent> events = changes.stream()
                .map(change -> writerTaskContext.createEvent(
                        name,
                        RegistryChangeCodec.type(change),
                        pendingCommand.actor(),
                        null,
                        RegistryChangeCodec.body(change)))
                .toList();
        // Uses the summary, not the history, which may be long while all other ledger writes wait.
        Instant startedAt = writerTaskContext
                .summary(name)
                .map(SubjectSummary::startedAt)
                .orElseGet(() -> events.getFirst().at());
        return new TaskDecision<>(
                new DecisionAttempt.Complete(registryDecisionResult),
                events,
                List.of(IdentitySummaryProjector.summary(startedAt, events.getLast())));
    }

    private void completeResult(
            RegistryLedger targetLedger,
            PendingCommand pendingCommand,
            WriteResult<DecisionAttempt> writeResult,
            CompletableFuture<RegistryCommandResult> registryCommandResult) {
        switch (writeResult) {
            case WriteResult.Written<DecisionAttempt>(
                    DecisionAttempt.Complete(RegistryDecisionResult.Refused refused),
                    var _) -> registryCommandResult.complete(new RegistryCommandResult.Refused(refused));
            case WriteResult.Written<DecisionAttempt>(
                    DecisionAttempt.Complete(RegistryDecisionResult.Changed(List<RegistryChange> changes)),
                    List<LedgerEvent> events) -> applyAndComplete(changes, events, registryCommandResult);
            case WriteResult.Written<DecisionAttempt>(DecisionAttempt.Stale _, var _) ->
                revokeInMemory(
                        targetLedger,
                        pendingCommand,
                        "another process is changing identities at the same time",
                        RETRY_AFTER,
                        registryCommandResult);
            case WriteResult.Unavailable<DecisionAttempt>(String reason, Duration retryAfter) ->
                revokeInMemory(targetLedger, pendingCommand, reason, retryAfter, registryCommandResult);
            case WriteResult.Failed<DecisionAttempt>(Throwable cause) ->
                registryCommandResult.completeExceptionally(cause);
        }
    }

    /**
     * Puts a revocation into effect in this process while the ledger is unavailable, and writes it as soon as the ledger
     * is available. The admin is told that it is not durable yet. Any other command fails.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller's future completes either way
    private synchronized void revokeInMemory(
            RegistryLedger targetLedger,
            PendingCommand pendingCommand,
            String reason,
            Duration retryAfter,
            CompletableFuture<RegistryCommandResult> registryCommandResult) {
        Instant now = clock.instant();
        RegistryDecisionResult decision = decideInMemory(pendingCommand, now);
        String name = pendingCommand.command().name();
        if (decision instanceof RegistryDecisionResult.Refused refused) {
            if (unwrittenRevocations.contains(name)) {
                completeNotDurable(CompletableFuture.completedFuture(null), reason, retryAfter, registryCommandResult);
            } else {
                registryCommandResult.complete(new RegistryCommandResult.Refused(refused));
            }
            return;
        }
        List<RegistryChange> changes = ((RegistryDecisionResult.Changed) decision).changes();
        if (changes.isEmpty() || !unwrittenRevocations.hasRoom()) {
            registryCommandResult.complete(new RegistryCommandResult.Unavailable(reason, retryAfter));
            return;
        }
        boolean first = unwrittenRevocations.isEmpty();
        unwrittenRevocations.add(
                new UnwrittenRevocations.Revocation(name, changes, new ChangeAttribution(pendingCommand.actor(), now)));
        RegistrySnapshot next = unwrittenRevocations.addTo(durable);
        Set<String> changed = install(next);
        log.atWarn()
                .addKeyValue("by", pendingCommand.actor())
                .addKeyValue("identity", name)
                .log(
                        "{} revoked the access of '{}'. The revocation is in effect in this process, but not in the"
                                + " ledger, because the ledger is unavailable: {}. Gavel stores it when the ledger is"
                                + " available.",
                        pendingCommand.actor(),
                        name,
                        reason);
        completeNotDurable(
                CompletableFuture.allOf(
                        registryChangeApplier.applyAccess(next, changed),
                        registryChangeApplier.apply(next, name, changes)),
                reason,
                retryAfter,
                registryCommandResult);
        if (first) {
            scheduleRevocationWrite(targetLedger);
        }
    }

    /** Answers once the topics have applied a revocation and the file contains it, or after a deadline. */
    @SuppressWarnings("FutureReturnValueIgnored") // the caller's future completes
    private void completeNotDurable(
            CompletableFuture<Void> application,
            String reason,
            Duration retryAfter,
            CompletableFuture<RegistryCommandResult> registryCommandResult) {
        CompletableFuture<Boolean> survivesRestart =
                unwrittenRevocations.stored().copy();
        application
                .completeOnTimeout(null, ANSWER_DEADLINE_MILLIS, TimeUnit.MILLISECONDS)
                .handle((done, failure) -> null)
                .thenCombine(
                        survivesRestart.completeOnTimeout(false, ANSWER_DEADLINE_MILLIS, TimeUnit.MILLISECONDS),
                        (done, stored) -> registryCommandResult.complete(
                                new RegistryCommandResult.NotDurable(reason, stored, retryAfter)));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process stops before
    private void scheduleRevocationWrite(RegistryLedger targetLedger) {
        if (!timer.isShutdown()) {
            timer.schedule(() -> writeRevocations(targetLedger), REVOCATION_RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Writes the revocations that are only in memory, and tries again later if the ledger is still unavailable. */
    private void writeRevocations(RegistryLedger targetLedger) {
        targetLedger
                .writer()
                .submitEssential(
                        RegistrySnapshot.STREAM,
                        this::decideRevocations,
                        writeResult -> onRevocationsWritten(targetLedger, writeResult));
    }

    /** The result is the unwritten revocations that the decision covers; none if it cannot be made yet. */
    private TaskDecision<List<UnwrittenRevocations.Revocation>> decideRevocations(WriterTaskContext writerTaskContext) {
        // The context reads the ledger, which may hang. A thread that holds the lock must not wait for it.
        long seq = writerTaskContext.lastSeq();
        RegistrySnapshot base;
        List<UnwrittenRevocations.Revocation> revocations;
        synchronized (this) {
            if (seq != appliedSeq) {
                return TaskDecision.withoutEvents(List.of());
            }
            base = durable;
            revocations = unwrittenRevocations.all();
        }
        return UnwrittenRevocations.toDecision(revocations, base, writerTaskContext);
    }

    private void catchUpIfStale(RegistryLedger sourceLedger) {
        try {
            long last =
                    sourceLedger.reader().retainedRange(RegistrySnapshot.STREAM).last();
            if (last > appliedSeq) {
                catchUp(sourceLedger, last);
            }
        } catch (LedgerException e) {
            log.debug("The last change of identities cannot be read: {}", e.getMessage());
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private synchronized void onRevocationsWritten(
            RegistryLedger targetLedger, WriteResult<List<UnwrittenRevocations.Revocation>> writeResult) {
        if (writeResult
                        instanceof
                        WriteResult.Written<List<UnwrittenRevocations.Revocation>>(
                                List<UnwrittenRevocations.Revocation> covered,
                                List<LedgerEvent> events)
                && !covered.isEmpty()) {
            unwrittenRevocations.removeAll(covered);
            apply(events, false);
        } else {
            runOnWorker(() -> catchUpIfStale(targetLedger));
        }
        if (!unwrittenRevocations.isEmpty()) {
            scheduleRevocationWrite(targetLedger);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the caller's future completes either way
    private void applyAndComplete(
            List<RegistryChange> changes,
            List<LedgerEvent> events,
            CompletableFuture<RegistryCommandResult> registryCommandResult) {
        apply(events, false).whenComplete((done, failure) -> {
            if (failure == null) {
                registryCommandResult.complete(new RegistryCommandResult.Done(snapshot, changes));
            } else {
                registryCommandResult.completeExceptionally(failure);
            }
        });
    }

    /**
     * Applies what other processes wrote, at least up to this sequence number.
     *
     * @return whether all of it could be read
     */
    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for other processes' changes
    private boolean catchUp(RegistryLedger sourceLedger, long end) {
        try {
            List<LedgerEvent> next;
            do {
                next = sourceLedger.changesAfter(appliedSeq);
                apply(next, true);
            } while (!next.isEmpty());
            // Events missing up to here will not appear later, so do not wait for them.
            advanceApplied(end);
            catchUpFailed = false;
            return true;
        } catch (LedgerException e) {
            if (!catchUpFailed) {
                log.error(
                        "The identity changes of another process cannot be read and are not in effect: {}",
                        e.getMessage());
            }
            catchUpFailed = true;
            return false;
        }
    }

    private synchronized void advanceApplied(long end) {
        appliedSeq = Math.max(appliedSeq, end);
    }

    /**
     * Applies events that are not in effect yet, in order and each once, whichever process wrote them. The returned
     * future completes when they are in effect.
     *
     * @param remote whether another process wrote them
     */
    private synchronized CompletableFuture<?> apply(List<LedgerEvent> events, boolean remote) {
        List<LedgerEvent> newEvents =
                events.stream().filter(event -> event.seq() > appliedSeq).toList();
        if (!newEvents.isEmpty()) {
            durable = durable.apply(newEvents);
            unwrittenRevocations.removeContained(durable);
            RegistrySnapshot now = unwrittenRevocations.addTo(durable);
            Set<String> changed = install(now);
            appliedSeq = newEvents.getLast().seq();
            CompletableFuture<?> application = CompletableFuture.allOf(Stream.concat(
                            newEvents.stream().map(event -> registryChangeApplier.apply(now, event, remote)),
                            Stream.of(registryChangeApplier.applyAccess(now, changed)))
                    .toArray(CompletableFuture[]::new));
            allApplied = allApplied.handle((before, failure) -> null).thenCombine(application, (before, done) -> done);
        }
        return allApplied;
    }

    /**
     * Makes this the current snapshot, updates the valid tokens and schedules the next expiry. Returns the identities
     * that had a valid token before and have none now, or the other way round.
     */
    private synchronized Set<String> install(RegistrySnapshot next) {
        snapshot = next;
        Instant now = clock.instant();
        Map<TokenHash, TokenGrant> grants = next.grants(now);
        tokenAuthenticator.replaceGrants(grants);
        changeListener.run();
        Set<String> before = identitiesWithToken;
        Set<String> after =
                grants.values().stream().map(grant -> grant.identity().id()).collect(Collectors.toSet());
        identitiesWithToken = after;
        Set<String> changed = Stream.concat(before.stream(), after.stream())
                .filter(id -> before.contains(id) != after.contains(id))
                .collect(Collectors.toSet());
        if (expiryTimer != null) {
            expiryTimer.cancel(false);
        }
        expiryTimer = next.nextExpiry(now)
                .filter(end -> !timer.isShutdown())
                .map(end -> Math.clamp(now.until(end).toMillis() + 1, 1, MAX_TIMER_MILLIS))
                .<@Nullable ScheduledFuture<?>>map(
                        millis -> timer.schedule(this::onExpiryTimer, millis, TimeUnit.MILLISECONDS))
                .orElse(null);
        return changed;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private synchronized void onExpiryTimer() {
        registryChangeApplier.applyAccess(snapshot, install(snapshot));
    }

    /** Stops expiring tokens and applying changes of other processes. */
    @Override
    public void close() {
        worker.shutdownNow();
        timer.shutdownNow();
        unwrittenRevocations.close();
    }
}
