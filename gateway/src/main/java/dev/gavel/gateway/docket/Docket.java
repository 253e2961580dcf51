package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.Arrival;
import dev.gavel.gateway.proposal.Fault;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.gateway.proposal.Presence;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalLife;
import dev.gavel.gateway.proposal.Ruling;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.writer.Decided;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.Outcome;
import dev.gavel.ledger.writer.Task;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proposals of one topic, as the ledger keeps them. What happens to them is decided in the ledger's order, and told
 * once it is durable: on the writer's thread, which whoever is told must not hold up. Thread-safe.
 */
public final class Docket {
    private static final Logger log = LoggerFactory.getLogger(Docket.class);

    private final String topic;
    private volatile ProposalLife life;
    private final LedgerWriter writer;
    private final Archive archive;

    /** The writer's thread alone uses it. */
    private final Folded folded = new Folded();

    public Docket(String topic, ProposalLife life, LedgerWriter writer, LedgerReader ledger) {
        this.topic = topic;
        this.life = life;
        this.writer = writer;
        this.archive = new Archive(topic, () -> this.life, ledger);
    }

    /** Reads what other processes write to it. */
    public Tail tail() {
        return archive.tail();
    }

    /** What can be read of it. */
    public Archive archive() {
        return archive;
    }

    /** Decides among other members from now on; one thread alone calls this. */
    public void change(Members members) {
        life = new ProposalLife(life.rules(), members);
    }

    /** Tells when everything has been told that was handed in before, and so may have been decided otherwise. */
    public void afterAll(Consumer<Decision> then) {
        submit(view -> Decided.nothing(new Decision.Unrelated()), 0, then);
    }

    /** Takes an envelope that may be about proposals. */
    public void take(Arrival arrival, Presence presence, Consumer<Decision> then) {
        submit(arrival, sitting -> rule(sitting, arrival, presence), then);
    }

    /** Takes an envelope that is refused for this reason, unless it is one that was taken before. */
    public void refuse(Arrival arrival, Fault why, Consumer<Decision> then) {
        submit(arrival, sitting -> new Ruling.Declined(List.of(why)), then);
    }

    private void submit(Arrival arrival, Function<Sitting, Ruling> rule, Consumer<Decision> then) {
        submit(
                view -> {
                    Sitting sitting = new Sitting(view, life, folded);
                    try {
                        Optional<Event> before =
                                sitting.caused(arrival.envelope().id());
                        return before.isPresent()
                                ? again(sitting, before.get(), arrival)
                                : decided(sitting, rule.apply(sitting));
                    } catch (Sitting.TooMuch e) {
                        return decided(sitting, tooMuch(arrival));
                    }
                },
                arrival.envelope().length(),
                then);
    }

    /** An envelope of that id came before, and caused this. */
    private static Decided<Decision> again(Sitting sitting, Event before, Arrival arrival) {
        Ruling ruling =
                sitting.life().resend(Sitting.sent(Optional.of(before)).orElseThrow(), arrival, sitting::proposal);
        return ruling instanceof Ruling.Echoed(var sent, var faults)
                ? Decided.nothing(new Decision.Echoed(sent, faults, before.seq()))
                : decided(sitting, ruling);
    }

    private static Ruling tooMuch(Arrival arrival) {
        return new Ruling.Declined(List.of(new Fault(
                arrival.envelope()
                        .refuse(
                                ErrorCode.TOO_LARGE,
                                "The proposals this is about are too large to be decided on together; name fewer."),
                Optional.empty(),
                Optional.empty())));
    }

    private static Ruling rule(Sitting sitting, Arrival arrival, Presence presence) {
        ProposalLife life = sitting.life();
        Envelope envelope = arrival.envelope();
        return switch (envelope.rule()) {
            case PROPOSAL -> life.propose(arrival, presence);
            case REQUEST ->
                life.fulfil(arrival, sitting.proposal(envelope.correlationIds().getFirst()), presence);
            case RESPONSE ->
                answered(sitting, envelope)
                        .map(proposal -> life.answer(arrival, proposal))
                        .orElseGet(Ruling.Unchanged::new);
            case WITHDRAW, REJECT, STATUS -> life.remark(arrival, sitting::proposal);
            case CHAT, SYSTEM, OTHER -> throw new IllegalArgumentException(envelope.kind() + " is not about proposals");
        };
    }

    /** The proposal that was fulfilled by the request a response answers. */
    private static Optional<Proposal> answered(Sitting sitting, Envelope response) {
        return sitting.caused(response.correlationIds().getFirst())
                .filter(request -> Kept.happened(request) instanceof Fulfilled)
                .flatMap(request -> sitting.proposal(request.subject()));
    }

    private static Decided<Decision> decided(Sitting sitting, Ruling ruling) {
        return switch (ruling) {
            case Ruling.Taken taken -> {
                sitting.record(taken);
                yield sitting.made(taken.faults());
            }
            case Ruling.Declined(List<Fault> faults) -> Decided.nothing(new Decision.Declined(faults));
            case Ruling.Echoed _ -> throw new IllegalArgumentException("only what came before is echoed");
            case Ruling.Unchanged() -> Decided.nothing(new Decision.Unrelated());
        };
    }

    /** Notes that what came of a proposal reached nobody, because its proposer had stopped waiting. */
    public void notForwarded(String proposal, String why, Consumer<Decision> then) {
        note(proposal, (by, found) -> by.notForwarded(found, why), why.length(), then);
    }

    /** Notes that what came of a proposal is handed on to its proposer; nothing happens where it was before. */
    public void forwarded(String proposal, Consumer<Decision> then) {
        note(proposal, ProposalLife::forwarded, 0, then);
    }

    private void note(
            String proposal, BiFunction<ProposalLife, Proposal, Ruling> rule, int bytes, Consumer<Decision> then) {
        submit(
                view -> {
                    Sitting sitting = new Sitting(view, life, folded);
                    if (readable(sitting, proposal)
                                    .map(found -> rule.apply(sitting.life(), found))
                                    .orElse(null)
                            instanceof Ruling.Taken taken) {
                        sitting.record(taken);
                    }
                    return sitting.made(List.of());
                },
                bytes,
                then);
    }

    /** Carries out what time has brought to these proposals by now. */
    public void carryOut(Collection<Standing> due, Consumer<Decision> then) {
        review(due, (sitting, standing, proposal, now) -> sitting.life().carryOut(proposal, now), then);
    }

    /** Sees whether those who are here, or no longer here, change anything about these proposals by now. */
    public void attend(Collection<Standing> watched, Presence presence, Consumer<Decision> then) {
        review(
                watched,
                (sitting, standing, proposal, now) -> sitting.life().attend(proposal, standing.circle(), presence, now),
                then);
    }

    /** Works out anew whom these proposals depend on, and sees whether that changes anything by now. */
    public void canvass(Collection<Standing> open, Presence presence, Consumer<Decision> then) {
        review(
                open,
                (sitting, standing, proposal, now) -> {
                    sitting.restate(proposal);
                    ProposalLife by = sitting.life();
                    return by.attend(proposal, by.circle(proposal), presence, now);
                },
                then);
    }

    /** Says what comes of a proposal that is looked at again. */
    @FunctionalInterface
    private interface Review {
        Ruling rule(Sitting sitting, Standing standing, Proposal proposal, Instant now);
    }

    private void review(Collection<Standing> standings, Review review, Consumer<Decision> then) {
        submit(
                view -> {
                    Sitting sitting = new Sitting(view, life, folded);
                    for (Standing standing : standings) {
                        readable(sitting, standing.id())
                                .map(proposal -> review.rule(sitting, standing, proposal, view.now()))
                                .filter(Ruling.Taken.class::isInstance)
                                .map(Ruling.Taken.class::cast)
                                .ifPresent(sitting::record);
                    }
                    return sitting.made(List.of());
                },
                0,
                then);
    }

    /** One that cannot be read must not keep the others from being seen to. */
    private Optional<Proposal> readable(Sitting sitting, String id) {
        try {
            return sitting.proposal(id);
        } catch (LedgerFailure | Sitting.TooMuch e) {
            log.atError()
                    .addKeyValue("topic", topic)
                    .addKeyValue("proposal", id)
                    .log("in topic '{}' the proposal '{}' is passed over: {}", topic, id, e.getMessage());
            return Optional.empty();
        }
    }

    private void submit(Task<Decision> task, int bytes, Consumer<Decision> then) {
        writer.submit(topic, bytes, task, outcome -> then.accept(decision(outcome)));
    }

    private Decision decision(Outcome<Decision> outcome) {
        return switch (outcome) {
            case Outcome.Written<Decision>(Decision decision, var events) -> decision;
            case Outcome.Unavailable<Decision>(String reason, Duration retryAfter) ->
                new Decision.Unavailable(reason, retryAfter);
            case Outcome.Failed<Decision>(Throwable cause) -> {
                log.atError()
                        .addKeyValue("topic", topic)
                        .setCause(cause)
                        .log("in topic '{}' something could not be decided", topic);
                yield new Decision.Unavailable("this could not be decided; the gateway's log says why", Duration.ZERO);
            }
        };
    }
}
