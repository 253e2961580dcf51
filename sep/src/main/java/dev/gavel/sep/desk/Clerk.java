package dev.gavel.sep.desk;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.Outcome;
import dev.gavel.ledger.writer.Task;
import dev.gavel.ledger.writer.View;
import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Outline;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Filed;
import dev.gavel.sep.kept.Hashes;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.kept.SepProjector;
import dev.gavel.sep.kept.SepReader;
import dev.gavel.sep.kept.Streams;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes proposals: decided against what is durable, on the ledger writer's thread, and answered when kept. Thread-safe.
 */
final class Clerk {
    /** How much may be said about one proposal, in bytes; votes and moves are always possible. */
    private static final long MOST_TALK = 1 << 20;

    private final LedgerWriter writer;
    private final Lifecycle lifecycle;
    private final SepReader reader;
    private final Executor executor;

    /** The ledger cannot be written to now. */
    static final class Unavailable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        Unavailable(String reason, Duration retryAfter) {
            super(reason, null, false, false);
            this.retryAfter = retryAfter;
        }

        Duration retryAfter() {
            return retryAfter;
        }
    }

    Clerk(LedgerWriter writer, Lifecycle lifecycle, SepReader reader, Executor executor) {
        this.writer = writer;
        this.lifecycle = lifecycle;
        this.reader = reader;
        this.executor = executor;
    }

    private <R> CompletableFuture<R> decide(String stream, int bytes, Task<R> task) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        // What hangs on the answer must not hold up the writer.
        writer.submit(
                stream,
                bytes,
                task,
                outcome -> executor.execute(() -> {
                    switch (outcome) {
                        case Outcome.Written<R>(R result, var _) -> answer.complete(result);
                        case Outcome.Failed<R>(Throwable cause) -> answer.completeExceptionally(cause);
                        case Outcome.Unavailable<R>(String reason, Duration retryAfter) ->
                            answer.completeExceptionally(new Unavailable(reason, retryAfter));
                    }
                }));
        return answer;
    }

    // --- documents

    /** Keeps a document, once, before anything refers to it. */
    CompletableFuture<Filed> file(Document document, String by) {
        String hash = Hashes.of(document.text());
        return decide(Streams.DOCUMENTS, document.text().length(), view -> {
                    if (view.summary(hash).isPresent()) {
                        return Decided.nothing(hash);
                    }
                    Body body = Body.of(Json.object()
                            .with("text", Json.ofText(document.text()))
                            .raw());
                    dev.gavel.ledger.Event event = view.event(hash, "filed", by, null, body);
                    return Decided.one(
                            hash,
                            event,
                            SepProjector.document(event, document.outline().summary()));
                })
                .thenApply(done -> new Filed(hash, document.outline()));
    }

    // --- what is asked about one that is there

    CompletableFuture<Ruling> order(Caller caller, Verb verb, int number, Json arguments, Roster roster) {
        Orders orders = new Orders(lifecycle, roster);
        return decide(Streams.SEPS, arguments.raw().length(), view -> {
            List<dev.gavel.ledger.Event> kept = view.history(Integer.toString(number));
            Optional<Sep> sep = reader.read(kept);
            if (sep.isEmpty()) {
                return Decided.nothing(new Ruling.Unknown(number));
            }
            if (isTalk(verb) && size(kept) + arguments.raw().length() > MOST_TALK) {
                return Decided.nothing(new Ruling.Refused(Refusal.of(
                        "full",
                        "So much was said about SEP " + number
                                + " that no more fits; go on elsewhere, and attach the link as discussion.")));
            }
            IntFunction<Optional<Sep>> others = other -> find(view, other);
            try {
                List<Evidence> given = orders.evidence(verb, arguments);
                Actor by =
                        Facts.withSuccessorRoles(roster.actor(caller), sep.get(), given, lifecycle.process(), others);
                Circumstances known = Facts.of(sep.get(), given, lifecycle.process(), roster, others);
                Command command = orders.command(verb, arguments, sep.get(), by, given, known, view.now());
                return made(
                        view,
                        number,
                        sep.get(),
                        lifecycle.decide(sep.get().history(), command, known, view.now()),
                        null);
            } catch (Orders.Misunderstood e) {
                return Decided.nothing(new Ruling.Wrong(String.valueOf(e.getMessage())));
            }
        });
    }

    private static boolean isTalk(Verb verb) {
        return verb == Verb.COMMENT || verb == Verb.ASK || verb == Verb.ATTACH;
    }

    private static long size(List<dev.gavel.ledger.Event> kept) {
        return kept.stream().mapToLong(event -> event.body().length()).sum();
    }

    /** Why a document would not be taken, without keeping it; nothing where it would. */
    Optional<Ruling> objection(Caller caller, Optional<Sep> before, Outline outline, Roster roster, Instant now) {
        Drafting drafting = new Drafting(lifecycle.process(), roster);
        Actor by = roster.actor(caller);
        Command command = before.<Command>map(
                        sep -> new Command.Edit(by, Drafting.changed(sep, drafting.fitting(outline))))
                .orElseGet(() -> drafting.submission(by, outline));
        Decision<Event> decision = lifecycle.decide(
                before.map(Sep::history).orElse(History.empty()),
                command,
                Facts.of(outline, lifecycle.process(), roster),
                now);
        return decision instanceof Decision.Refused<Event>(Refusal refusal)
                ? Optional.of(new Ruling.Refused(refusal))
                : Optional.empty();
    }

    /**
     * Replaces a proposal's document; whoever it names as an author besides becomes one.
     *
     * @param base the hash of the document it was made from, where whoever sends it wants to replace no other
     */
    CompletableFuture<Ruling> edit(Caller caller, int number, Filed filed, Optional<String> base, Roster roster) {
        return decide(Streams.SEPS, 0, view -> {
            Optional<Sep> found = find(view, number);
            if (found.isEmpty()) {
                return Decided.nothing(new Ruling.Unknown(number));
            }
            Sep sep = found.get();
            Drafting drafting = new Drafting(lifecycle.process(), roster);
            Actor by = roster.actor(caller);
            Circumstances known = Facts.of(filed.outline(), lifecycle.process(), roster);
            Decision<Event> decision = lifecycle.decide(
                    sep.history(),
                    new Command.Edit(by, Drafting.changed(sep, drafting.fitting(filed.outline()))),
                    known,
                    view.now());
            if (decision instanceof Decision.Accepted<Event>(List<Event> events, List<String> advice)) {
                if (filed.hash().equals(sep.document())) {
                    return Decided.nothing(
                            new Ruling.Made(sep, List.of(), List.of("The document is what it was already.")));
                }
                if (base.isPresent() && !base.get().equals(sep.document())) {
                    return Decided.nothing(new Ruling.Refused(changedSince(sep)));
                }
                List<Event> all = new ArrayList<>(events);
                all.addAll(drafting.joining(sep, filed.outline(), by, view.now()));
                List<String> said = new ArrayList<>(drafting.typeAdvice(filed.outline()));
                said.addAll(advice);
                return made(view, number, sep, new Decision.Accepted<>(all, said), filed);
            }
            return made(view, number, sep, decision, null);
        });
    }

    private static Refusal changedSince(Sep sep) {
        String by = sep.history().events().reversed().stream()
                .filter(event -> event instanceof Event.Edited)
                .findFirst()
                .map(event -> event.by().person().login())
                .orElse("Somebody");
        return Refusal.of(
                "changed-since",
                by + " has changed the document since. Put what you changed into the document as it is now, and send"
                        + " that.");
    }

    // --- what is new

    /** Submits a proposal, once for each person as long as it is open. */
    CompletableFuture<Ruling> submit(Caller caller, Filed filed, Numbers numbers, Roster roster) {
        return decide(Streams.SEPS, 0, view -> {
            Drafting drafting = new Drafting(lifecycle.process(), roster);
            Actor by = roster.actor(caller);
            Optional<String> already = same(view, filed, numbers)
                    .filter(sep -> lifecycle.process().state(sep.state()).open())
                    .map(sep -> "The very same document is SEP-" + sep.number() + " already; withdraw one of the two.")
                    .findFirst();
            Circumstances known = Facts.of(filed.outline(), lifecycle.process(), roster);
            Decision<Event> decision =
                    lifecycle.decide(History.empty(), drafting.submission(by, filed.outline()), known, view.now());
            OptionalInt number = numbers.given(filed.outline(), wanted -> isFree(view, wanted));
            return switch (decision) {
                case Decision.Accepted<Event>(List<Event> events, List<String> advice) -> {
                    if (number.isEmpty()) {
                        yield Decided.nothing(noNumber());
                    }
                    List<String> all = new ArrayList<>(numbers.advice(filed.outline(), number.getAsInt()));
                    already.ifPresent(all::add);
                    all.addAll(drafting.typeAdvice(filed.outline()));
                    all.addAll(advice);
                    yield made(view, number.getAsInt(), null, new Decision.Accepted<>(events, all), filed);
                }
                case Decision.Refused<Event>(Refusal refusal) -> Decided.nothing(new Ruling.Refused(refusal));
            };
        });
    }

    /**
     * Takes in a document with the number and status it says.
     *
     * @param wanted the one it is to have, or has already; where there is none it keeps what it has, or gets the next
     */
    CompletableFuture<Ruling> bring(Caller caller, Filed filed, OptionalInt wanted, Numbers numbers, Roster roster) {
        return decide(Streams.SEPS, 0, view -> {
            Drafting drafting = new Drafting(lifecycle.process(), roster);
            Actor by = roster.actor(caller);
            Optional<Sep> already = wanted.isPresent()
                    ? Optional.empty()
                    : same(view, filed, numbers).findFirst();
            if (already.isPresent()) {
                return Decided.nothing(new Ruling.Made(already.get(), List.of(), List.of()));
            }
            OptionalInt settled = wanted.isPresent() ? wanted : numbers.next(free -> isFree(view, free));
            if (settled.isEmpty()) {
                return Decided.nothing(noNumber());
            }
            int number = settled.getAsInt();
            Optional<Sep> found = find(view, number);
            if (found.isEmpty()) {
                List<String> advice = new ArrayList<>(numbers.advice(filed.outline(), number));
                advice.addAll(drafting.arrivalAdvice(filed.outline()));
                return made(
                        view,
                        number,
                        null,
                        new Decision.Accepted<>(drafting.arrival(by, filed.outline(), view.now()), advice),
                        filed);
            }
            Sep sep = found.get();
            if (filed.hash().equals(sep.document())) {
                return Decided.nothing(new Ruling.Made(sep, List.of(), List.of()));
            }
            if (sep.title().isBlank()
                    || !sep.title().equalsIgnoreCase(filed.outline().title())) {
                return Decided.nothing(new Ruling.Refused(Refusal.of(
                        "number-taken",
                        "SEP " + number + " is '" + sep.title() + "' here, and this document is called '"
                                + filed.outline().title()
                                + "'. Give it another number, or use 'edit' if it is the same with a new title.")));
            }
            List<Event> events =
                    List.of(new Event.Edited(view.now(), by, Drafting.changed(sep, drafting.fitting(filed.outline()))));
            return made(view, number, sep, Decision.accepted(events), filed);
        });
    }

    // --- what is due

    /** Does what a clock says is due, if it still is. */
    CompletableFuture<Ruling> carry(int number, Due due, Optional<Instant> asOf, Roster roster) {
        return decide(Streams.SEPS, 0, view -> {
            Optional<Sep> sep = find(view, number);
            if (sep.isEmpty()) {
                return Decided.nothing(new Ruling.Unknown(number));
            }
            Instant now = asOf.orElse(view.now());
            Circumstances known =
                    Facts.of(sep.get(), List.of(), lifecycle.process(), roster, other -> find(view, other));
            return made(
                    view,
                    number,
                    sep.get(),
                    lifecycle.decide(sep.get().history(), new Command.Carry(due), known, now),
                    null);
        });
    }

    private Optional<Sep> find(View view, int number) {
        return reader.read(view.history(Integer.toString(number)));
    }

    /** The proposals that have a document already, as far as a moment ago and what was written since tell. */
    private Stream<Sep> same(View view, Filed filed, Numbers numbers) {
        return numbers.candidates(filed.outline(), wanted -> isFree(view, wanted))
                .filter(number -> view.summary(Integer.toString(number))
                        .filter(summary -> Line.read(summary).document().equals(filed.hash()))
                        .isPresent())
                .mapToObj(number -> find(view, number))
                .flatMap(Optional::stream);
    }

    private static Ruling noNumber() {
        return new Ruling.Refused(Refusal.of(
                "no-number",
                "The numbers above the highest one are used up: they end at " + Numbers.HIGHEST
                        + ". Give the document a free number yourself, as in '# SEP-12: Title'."));
    }

    private static boolean isFree(View view, int number) {
        return view.summary(Integer.toString(number)).isEmpty();
    }

    /** What was decided, as it is kept; the document goes with the first event. */
    private Decided<Ruling> made(
            View view, int number, @Nullable Sep before, Decision<Event> decision, @Nullable Filed filed) {
        return switch (decision) {
            case Decision.Refused<Event>(Refusal refusal) -> Decided.nothing(new Ruling.Refused(refusal));
            case Decision.Accepted<Event>(List<Event> events, List<String> advice) -> {
                String subject = Integer.toString(number);
                List<dev.gavel.ledger.Event> kept = new ArrayList<>();
                for (Event event : events) {
                    Optional<Filed> document = kept.isEmpty() ? Optional.ofNullable(filed) : Optional.empty();
                    kept.add(view.event(
                            subject,
                            EventCodec.type(event),
                            event.by().person().login(),
                            null,
                            EventCodec.body(event, document)));
                }
                Sep after = reader.plus(before, kept);
                Line line = Line.of(after, lifecycle.process());
                yield new Decided<>(
                        new Ruling.Made(after, events, advice),
                        kept,
                        List.of(line.summary(kept.getLast().seq())));
            }
        };
    }
}
