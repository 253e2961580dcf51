package dev.gavel.web.console.topic;

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
import dev.gavel.mcpx.proposal.RejectionReason;
import dev.gavel.mcpx.text.SafeText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sentence that describes a proposal event, split into the text before and the text after the proposal's name. All
 * texts are sanitized for display. Immutable.
 *
 * @param before the text before the proposal's name, with a space at its end if needed
 * @param after the text after the proposal's name
 * @param quote the participant's note, in full
 */
public record ProposalEventSentence(String before, String after, Optional<String> quote) {
    /** A reason, status or note is cut at this length, because the rows of a topic are short. */
    private static final int MAX_REMARK_LENGTH = 200;

    /** Returns the whole sentence, with "it" for the proposal's name. */
    public String sentence() {
        return (before.isEmpty() ? "It" : before + "it") + after + ".";
    }

    /**
     * Describes an event for the formatter's reader.
     *
     * @param next the next event of the proposal, if it is known
     */
    static ProposalEventSentence of(
            ProposalEvent event, Optional<ProposalEvent> next, ParticipantNameFormatter participantNameFormatter) {
        return switch (event) {
            case Proposed proposed ->
                of(
                        participantNameFormatter.sentenceStart(event.actor()) + " proposed ",
                        proposed.storedEnvelope().to().isEmpty()
                                ? ""
                                : " to "
                                        + participantNameFormatter.joinWithAnd(
                                                proposed.storedEnvelope().to()));
            case Fulfilled fulfilled ->
                of(
                        participantNameFormatter.sentenceStart(event.actor())
                                + (fulfilled.edited() ? " edited and approved " : " approved "),
                        ", to be run by "
                                + participantNameFormatter.joinWithOr(
                                        fulfilled.storedEnvelope().to()));
            case Answered answered ->
                of(
                        participantNameFormatter.sentenceStart(event.actor())
                                + (answered.late() ? " reported late that " : " reported that "),
                        answered.failed() ? " failed" : " succeeded");
            case Rejected rejected ->
                withNote(
                        participantNameFormatter.sentenceStart(event.actor()) + rejectionVerb(rejected, next),
                        ": " + SafeText.brief(rejected.reason().replace('_', ' '), MAX_REMARK_LENGTH),
                        rejected.note());
            case Withdrawn withdrawn ->
                of(
                        (withdrawn.isByGateway() ? "Gavel" : participantNameFormatter.sentenceStart(event.actor()))
                                + " withdrew ",
                        withdrawn.reason() == null ? "" : ": " + SafeText.brief(withdrawn.reason(), MAX_REMARK_LENGTH));
            case StatusReported given -> withNote(statusText(given, participantNameFormatter), "", given.note());
            case Expired _ -> of("", " expired: no reviewer decided in time");
            case ClosedByRejections _ -> of("", " was closed because it was rejected");
            case OutcomeUnknown(OutcomeUnknown.Reason reason) ->
                of(
                        "Whether ",
                        " was executed is unknown: "
                                + switch (reason) {
                                    case ADDRESSEE_LEFT ->
                                        "the participant that runs it disconnected before it answered";
                                    case ANSWER_TIME_PASSED -> "the participant that runs it did not answer in time";
                                    case CANCELLED -> "it was cancelled while it ran";
                                });
            case RunCancelled _ -> of("", " was cancelled while it ran. It may have been executed");
            case Unreachable unreachable ->
                of(
                        "",
                        unreachable.missingMembers().isEmpty()
                                ? " cannot be decided: no member of this topic is allowed to approve it"
                                : " is waiting for "
                                        + participantNameFormatter.joinWithOr(unreachable.missingMembers())
                                        + "; no reviewer is connected");
            case Reachable reachable ->
                of("", " can be decided now by " + participantNameFormatter.joinWithOr(reachable.couldFulfil()));
            case CallerWaits _ -> of("The client of ", " called again");
            case CallerDisconnected _ ->
                of("The client of ", " lost its connection. The call does not run unless it calls again");
            case ApprovalHeld held ->
                of(
                        participantNameFormatter.sentenceStart(event.actor())
                                + (held.approval().edited() ? " edited and approved " : " approved "),
                        ", to be run by "
                                + participantNameFormatter.joinWithOr(
                                        held.storedEnvelope().to())
                                + " when its client calls again");
            case HeldApprovalDropped(String why) ->
                of(
                        "The approval of ",
                        " did not take effect, and a reviewer must decide again: "
                                + SafeText.brief(why, MAX_REMARK_LENGTH));
            case Forwarded _ -> of("", " returned its result to the proposer");
            case SecretsRevealed _ ->
                of(participantNameFormatter.sentenceStart(event.actor()) + " revealed the secret arguments of ", "");
            case NotForwarded(String why, var _) ->
                of("", " did not return its result to the proposer: " + SafeText.brief(why, MAX_REMARK_LENGTH));
        };
    }

    private static String statusText(StatusReported given, ParticipantNameFormatter participantNameFormatter) {
        boolean you = participantNameFormatter.isReader(given.actor());
        String who = participantNameFormatter.sentenceStart(given.actor());
        return switch (given.status()) {
            case "considering" -> who + (you ? " are considering " : " is considering ");
            case "queued" -> who + (you ? " have queued " : " has queued ");
            case "processing" -> who + (you ? " are working on " : " is working on ");
            case "unable" -> who + (you ? " are unable to decide " : " is unable to decide ");
            default -> who + " set the status '" + SafeText.brief(given.status(), MAX_REMARK_LENGTH) + "' for ";
        };
    }

    /** Only a rejection that closed the proposal rejected it. The others are votes. */
    private static String rejectionVerb(Rejected rejected, Optional<ProposalEvent> next) {
        if (RejectionReason.isAbstention(rejected.reason())) {
            return " abstained from deciding ";
        }
        return next.filter(ClosedByRejections.class::isInstance).isPresent() ? " rejected " : " voted to reject ";
    }

    private static ProposalEventSentence of(String before, String after) {
        return new ProposalEventSentence(before, after, Optional.empty());
    }

    private static ProposalEventSentence withNote(String before, String after, @Nullable String note) {
        return new ProposalEventSentence(
                before, after, Optional.ofNullable(note).map(SafeText::lines));
    }
}
