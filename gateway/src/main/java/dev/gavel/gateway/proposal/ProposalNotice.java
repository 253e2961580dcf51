package dev.gavel.gateway.proposal;

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
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A system message that tells topic members about a proposal event such as its expiry, with the members who receive it.
 * It depends on the event alone, so a replay produces the same notice.
 *
 * @param to empty for all members of the topic
 */
public record ProposalNotice(SystemMessage.ProposalMessage systemMessage, List<String> to) {
    public ProposalNotice {
        to = List.copyOf(to);
    }

    /** Returns the notice about an event, if the event has one. */
    public static Optional<ProposalNotice> of(String proposal, String proposer, ProposalEvent event) {
        return switch (event) {
            case Expired _ -> Optional.of(new ProposalNotice(new SystemMessage.Expired(proposal), List.of()));
            case ClosedByRejections(List<SystemMessage.Rejection> reasons) ->
                Optional.of(new ProposalNotice(new SystemMessage.Rejected(proposal, reasons), List.of()));
            case ApprovalHeld held ->
                Optional.of(new ProposalNotice(new SystemMessage.ApprovalHeld(proposal, held.envelopeId()), List.of()));
            case HeldApprovalDropped(String reason) ->
                Optional.of(new ProposalNotice(new SystemMessage.ApprovalDropped(proposal, reason), List.of()));
            case Withdrawn withdrawn ->
                withdrawn.isByGateway()
                        ? Optional.of(new ProposalNotice(
                                new SystemMessage.Withdrawn(
                                        proposal, Objects.requireNonNullElse(withdrawn.reason(), "")),
                                List.of()))
                        : Optional.empty();
            case Proposed _,
                    Fulfilled _,
                    Answered _,
                    Rejected _,
                    StatusReported _,
                    OutcomeUnknown _,
                    RunCancelled _,
                    Unreachable _,
                    Reachable _,
                    CallerWaits _,
                    CallerDisconnected _,
                    Forwarded _,
                    NotForwarded _,
                    SecretsRevealed _ -> Optional.empty();
        };
    }
}
