package dev.gavel.sep.desk;

import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.SectionName;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.SepReader;
import dev.gavel.sep.sweep.Outbox;
import dev.gavel.sep.sweep.Told;
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
import java.util.concurrent.atomic.AtomicInteger;
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
    public static final int LONGEST_DOCUMENT = Document.LIMIT;

    /** So many questions may wait for an answer. */
    private static final int MOST_WAITING = 1_000;

    /** Whoever has this role may do what concerns the whole desk. */
    static final String ADMIN = "admin";

    private final LedgerReader ledger;
    private final LedgerWriter writer;
    private final List<Runnable> changed = new CopyOnWriteArrayList<>();
    private final Lifecycle lifecycle;
    private final People people;
    private final InstantSource clock;
    private final Hands hands;
    private final AtomicInteger waiting = new AtomicInteger();
    private final int wip;
    private final EventCodec codec = new EventCodec(person -> rosterNow().settled(person));
    private final Archive archive;
    private final Shelf shelf;
    private final Catalogue catalogue;
    private final Likeness likeness;
    private final Clerk clerk;
    private final Adoption adoption;
    private volatile Staff staff;

    /** Everybody at one moment, as they are known and as the process sees them. */
    private record Staff(List<People.Known> everybody, Roster roster) {}

    /**
     * A desk; nothing is read of the ledger before something is asked.
     *
     * @param hands who works: reading waits for the disk
     * @param wip how many proposals one sponsor should look after at most
     */
    public LedgerDesk(
            LedgerReader ledger,
            LedgerWriter writer,
            Lifecycle lifecycle,
            People people,
            InstantSource clock,
            Hands hands,
            int wip) {
        this.ledger = ledger;
        this.writer = writer;
        this.lifecycle = lifecycle;
        this.people = people;
        this.clock = clock;
        this.hands = hands;
        this.wip = wip;
        this.staff = staff(people.everybody(), lifecycle.process());
        SepReader reader = new SepReader(codec);
        this.archive = new Archive(ledger, reader);
        this.shelf = new Shelf(ledger, reader, archive, lifecycle, this::rosterNow);
        this.catalogue = new Catalogue(archive, lifecycle.process(), shelf::follow);
        this.likeness = new Likeness(archive, catalogue, shelf::follow);
        this.shelf.listen(catalogue::note);
        this.shelf.listen(likeness::note);
        this.adoption = new Adoption(ledger, writer, lifecycle.process());
        this.clerk = new Clerk(writer, lifecycle, reader, hands.answering());
    }

    /** Why a process cannot be used here: it names facts that nobody could tell. */
    public static Optional<String> objection(Process process) {
        List<String> unknown = Facts.unknown(process);
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("the process " + process.name() + " names facts the desk cannot tell: "
                        + String.join(", ", unknown) + "; it knows titled, complete, named-back, "
                        + String.join(", ", SectionName.format()) + " and section-NAME");
    }

    /** Everybody as they were when something was last asked: looking again for every name would take too long. */
    private Roster rosterNow() {
        return staff.roster();
    }

    private static Staff staff(List<People.Known> everybody, Process process) {
        return new Staff(everybody, new Roster(everybody, process));
    }

    /** Everybody as they are now; made anew only where somebody has changed. */
    private Roster roster() {
        Staff before = staff;
        List<People.Known> now = people.everybody();
        if (now.equals(before.everybody())) {
            return before.roster();
        }
        Staff changed = staff(now, lifecycle.process());
        staff = changed;
        if (!changed.roster().namesAlike(before.roster())) {
            shelf.forget();
        }
        return changed.roster();
    }

    @Override
    public CompletionStage<Reply> ask(Caller caller, Verb verb, Json arguments) {
        Optional<String> trouble = verb.trouble(arguments);
        if (trouble.isPresent()) {
            return CompletableFuture.completedStage(new Reply.Wrong(trouble.get()));
        }
        if (waiting.incrementAndGet() > MOST_WAITING) {
            waiting.decrementAndGet();
            return CompletableFuture.completedStage(
                    new Reply.Unavailable("too much is asked of the desk at once", Duration.ofSeconds(1)));
        }
        return CompletableFuture.supplyAsync(() -> answer(caller, verb, arguments), hands.doing(verb))
                .thenCompose(Function.identity())
                .exceptionallyCompose(LedgerDesk::excuse)
                .whenComplete((reply, failure) -> {
                    waiting.decrementAndGet();
                    if (verb.changes() && reply instanceof Reply.Done) {
                        changed();
                    }
                });
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
        if (verb.changes()) {
            adoption.beforeChange();
        }
        Enquiries enquiries = enquiries(caller);
        Replies replies = new Replies(enquiries);
        Filing filing = new Filing(enquiries, clerk, likeness, replies);
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
            case STATS -> told(enquiries.stats());
            case SIMILAR -> told(filing.similar(arguments));
            case LINT -> filing.lint(arguments);
            case SUBMIT -> filing.submit(arguments);
            case EDIT -> filing.edit(arguments);
            case IMPORT -> filing.bring(arguments);
            case SWEEP -> new Rounds(enquiries, clerk, replies).asked(arguments);
            case ASK, SPONSOR, STEP_DOWN, MOVE, COMMENT, ATTACH, VOTE, HOLD, RELEASE, WITHDRAW, SUPERSEDE, TRANSFER ->
                clerk.order(caller, verb, number(arguments), arguments, roster())
                        .thenApply(replies::to);
        };
    }

    private Enquiries enquiries(Caller caller) {
        return new Enquiries(lifecycle, shelf, catalogue, archive, codec, roster(), wip, caller, clock.instant());
    }

    private static CompletionStage<Reply> told(Reply reply) {
        return CompletableFuture.completedStage(reply);
    }

    static int number(Json arguments) {
        return (int) Math.min(arguments.at("number").number(0), Integer.MAX_VALUE);
    }

    /** Does what is due now, in the name of nobody. */
    public CompletionStage<Reply> sweep() {
        return CompletableFuture.supplyAsync(
                        () -> {
                            adoption.beforeChange();
                            Enquiries enquiries = enquiries(new Caller(Actor.SYSTEM, Set.of()));
                            return new Rounds(enquiries, clerk, new Replies(enquiries)).go(Optional.empty(), false);
                        },
                        hands.slow())
                .thenCompose(Function.identity())
                .exceptionallyCompose(LedgerDesk::excuse)
                .thenApply(reply -> {
                    changed();
                    return reply;
                });
    }

    /** Takes up the process this desk goes by: why it cannot, where proposals live by another that has more states. */
    public Optional<String> adopt() {
        return objection(lifecycle.process()).or(() -> {
            try {
                return adoption.adopt();
            } catch (Clerk.Unavailable e) {
                log.warn(
                        "the ledger cannot be written to: {}; the process {} is noted before the first change",
                        e.getMessage(),
                        lifecycle.process().name());
                return Optional.empty();
            }
        });
    }

    /** Has something run whenever something may have changed; it must return at once. */
    public void whenChanged(Runnable then) {
        changed.add(then);
    }

    /** Something may have changed: another process wrote. */
    public void changed() {
        changed.forEach(Runnable::run);
    }

    /**
     * What there is to tell people.
     *
     * @param base where the server is reached, if that is known
     */
    public Outbox outbox(Optional<URI> base) {
        return news(base);
    }

    /** How far webhooks were told. */
    public Told told() {
        return new ToldInLedger(ledger, writer);
    }

    /** What happened lately, as an Atom document. */
    public CompletionStage<String> feed(Optional<URI> base) {
        return CompletableFuture.supplyAsync(() -> news(base).feed().xml(), hands.slow());
    }

    private News news(Optional<URI> base) {
        return new News(ledger, codec, lifecycle, archive, shelf, this::roster, base);
    }
}
