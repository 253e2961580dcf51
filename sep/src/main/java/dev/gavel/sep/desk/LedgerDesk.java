package dev.gavel.sep.desk;

import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Filed;
import dev.gavel.sep.kept.Line;
import dev.gavel.sep.kept.SepReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The desk on a ledger: questions are answered from what is durable, changes when they are. Every verb passes here, so
 * there is one check of rights and one guidance, whoever asks and by whatever way. Thread-safe.
 */
public final class LedgerDesk implements Desk {
    private static final Logger log = LoggerFactory.getLogger(LedgerDesk.class);

    /** The longest document that is taken, in characters. */
    public static final int LONGEST_DOCUMENT = 512 * 1024;

    /** Whoever has this role may do what concerns the whole desk. */
    private static final String ADMIN = "admin";

    private final Lifecycle lifecycle;
    private final People people;
    private final InstantSource clock;
    private final Executor executor;
    private final int wip;
    private final EventCodec codec = new EventCodec(person -> roster().settled(person));
    private final Archive archive;
    private final Shelf shelf;
    private final Catalogue catalogue;
    private final Clerk clerk;
    private volatile List<People.Known> everybody = List.of();
    private volatile Roster roster;

    /**
     * A desk; nothing is read before something is asked.
     *
     * @param executor where it works: reading waits for the disk
     * @param wip how many proposals one sponsor should look after at most
     */
    public LedgerDesk(
            LedgerReader ledger,
            LedgerWriter writer,
            Lifecycle lifecycle,
            People people,
            InstantSource clock,
            Executor executor,
            int wip) {
        this.lifecycle = lifecycle;
        this.people = people;
        this.clock = clock;
        this.executor = executor;
        this.wip = wip;
        this.roster = new Roster(everybody, lifecycle.process());
        SepReader reader = new SepReader(codec);
        this.archive = new Archive(ledger, reader);
        this.shelf = new Shelf(ledger, reader, archive, lifecycle, this::roster);
        this.catalogue = new Catalogue(archive, lifecycle.process());
        this.shelf.listen(catalogue::note);
        this.clerk = new Clerk(writer, lifecycle, reader, executor);
    }

    /** Why a process cannot be used here: it names facts that nobody could tell. */
    public static Optional<String> objection(Process process) {
        List<String> unknown = Facts.unknown(process);
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("the process " + process.name() + " names facts the desk cannot tell: "
                        + String.join(", ", unknown) + "; it knows titled, complete, named-back, "
                        + String.join(", ", Facts.FORMAT) + " and section-NAME");
    }

    /** Everybody as they are now; made anew only where somebody has changed. */
    private Roster roster() {
        List<People.Known> now = people.everybody();
        if (!now.equals(everybody)) {
            roster = new Roster(now, lifecycle.process());
            everybody = now;
        }
        return roster;
    }

    @Override
    public CompletionStage<Reply> ask(Caller caller, Verb verb, Json arguments) {
        Optional<String> trouble = verb.trouble(arguments);
        if (trouble.isPresent()) {
            return CompletableFuture.completedStage(new Reply.Wrong(trouble.get()));
        }
        return CompletableFuture.supplyAsync(() -> answer(caller, verb, arguments), executor)
                .thenCompose(Function.identity())
                .exceptionallyCompose(LedgerDesk::excuse);
    }

    private static CompletionStage<Reply> excuse(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case Clerk.Unavailable e ->
                CompletableFuture.completedStage(new Reply.Unavailable(String.valueOf(e.getMessage()), e.retryAfter()));
            case LedgerFailure e -> {
                log.error("the ledger cannot be read: {}", e.getMessage());
                yield CompletableFuture.completedStage(
                        new Reply.Unavailable("the ledger cannot be read; the log says why", Duration.ofSeconds(1)));
            }
            default -> CompletableFuture.failedStage(cause);
        };
    }

    private CompletionStage<Reply> answer(Caller caller, Verb verb, Json arguments) {
        Enquiries enquiries = enquiries(caller);
        return switch (verb) {
            case LIST -> told(enquiries.list(arguments));
            case SHOW -> told(enquiries.show(arguments));
            case NEXT -> told(enquiries.next(arguments));
            case EXPLAIN -> told(enquiries.explain(arguments));
            case INBOX -> told(enquiries.inbox(arguments));
            case TRIAGE -> told(enquiries.triage(arguments));
            case MAINTAINERS -> told(enquiries.maintainers());
            case HISTORY -> told(enquiries.history(arguments));
            case EXPORT -> told(enquiries.export(arguments));
            case SIMILAR, STATS, LINT -> told(new Reply.Unavailable("soon", Duration.ofSeconds(1)));
            case SUBMIT -> submit(caller, arguments);
            case EDIT -> edit(caller, arguments);
            case IMPORT -> bring(caller, arguments);
            case SWEEP -> sweep(caller, arguments);
            case ASK, SPONSOR, STEP_DOWN, MOVE, COMMENT, ATTACH, VOTE, HOLD, RELEASE, WITHDRAW, SUPERSEDE, TRANSFER ->
                clerk.order(caller, verb, number(arguments), arguments, roster())
                        .thenApply(ruling -> reply(caller, ruling, List.of()));
        };
    }

    private Enquiries enquiries(Caller caller) {
        return new Enquiries(lifecycle, shelf, catalogue, archive, codec, roster(), wip, caller, clock.instant());
    }

    private static CompletionStage<Reply> told(Reply reply) {
        return CompletableFuture.completedStage(reply);
    }

    private static int number(Json arguments) {
        return (int) Math.min(arguments.at("number").number(0), Integer.MAX_VALUE);
    }

    private Reply reply(Caller caller, Ruling ruling, List<String> more) {
        return switch (ruling) {
            case Ruling.Made made -> made(caller, made, more);
            case Ruling.Refused(Refusal refusal) ->
                new Reply.Refused(
                        refusal.code(), refusal.message(), Enquiries.object(json -> Views.refusal(json, refusal)));
            case Ruling.Wrong(String message) -> new Reply.Wrong(message);
            case Ruling.Unknown(int number) ->
                new Reply.Unknown("there is no SEP " + number + "; 'list' shows those there are");
        };
    }

    /** What happened, what had better be otherwise, and what whoever asked should do next. */
    private Reply made(Caller caller, Ruling.Made made, List<String> more) {
        Sep sep = made.sep();
        List<String> advice = new ArrayList<>(made.advice());
        advice.addAll(more);
        advice.addAll(load(made));
        return new Reply.Done(Enquiries.object(json -> {
            Views.line(json, Line.of(sep, lifecycle.process()));
            Views.texts(json, "did", made.events().stream().map(Sayings::of).toList());
            Views.texts(json, "advice", advice);
            json.writeObjectPropertyStart("next");
            Views.next(json, sep, enquiries(caller).guidance(sep));
            json.writeEndObject();
        }));
    }

    /** A sponsor who has taken on more than they should is told so. */
    private List<String> load(Ruling.Made made) {
        return made.events().stream()
                .<dev.gavel.lifecycle.history.Event.RoleTaken>mapMulti((event, found) -> {
                    if (event instanceof dev.gavel.lifecycle.history.Event.RoleTaken taken) {
                        found.accept(taken);
                    }
                })
                .filter(taken -> Line.sponsorRole(lifecycle.process())
                        .filter(role -> role.name().equals(taken.role()))
                        .isPresent())
                .flatMap(taken -> {
                    int load = shelf.held(taken.role())
                            .getOrDefault(taken.person(), java.util.Set.of())
                            .size();
                    return load <= wip
                            ? java.util.stream.Stream.empty()
                            : java.util.stream.Stream.of(taken.person().login() + " looks after " + load
                                    + " proposals now, and the limit is " + wip + ".");
                })
                .toList();
    }

    // --- documents

    private CompletionStage<Reply> submit(Caller caller, Json arguments) {
        return withDocument(
                arguments,
                document -> clerk.file(document, caller.identity())
                        .thenCompose(filed -> clerk.submit(caller, filed, nextNumber(), roster()))
                        .thenApply(ruling -> reply(caller, ruling, List.of())));
    }

    private CompletionStage<Reply> edit(Caller caller, Json arguments) {
        return withDocument(
                arguments,
                document -> clerk.file(document, caller.identity())
                        .thenCompose(filed -> clerk.edit(caller, number(arguments), filed, roster()))
                        .thenApply(ruling -> reply(caller, ruling, List.of())));
    }

    private static CompletionStage<Reply> withDocument(
            Json arguments, Function<Document, CompletionStage<Reply>> then) {
        String text = arguments.at("document").text();
        if (text.length() > LONGEST_DOCUMENT) {
            return told(new Reply.Wrong("the document is longer than " + LONGEST_DOCUMENT + " characters"));
        }
        if (text.isBlank()) {
            return told(new Reply.Wrong("the document is empty"));
        }
        return then.apply(Document.read(text));
    }

    private CompletionStage<Reply> bring(Caller caller, Json arguments) {
        if (!isSteward(caller)) {
            return told(notSteward("import"));
        }
        return withDocument(
                arguments,
                document -> clerk.file(document, caller.identity())
                        .thenCompose(filed -> clerk.bring(
                                caller,
                                filed,
                                numberOf(filed, arguments.at("file").text()),
                                roster()))
                        .thenApply(ruling -> {
                            if (!(ruling instanceof Ruling.Made made)) {
                                return reply(caller, ruling, List.of());
                            }
                            String outcome = made.events().isEmpty()
                                    ? "unchanged"
                                    : made.events().getFirst() instanceof dev.gavel.lifecycle.history.Event.Submitted
                                            ? "imported"
                                            : "updated";
                            return new Reply.Done(Enquiries.object(json -> {
                                Views.line(json, Line.of(made.sep(), lifecycle.process()));
                                json.writeStringProperty("outcome", outcome);
                            }));
                        }));
    }

    /** The number a document has: as it says, as its file is called, as it had before; and else the next. */
    private int numberOf(Filed filed, String file) {
        int said = filed.outline().number().orElse(0);
        if (said > 0 && said <= Drafting.HIGHEST_NUMBER) {
            return said;
        }
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        int digits = 0;
        while (digits < name.length() && digits < 6 && Character.isDigit(name.charAt(digits))) {
            digits++;
        }
        int called = digits == 0 ? 0 : Integer.parseInt(name, 0, digits, 10);
        return called > 0 ? called : catalogue.withDocument(filed.hash()).orElseGet(this::nextNumber);
    }

    private int nextNumber() {
        shelf.follow();
        return catalogue.next();
    }

    /** Whoever decides votes, or administers the server. */
    private boolean isSteward(Caller caller) {
        List<String> brought = lifecycle.process().brought(List.copyOf(caller.roles()));
        return caller.roles().contains(ADMIN)
                || lifecycle.process().votes().values().stream().anyMatch(vote -> brought.contains(vote.who()));
    }

    private Reply notSteward(String what) {
        List<String> who = new ArrayList<>();
        lifecycle
                .process()
                .votes()
                .values()
                .forEach(vote -> who.add(lifecycle.process().title(vote.who())));
        who.add("an " + ADMIN);
        return new Reply.Refused(
                "not-allowed",
                "Only " + String.join(" or ", who.stream().distinct().toList()) + " may " + what + ".",
                Json.object());
    }

    // --- clocks

    private CompletionStage<Reply> sweep(Caller caller, Json arguments) {
        boolean dry = arguments.at("dryRun").isTrue();
        if (!dry && !isSteward(caller)) {
            return told(notSteward("sweep; anyone may make a dry run"));
        }
        Instant now = clock.instant();
        Optional<Instant> asOf = Optional.empty();
        if (arguments.at("asOf").there()) {
            asOf = Days.end(arguments.at("asOf").text(), now);
            if (asOf.isEmpty()) {
                return told(
                        new Reply.Wrong("'asOf' is a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z"));
            }
            if (!dry && asOf.get().isBefore(now)) {
                return told(new Reply.Wrong("as of a day that is past there can only be a dry run"));
            }
        }
        return sweep(asOf, dry);
    }

    /** Does what is due now, or as of a time; whoever calls this has seen to it that it may be done. */
    public CompletionStage<Reply> sweep(Optional<Instant> asOf, boolean dry) {
        Instant at = asOf.orElse(clock.instant());
        Roster people = roster();
        Enquiries enquiries = enquiries(new Caller(Actor.SYSTEM, java.util.Set.of()));
        record Errand(Sep sep, Due due) {}
        List<Errand> errands = new ArrayList<>();
        shelf.open().stream()
                .map(Shelf.Entry::sep)
                .sorted(java.util.Comparator.comparingInt(Sep::number))
                .forEach(sep -> lifecycle
                        .due(sep.history(), enquiries.known(sep), at)
                        .forEach(due -> errands.add(new Errand(sep, due))));
        CompletableFuture<List<Errand>> done = CompletableFuture.completedFuture(new ArrayList<>());
        if (!dry) {
            for (Errand errand : errands) {
                done = done.thenCombine(
                        clerk.carry(errand.sep().number(), errand.due(), asOf, people), (made, ruling) -> {
                            if (ruling instanceof Ruling.Made) {
                                made.add(errand);
                            }
                            return made;
                        });
            }
        }
        return done.thenApply(made -> new Reply.Done(Enquiries.object(json -> {
            json.writeStringProperty("asOf", at.toString()).writeBooleanProperty("dryRun", dry);
            json.writeArrayPropertyStart("due");
            for (Errand errand : dry ? errands : made) {
                json.writeStartObject()
                        .writeNumberProperty("number", errand.sep().number())
                        .writeStringProperty("title", errand.sep().title());
                Views.due(json, errand.due());
                json.writeEndObject();
            }
            json.writeEndArray().writeNumberProperty("done", dry ? 0 : made.size());
        })));
    }
}
