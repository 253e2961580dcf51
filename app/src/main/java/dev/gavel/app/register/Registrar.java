package dev.gavel.app.register;

import dev.gavel.app.identity.Identities;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.Warrant;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.Outcome;
import dev.gavel.ledger.writer.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what admins want changed, one thing after the other: decided and durable in the ledger first, then in effect
 * on everything that is open. What admins change at other processes takes effect here as well, in the ledger's order. Also
 * ends tokens when their time is over. Thread-safe.
 */
public final class Registrar implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Registrar.class);

    /** So many commands may wait for the ledger. */
    private static final int MOST_WAITING = 100;

    /** So often a command is decided anew because somebody at another process was faster. */
    private static final int MOST_TRIES = 200;

    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** The clock is looked at so often at least while a token may end: it may be set, and a machine may sleep. */
    private static final long LONGEST_SLEEP_MILLIS = 30_000;

    private final Optional<Rolls> rolls;
    private final Identities identities;
    private final Effects effects;
    private final InstantSource clock;
    private final ScheduledExecutorService worker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-register").factory());
    private final AtomicBoolean following = new AtomicBoolean();

    private volatile Register register;

    /** Up to where the ledger is in effect here. */
    private volatile long applied;

    /** Done when everything that was applied is in effect in the topics. */
    private CompletableFuture<?> settled = CompletableFuture.completedFuture(null);

    private @Nullable ScheduledFuture<?> alarm;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private int waiting;
    private boolean lost;

    /**
     * Begins with how things stand.
     *
     * @param rolls empty where nothing can be kept, and so nothing changed
     */
    public Registrar(
            Register register,
            Optional<Rolls> rolls,
            Identities identities,
            Function<String, Optional<Topic>> topics,
            InstantSource clock) {
        this.register = register;
        this.applied = register.upTo();
        this.rolls = rolls;
        this.identities = identities;
        this.effects = new Effects(topics);
        this.clock = clock;
        put(register);
    }

    /** How things stand now. */
    public Register register() {
        return register;
    }

    /** Has what other processes write take effect here from now on, and what they wrote since this began. */
    public void follow(Lookout lookout) {
        rolls.ifPresent(from -> lookout.follow(Register.STREAM, new Lookout.Follower() {
            @Override
            public void told(long first, long last) {
                seen(last);
            }

            @Override
            public void seen(long last) {
                if (last > applied && following.compareAndSet(false, true)) {
                    onWorker(() -> {
                        following.set(false);
                        catchUp(from, last);
                    });
                }
            }
        }));
    }

    private void onWorker(Runnable work) {
        try {
            worker.execute(work);
        } catch (RejectedExecutionException e) {
            log.debug("nothing is changed any more: the process ends");
        }
    }

    /**
     * Has a command carried out.
     *
     * @param actor who wants it
     * @param warrant what they came with; it must still be good when their turn comes
     */
    public CompletionStage<Answer> order(String actor, Warrant warrant, Command command) {
        return rolls.<CompletionStage<Answer>>map(it -> enqueue(it, new Order(actor, warrant, command)))
                .orElseGet(() -> CompletableFuture.completedStage(new Answer.NoLedger()));
    }

    private record Order(String actor, Warrant warrant, Command command) {}

    /** What comes of looking at an order. */
    private sealed interface Sight {
        record Seen(Ruling ruling) implements Sight {}

        /** Others have written that is not in effect here yet, so nothing can be said. */
        record Behind(long last) implements Sight {}
    }

    /** The next is decided when the one before is in effect, so that it is decided by how things stand then. */
    private synchronized CompletionStage<Answer> enqueue(Rolls to, Order order) {
        if (waiting >= MOST_WAITING) {
            return CompletableFuture.completedStage(
                    new Answer.Unavailable("too many changes wait to be written", AGAIN));
        }
        waiting++;
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        last = last.handle((before, failure) -> null).thenCompose(nothing -> {
            CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
            attempt(to, order, MOST_TRIES, answer, () -> {
                over();
                turn.complete(null);
            });
            return turn;
        });
        return answer;
    }

    private synchronized void over() {
        waiting--;
    }

    private void attempt(Rolls to, Order order, int tries, CompletableFuture<Answer> answer, Runnable then) {
        to.writer().submit(Register.STREAM, view -> decide(view, order), outcome -> {
            if (outcome instanceof Outcome.Written<Sight>(Sight.Behind(long end), var _) && tries > 0) {
                again(to, end, () -> attempt(to, order, tries - 1, answer, then), answer, then);
                return;
            }
            try {
                tell(outcome, answer);
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            } finally {
                then.run();
            }
        });
    }

    /** Reads what others wrote, not on the writer's thread, and tries once more. */
    private void again(Rolls from, long end, Runnable attempt, CompletableFuture<Answer> answer, Runnable then) {
        try {
            worker.execute(() -> {
                if (catchUp(from, end)) {
                    attempt.run();
                } else {
                    answer.complete(new Answer.Unavailable(
                            "what was changed at another process cannot be read here; the log says why", AGAIN));
                    then.run();
                }
            });
        } catch (RejectedExecutionException e) {
            answer.complete(new Answer.Unavailable("the gateway is stopping", AGAIN));
            then.run();
        }
    }

    private Decided<Sight> decide(View view, Order order) {
        if (view.lastSeq() != applied) {
            return Decided.nothing(new Sight.Behind(view.lastSeq()));
        }
        if (!order.warrant().holds()) {
            return Decided.nothing(new Sight.Seen(
                    new Ruling.Refused(Ruling.Why.UNAUTHENTICATED, "the token is unknown, expired or revoked")));
        }
        Ruling ruling = new Rulebook(register, order.actor(), view.now()).decide(order.command());
        if (!(ruling instanceof Ruling.Changed(List<Change> changes)) || changes.isEmpty()) {
            return Decided.nothing(new Sight.Seen(ruling));
        }
        String name = order.command().name();
        List<Event> events = changes.stream()
                .map(change -> view.event(name, Changes.type(change), order.actor(), null, Changes.body(change)))
                .toList();
        // Not the history: that may be long, and everybody else who writes waits.
        Instant started = view.summary(name)
                .map(Summary::startedAt)
                .orElseGet(() -> events.getFirst().at());
        return new Decided<>(
                new Sight.Seen(ruling), events, List.of(RegisterProjector.line(started, events.getLast())));
    }

    private void tell(Outcome<Sight> outcome, CompletableFuture<Answer> answer) {
        switch (outcome) {
            case Outcome.Written<Sight>(Sight.Seen(Ruling.Refused refused), var _) ->
                answer.complete(new Answer.Refused(refused));
            case Outcome.Written<Sight>(Sight.Seen(Ruling.Changed(List<Change> changes)), List<Event> events) ->
                takeEffect(changes, events, answer);
            case Outcome.Written<Sight>(Sight.Behind _, var _) ->
                answer.complete(new Answer.Unavailable("others change identities at the same time", AGAIN));
            case Outcome.Unavailable<Sight>(String reason, Duration retryAfter) ->
                answer.complete(new Answer.Unavailable(reason, retryAfter));
            case Outcome.Failed<Sight>(Throwable cause) -> answer.completeExceptionally(cause);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, whoever asked is told
    private void takeEffect(List<Change> changes, List<Event> events, CompletableFuture<Answer> answer) {
        apply(events, false).whenComplete((done, failure) -> {
            if (failure == null) {
                answer.complete(new Answer.Done(register, changes));
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    /**
     * Takes in what others wrote, up to a seq at least.
     *
     * @return whether all of it could be read
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for what others wanted
    private boolean catchUp(Rolls from, long end) {
        try {
            List<Event> next;
            do {
                next = from.after(applied);
                apply(next, true);
            } while (!next.isEmpty());
            // What is missing there cannot be waited for.
            reached(end);
            lost = false;
            return true;
        } catch (LedgerFailure e) {
            if (!lost) {
                log.error("what was changed about identities at another process is not in effect: {}", e.getMessage());
            }
            lost = true;
            return false;
        }
    }

    private synchronized void reached(long end) {
        applied = Math.max(applied, end);
    }

    /** Lets events take effect that have not, in order and each once, whoever brings them; done when they have. */
    private synchronized CompletableFuture<?> apply(List<Event> events, boolean elsewhere) {
        List<Event> fresh =
                events.stream().filter(event -> event.seq() > applied).toList();
        if (!fresh.isEmpty()) {
            Register now = register.after(fresh);
            put(now);
            applied = fresh.getLast().seq();
            CompletableFuture<?> taken = CompletableFuture.allOf(fresh.stream()
                    .map(event -> effects.take(now, event, elsewhere))
                    .toArray(CompletableFuture[]::new));
            settled = settled.handle((before, failure) -> null).thenCombine(taken, (before, done) -> done);
        }
        return settled;
    }

    /** Lets this be how things stand, and looks which tokens are good by now. */
    private synchronized void put(Register next) {
        register = next;
        Instant now = clock.instant();
        identities.become(next.grants(now));
        if (alarm != null) {
            alarm.cancel(false);
        }
        alarm = next.nextExpiry(now)
                .filter(end -> !worker.isShutdown())
                .map(end -> Math.clamp(now.until(end).toMillis() + 1, 1, LONGEST_SLEEP_MILLIS))
                .<@Nullable ScheduledFuture<?>>map(millis -> worker.schedule(this::ring, millis, TimeUnit.MILLISECONDS))
                .orElse(null);
    }

    private synchronized void ring() {
        put(register);
    }

    /** Takes no more notice of the time, nor of others. */
    @Override
    public void close() {
        worker.shutdownNow();
    }
}
