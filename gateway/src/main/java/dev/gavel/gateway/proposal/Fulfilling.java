package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Optional;

/** Decides on a request that is to fulfil a proposal. */
record Fulfilling(ProposalRules rules, Arrival arrival, Presence presence) {
    Ruling decide(Optional<Proposal> found) {
        if (found.isEmpty()) {
            String id = arrival.envelope().correlationIds().getFirst();
            return new Ruling.Declined(List.of(Fault.unknown(arrival, id)));
        }
        Proposal proposal = found.get();
        return fault(proposal)
                .<Ruling>map(fault -> new Ruling.Declined(List.of(fault)))
                .orElseGet(() -> taken(proposal));
    }

    private Optional<Fault> fault(Proposal proposal) {
        ProposalState state = proposal.stateAt(arrival.at());
        if (state == ProposalState.FULFILLED) {
            String by = proposal.fulfilment() == null
                    ? "somebody"
                    : proposal.fulfilment().request().by();
            return fault(
                    proposal,
                    ErrorCode.ALREADY_FULFILLED,
                    "It was fulfilled by " + by + " before, so this was not sent on. There is nothing left to do.");
        }
        if (state != ProposalState.OPEN) {
            return fault(
                    proposal,
                    ErrorCode.PROPOSAL_CLOSED,
                    "It is " + state.word() + ", so this was not sent on. If the call is still wanted, somebody has to"
                            + " propose it anew.");
        }
        if (arrival.from().equals(proposal.proposer()) && !rules.selfApproval()) {
            return fault(
                    proposal,
                    ErrorCode.OWN_PROPOSAL,
                    "You proposed this yourself, and nobody fulfils their own proposals here. Leave it to somebody"
                            + " else, or withdraw it.");
        }
        Kind call = proposal.call();
        if (!arrival.envelope().effectiveKind().equals(call)) {
            return fault(
                    proposal,
                    ErrorCode.FULFILMENT_MISMATCH,
                    "What was proposed is " + call + ". Send that, with other arguments if you like; or send this"
                            + " without the correlationId, if you mean another call.");
        }
        return presence.anyHere(arrival.to()) ? Optional.empty() : nobodyToRunIt(proposal);
    }

    private Optional<Fault> nobodyToRunIt(Proposal proposal) {
        String open = " The proposal stays open.";
        return fault(
                proposal,
                ErrorCode.UNKNOWN_RECIPIENT,
                arrival.to().isEmpty()
                        ? "Say in 'to' who is to run it: a fulfilment to nobody in particular is not sent on." + open
                        : "Not connected: " + String.join(", ", arrival.to())
                                + ". Try again when whoever is to run it is here, or name another in 'to'." + open);
    }

    private Optional<Fault> fault(Proposal proposal, ErrorCode code, String message) {
        return Optional.of(Fault.about(proposal, arrival, code, message));
    }

    private Ruling taken(Proposal proposal) {
        Sent sent = Sent.of(arrival);
        boolean edited = !Arguments.of(proposal.payload())
                .sameAs(Arguments.of(sent.envelope().payload()));
        Fulfilled fulfilled = new Fulfilled(sent, edited, arrival.at().plus(rules.answer()));
        return ProposalLife.taken(
                proposal, List.of(fulfilled), Optional.of(Route.of(sent, List.of(proposal), List.of(proposal.id()))));
    }
}
