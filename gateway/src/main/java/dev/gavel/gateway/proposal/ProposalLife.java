package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.mcpx.ErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides, under a topic's rules and among its members, what comes of what is sent about proposals, of time passing, and
 * of people coming and going. It keeps nothing: whoever asks looks the proposals up, appends the events of a {@link
 * Ruling.Taken} before anybody is told, and lets nobody else decide on the same proposals meanwhile. Thread-safe.
 */
public record ProposalLife(ProposalRules rules, Members members) {
    /** Whom a proposal depends on. */
    public Circle circle(Proposal proposal) {
        return Circle.of(proposal, members);
    }

    /** An envelope came whose id the ledger knows: it is echoed if it is that one again, else refused. */
    public Ruling resend(Sent before, Arrival arrival, Function<String, Optional<Proposal>> lookUp) {
        if (!before.isSentAgainAs(arrival)) {
            return new Ruling.Declined(List.of(new Fault(
                    arrival.envelope()
                            .refuse(
                                    ErrorCode.DUPLICATE_ID,
                                    "The id '" + before.id()
                                            + "' was used in this topic for another envelope. Send this one under an"
                                            + " id of its own."),
                    Optional.empty(),
                    Optional.empty())));
        }
        return switch (arrival.envelope().rule()) {
            case WITHDRAW, REJECT, STATUS -> new Remarking(rules, members, arrival).again(before, lookUp);
            case PROPOSAL, REQUEST, RESPONSE, CHAT, SYSTEM, OTHER -> new Ruling.Echoed(before, List.of());
        };
    }

    /** Takes a {@code mcp.proposal}. */
    public Ruling propose(Arrival arrival, Presence presence) {
        Sent sent = Sent.of(arrival);
        Proposed proposed =
                new Proposed(sent, rules.expiry(arrival.envelope().facts().ttl(), arrival.at()));
        Proposal proposal = Proposal.begun(proposed, arrival.at());
        List<ProposalEvent> events = new ArrayList<>(2);
        events.add(proposed);
        new Attending(proposal, circle(proposal), presence).now(arrival.at()).ifPresent(events::add);
        return taken(proposal, events, Optional.of(Route.of(sent, List.of(), List.of())));
    }

    /**
     * Takes a {@code mcp.request} whose correlationId is to name a proposal.
     *
     * @param found that proposal, if there is one
     */
    public Ruling fulfil(Arrival arrival, Optional<Proposal> found, Presence presence) {
        return new Fulfilling(rules, arrival, presence).decide(found);
    }

    /** Takes a {@code mcp.response} to the request that fulfilled this proposal. */
    public Ruling answer(Arrival arrival, Proposal proposal) {
        return new Answering(arrival).decide(proposal);
    }

    /** Takes a {@code mcpx.withdraw}, {@code .reject} or {@code .status.proposal}, about one proposal or several. */
    public Ruling remark(Arrival arrival, Function<String, Optional<Proposal>> lookUp) {
        return new Remarking(rules, members, arrival).decide(lookUp);
    }

    /** Carries out what time has brought by now; see {@link Proposal#dueAt}. */
    public Ruling carryOut(Proposal proposal, Instant now) {
        if (proposal.dueAt().filter(due -> !now.isBefore(due)).isEmpty()) {
            return new Ruling.Unchanged();
        }
        ProposalEvent event =
                proposal.open() ? new Expired() : new OutcomeUnknown(OutcomeUnknown.Why.ANSWER_TIME_PASSED);
        return taken(proposal, List.of(event), Optional.empty());
    }

    /** Sees whether those who are here, or no longer here, change anything by now. */
    public Ruling attend(Proposal proposal, Circle circle, Presence presence, Instant now) {
        return new Attending(proposal, circle, presence)
                .now(now)
                .map(event -> taken(proposal, List.of(event), Optional.empty()))
                .orElseGet(Ruling.Unchanged::new);
    }

    /** When to {@link #attend} to it if nobody comes or goes until then: when somebody's grace is over. */
    public Optional<Instant> attendAt(Proposal proposal, Circle circle, Presence presence) {
        return new Attending(proposal, circle, presence).due();
    }

    /** Records that what came of a proposal is handed on to its proposer, where it came to something and never was before. */
    public Ruling forwarded(Proposal proposal) {
        return proposal.open()
                        || proposal.outcome().filter(Outcome.PENDING::equals).isPresent()
                        || proposal.isForwarded()
                ? new Ruling.Unchanged()
                : taken(proposal, List.of(new Forwarded()), Optional.empty());
    }

    /** Records that what came of a proposal reached nobody, because its proposer had stopped waiting. */
    public Ruling notForwarded(Proposal proposal, String why) {
        return proposal.open()
                ? new Ruling.Unchanged()
                : taken(proposal, List.of(new NotForwarded(why)), Optional.empty());
    }

    static Ruling taken(Proposal proposal, List<ProposalEvent> events, Optional<Route> route) {
        return new Ruling.Taken(
                events.stream().map(event -> new Entry(proposal.id(), event)).toList(),
                route,
                events.stream()
                        .flatMap(event -> Told.of(proposal.id(), proposal.proposer(), event).stream())
                        .toList(),
                List.of());
    }
}
