package dev.gavel.app.register;

import dev.gavel.app.identity.Identities;
import dev.gavel.app.register.Change.MemberRemoved;
import dev.gavel.app.register.Change.MemberReset;
import dev.gavel.app.register.Change.MemberSet;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.Warrant;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.Outcome;
import dev.gavel.ledger.writer.View;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Carries out what admins want changed, one thing after the other: decided and durable in the ledger first, then in effect
 * on everything that is open. Also ends tokens when their time is over. Thread-safe.
 */
public final class Registrar implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Registrar.class);

    /** So many commands may wait for the ledger. */
    private static final int MOST_WAITING = 100;

    /** The clock is looked at so often at least while a token may end: it may be set, and a machine may sleep. */
    private static final long LONGEST_SLEEP_MILLIS = 30_000;

    private final Optional<LedgerWriter> writer;
    private final Identities identities;
    private final Function<String, Optional<Topic>> topics;
    private final InstantSource clock;
    private final ScheduledExecutorService alarms = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("gavel-expiry").factory());

    private volatile Register register;
    private @Nullable ScheduledFuture<?> alarm;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private int waiting;

    /**
     * Begins with how things stand.
     *
     * @param writer empty where nothing can be kept, and so nothing changed
     */
    public Registrar(
            Register register,
            Optional<LedgerWriter> writer,
            Identities identities,
            Function<String, Optional<Topic>> topics,
            InstantSource clock) {
        this.register = register;
        this.writer = writer;
        this.identities = identities;
        this.topics = topics;
        this.clock = clock;
        put(register);
    }

    /** How things stand now. */
    public Register register() {
        return register;
    }

    /**
     * Has a command carried out.
     *
     * @param actor who wants it
     * @param warrant what they came with; it must still be good when their turn comes
     */
    public CompletionStage<Answer> order(String actor, Warrant warrant, Command command) {
        return writer.<CompletionStage<Answer>>map(it -> enqueue(it, new Order(actor, warrant, command)))
                .orElseGet(() -> CompletableFuture.completedStage(new Answer.NoLedger()));
    }

    private record Order(String actor, Warrant warrant, Command command) {}

    /** The next is decided when the one before is in effect, so that it is decided by how things stand then. */
    private synchronized CompletionStage<Answer> enqueue(LedgerWriter to, Order order) {
        if (waiting >= MOST_WAITING) {
            return CompletableFuture.completedStage(
                    new Answer.Unavailable("too many changes wait to be written", Duration.ofSeconds(1)));
        }
        waiting++;
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        last = last.handle((before, failure) -> null).thenCompose(nothing -> {
            CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
            to.submit(Register.STREAM, view -> decide(view, order), outcome -> {
                try {
                    tell(order, outcome, answer);
                } catch (RuntimeException e) {
                    answer.completeExceptionally(e);
                } finally {
                    over();
                    turn.complete(null);
                }
            });
            return turn;
        });
        return answer;
    }

    private synchronized void over() {
        waiting--;
    }

    private Decided<Ruling> decide(View view, Order order) {
        if (!order.warrant().holds()) {
            return Decided.nothing(
                    new Ruling.Refused(Ruling.Why.UNAUTHENTICATED, "the token is unknown, expired or revoked"));
        }
        Ruling ruling = new Rulebook(register, order.actor(), view.now()).decide(order.command());
        if (!(ruling instanceof Ruling.Changed(List<Change> changes)) || changes.isEmpty()) {
            return Decided.nothing(ruling);
        }
        String name = order.command().name();
        List<Event> events = changes.stream()
                .map(change -> view.event(name, Changes.type(change), order.actor(), null, Changes.body(change)))
                .toList();
        // Not the history: that may be long, and everybody else who writes waits.
        Instant started = view.summary(name)
                .map(Summary::startedAt)
                .orElseGet(() -> events.getFirst().at());
        return new Decided<>(ruling, events, List.of(RegisterProjector.line(started, events.getLast())));
    }

    private void tell(Order order, Outcome<Ruling> outcome, CompletableFuture<Answer> answer) {
        switch (outcome) {
            case Outcome.Written<Ruling>(Ruling.Refused refused, var _) -> answer.complete(new Answer.Refused(refused));
            case Outcome.Written<Ruling>(Ruling.Changed(List<Change> changes), List<Event> events) ->
                takeEffect(order, changes, events, answer);
            case Outcome.Unavailable<Ruling>(String reason, Duration retryAfter) ->
                answer.complete(new Answer.Unavailable(reason, retryAfter));
            case Outcome.Failed<Ruling>(Throwable cause) -> answer.completeExceptionally(cause);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, whoever asked is told
    private void takeEffect(Order order, List<Change> changes, List<Event> events, CompletableFuture<Answer> answer) {
        String name = order.command().name();
        Register now = register.after(events);
        put(now);
        List<CompletableFuture<Void>> effects = new ArrayList<>();
        for (Change change : changes) {
            note(order.actor(), name, change);
            topicOf(change)
                    .flatMap(topics)
                    .ifPresent(topic -> effects.add(place(now, topic, name).toCompletableFuture()));
        }
        CompletableFuture.allOf(effects.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure == null) {
                answer.complete(new Answer.Done(now, changes));
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    private static void note(String actor, String name, Change change) {
        LoggingEventBuilder line = log.atInfo()
                .addKeyValue("by", actor)
                .addKeyValue("identity", name)
                .addKeyValue("change", Changes.type(change));
        LoggingEventBuilder placed =
                topicOf(change).map(topic -> line.addKeyValue("topic", topic)).orElse(line);
        tokenOf(change)
                .map(token -> placed.addKeyValue("token", token))
                .orElse(placed)
                .log("{} {}", actor, change.told(name));
    }

    private static Optional<String> tokenOf(Change change) {
        return switch (change) {
            case Change.TokenCreated(String id, var _, var _) -> Optional.of(id);
            case Change.TokenRevoked(String id, var _) -> Optional.of(id);
            case MemberSet _, MemberRemoved _, MemberReset _, Change.RolesSet _ -> Optional.empty();
        };
    }

    private static Optional<String> topicOf(Change change) {
        return switch (change) {
            case MemberSet(String topic, var _) -> Optional.of(topic);
            case MemberRemoved(String topic) -> Optional.of(topic);
            case MemberReset(String topic) -> Optional.of(topic);
            case Change.TokenCreated _, Change.TokenRevoked _, Change.RolesSet _ -> Optional.empty();
        };
    }

    private static CompletionStage<Void> place(Register now, Topic topic, String name) {
        return now.capabilities(topic.name(), name)
                .map(capabilities -> topic.enrol(new Member(name, capabilities)))
                .orElseGet(() -> topic.expel(name));
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
                .map(end -> Math.clamp(now.until(end).toMillis() + 1, 1, LONGEST_SLEEP_MILLIS))
                .<@Nullable ScheduledFuture<?>>map(millis -> alarms.schedule(this::ring, millis, TimeUnit.MILLISECONDS))
                .orElse(null);
    }

    private synchronized void ring() {
        put(register);
    }

    /** Takes no more notice of the time. */
    @Override
    public void close() {
        alarms.shutdownNow();
    }
}
