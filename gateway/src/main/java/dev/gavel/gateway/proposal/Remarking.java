package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.PayloadFacts;
import dev.gavel.mcpx.SystemMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides on a withdrawal, rejection or status, for each of the proposals it names. */
record Remarking(ProposalRules rules, Members members, Arrival arrival) {
    /** Reasons that speak for their sender alone. */
    private static final Set<String> ABSTENTIONS = Set.of("busy", "incapable", "resource_limit");

    /** So often may one member reject a proposal, or report on it: all of it is kept, and read at every step. */
    private static final int MOST_REJECTIONS = 10;

    private static final int MOST_STATUSES = 200;

    /** What is said is kept with every proposal it is said of; in all so many characters. */
    private static final int MOST_WORDS = 256 * 1024;

    Ruling decide(Function<String, Optional<Proposal>> lookUp) {
        if (words() > MOST_WORDS) {
            return new Ruling.Declined(List.of(new Fault(
                    arrival.envelope()
                            .refuse(
                                    ErrorCode.TOO_LARGE,
                                    "Too many words about too many proposals at once: say less, or say it in several"
                                            + " envelopes."),
                    Optional.empty(),
                    Optional.empty())));
        }
        List<Proposal> done = new ArrayList<>();
        List<Entry> entries = new ArrayList<>();
        List<Told> notices = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        Sent sent = Sent.of(arrival);
        for (String id : new LinkedHashSet<>(arrival.envelope().correlationIds())) {
            Optional<Proposal> found = lookUp.apply(id);
            Optional<Fault> fault = found.isEmpty() ? Optional.of(Fault.unknown(arrival, id)) : fault(found.get());
            if (fault.isPresent()) {
                faults.add(fault.get());
                continue;
            }
            Proposal proposal = found.orElseThrow();
            for (ProposalEvent event : events(proposal, done.isEmpty() ? sent : null)) {
                entries.add(new Entry(id, event));
                Told.of(id, proposal.proposer(), event).ifPresent(notices::add);
            }
            done.add(proposal);
        }
        if (done.isEmpty()) {
            return new Ruling.Declined(faults);
        }
        Route route = Route.of(sent, done, done.stream().map(Proposal::id).toList());
        return new Ruling.Taken(entries, Optional.of(route), notices, faults);
    }

    /** What to say where the very same was decided on before. */
    Ruling again(Sent before, Function<String, Optional<Proposal>> lookUp) {
        List<String> done = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        for (String id : new LinkedHashSet<>(arrival.envelope().correlationIds())) {
            Optional<Proposal> found = lookUp.apply(id);
            if (found.filter(this::remarkedBefore).isPresent()) {
                done.add(id);
            } else {
                // Why it was not done then is not kept; how it is now is the next best.
                faults.add(found.flatMap(this::fault).orElseGet(() -> Fault.unknown(arrival, id)));
            }
        }
        return new Ruling.Echoed(before.about(done), faults);
    }

    private boolean remarkedBefore(Proposal proposal) {
        String id = arrival.envelope().id();
        return proposal.timeline().stream()
                .anyMatch(step -> id.equals(step.event().reference()));
    }

    private Optional<Fault> fault(Proposal proposal) {
        ProposalState state = proposal.stateAt(arrival.at());
        if (state != ProposalState.OPEN) {
            return Optional.of(Fault.about(
                    proposal,
                    arrival,
                    ErrorCode.PROPOSAL_CLOSED,
                    "It is " + state.word() + ", so there is nothing left to withdraw, reject or report on."));
        }
        if (arrival.envelope().rule() == KindRule.WITHDRAW && !arrival.from().equals(proposal.proposer())) {
            return Optional.of(Fault.about(
                    proposal,
                    arrival,
                    ErrorCode.NOT_PROPOSER,
                    "Only " + proposal.proposer() + ", who made it, may withdraw it. You can reject it with"
                            + " mcpx.reject.proposal, if you may send that."));
        }
        long before = proposal.timeline().stream().filter(this::isTheSameAgain).count();
        if (before >= (arrival.envelope().rule() == KindRule.STATUS ? MOST_STATUSES : MOST_REJECTIONS)) {
            return Optional.of(Fault.about(
                    proposal,
                    arrival,
                    ErrorCode.RATE_LIMITED,
                    "You have said this kind of thing about it " + before + " times, and more is not kept."));
        }
        return Optional.empty();
    }

    private boolean isTheSameAgain(Step step) {
        return step.event().by().equals(arrival.from())
                && switch (step.event()) {
                    case StatusGiven _ -> arrival.envelope().rule() == KindRule.STATUS;
                    case Rejected _ -> arrival.envelope().rule() == KindRule.REJECT;
                    default -> false;
                };
    }

    private long words() {
        PayloadFacts facts = arrival.envelope().facts();
        long each = (long) length(facts.reason()) + length(facts.note());
        return each * arrival.envelope().correlationIds().size();
    }

    private static int length(@Nullable String words) {
        return words == null ? 0 : words.length();
    }

    private List<ProposalEvent> events(Proposal proposal, @Nullable Sent sent) {
        Envelope envelope = arrival.envelope();
        PayloadFacts facts = envelope.facts();
        String by = arrival.from();
        return switch (envelope.rule()) {
            case WITHDRAW -> List.of(new Withdrawn(by, envelope.id(), facts.reason(), sent));
            case STATUS ->
                List.of(new StatusGiven(by, envelope.id(), Objects.requireNonNull(facts.status()), facts.note(), sent));
            case REJECT -> {
                String reason = Objects.requireNonNullElse(facts.reason(), "unspecified");
                yield rejection(proposal, new Rejected(by, envelope.id(), reason, facts.note(), sent));
            }
            case REQUEST, RESPONSE, PROPOSAL, CHAT, SYSTEM, OTHER ->
                throw new IllegalArgumentException(envelope.kind() + " is no remark on a proposal");
        };
    }

    private List<ProposalEvent> rejection(Proposal proposal, Rejected rejected) {
        List<SystemMessage.Rejection> reasons = Stream.concat(
                        proposal.rejections().stream(),
                        Stream.of(new SystemMessage.Rejection(rejected.by(), rejected.reason(), rejected.note())))
                .toList();
        return closes(proposal, rejected, reasons)
                ? List.of(rejected, new ClosedByRejections(reasons))
                : List.of(rejected);
    }

    private boolean closes(Proposal proposal, Rejected rejected, List<SystemMessage.Rejection> reasons) {
        Circle circle = Circle.of(proposal, members);
        boolean veto = rules.rejection() == ProposalRules.Rejection.VETO && !ABSTENTIONS.contains(rejected.reason());
        if (veto && circle.counts(rejected.by())) {
            return true;
        }
        Set<String> rejecting =
                reasons.stream().map(SystemMessage.Rejection::from).collect(Collectors.toSet());
        // Others' rejections close nothing, so it must be a voter's own that completes the list.
        return circle.voters().contains(rejected.by()) && rejecting.containsAll(circle.voters());
    }
}
