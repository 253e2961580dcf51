package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalState;
import java.util.Locale;
import java.util.Optional;

/** The colour in which a proposal state or event is shown. */
public enum BadgeTone {
    GOOD,
    BAD,
    WARN,
    INFO,
    QUIET;

    /** The name of the tone in style sheets. */
    public String cssClass() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the tone of a proposal's state. */
    static BadgeTone of(ProposalState state, Optional<FulfilmentOutcome> outcome) {
        return switch (state) {
            case OPEN -> INFO;
            case REJECTED -> BAD;
            case WITHDRAWN, EXPIRED -> QUIET;
            case FULFILLED ->
                switch (outcome.orElse(FulfilmentOutcome.PENDING)) {
                    case PENDING -> INFO;
                    case SUCCEEDED -> GOOD;
                    case FAILED -> BAD;
                    case UNKNOWN -> WARN;
                };
        };
    }

    /** Returns the tone of an event of a proposal. */
    static BadgeTone of(ProposalEvent event) {
        return switch (event) {
            case Proposed _, Fulfilled _, ApprovalHeld _ -> INFO;
            case Answered answered -> answered.failed() ? BAD : GOOD;
            case Rejected _ -> BAD;
            case OutcomeUnknown _,
                    RunCancelled _,
                    Unreachable _,
                    NotForwarded _,
                    SecretsRevealed _,
                    CallerDisconnected _,
                    HeldApprovalDropped _ -> WARN;
            case Withdrawn _,
                    StatusReported _,
                    Expired _,
                    ClosedByRejections _,
                    Reachable _,
                    CallerWaits _,
                    Forwarded _ -> QUIET;
        };
    }
}
