package dev.gavel.console.topic;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.mcpx.text.SafeText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of a proposal in a sentence, around the place where the proposal is named: a list of many names it, its own page
 * says "it". Fit to be shown. Immutable.
 *
 * @param before what stands before the proposal's name, with a space where one belongs
 * @param after what stands behind it
 * @param quote what somebody wrote about it, in full
 */
public record Phrase(String before, String after, Optional<String> quote) {
    /** Nobody reads more of a remark in passing; rows of a topic are short. */
    private static final int BRIEF = 200;

    /** The whole sentence about "it". */
    public String sentence() {
        return (before.isEmpty() ? "It" : before + "it") + after + ".";
    }

    /** What happened, to a reader. */
    static Phrase of(ProposalEvent event, Names names) {
        return switch (event) {
            case Proposed proposed ->
                of(
                        names.subject(event.by()) + " proposed ",
                        proposed.sent().to().isEmpty()
                                ? ""
                                : " to " + names.all(proposed.sent().to()));
            case Fulfilled fulfilled ->
                of(
                        names.subject(event.by()) + " approved ",
                        (fulfilled.edited() ? " with other arguments" : "") + ", to be run by "
                                + names.choice(fulfilled.sent().to()));
            case Answered answered ->
                of(
                        names.subject(event.by()) + " answered ",
                        (answered.late() ? ", late" : "") + (answered.failed() ? ": it failed" : ": it succeeded"));
            case Rejected rejected ->
                said(
                        names.subject(event.by()) + " rejected ",
                        ": " + SafeText.brief(rejected.reason().replace('_', ' '), BRIEF),
                        rejected.note());
            case Withdrawn withdrawn ->
                of(
                        names.subject(event.by()) + " withdrew ",
                        withdrawn.reason() == null ? "" : ": " + SafeText.brief(withdrawn.reason(), BRIEF));
            case StatusGiven given -> said(doing(given, names), "", given.note());
            case Expired _ -> of("", " expired: nobody decided it in time");
            case ClosedByRejections _ -> of("", " is closed: it was rejected");
            case OutcomeUnknown(OutcomeUnknown.Why why) ->
                of(
                        "Whether ",
                        " was done is unknown: "
                                + switch (why) {
                                    case ADDRESSEE_LEFT -> "who was to run it left before answering";
                                    case ANSWER_TIME_PASSED -> "who was to run it did not answer in time";
                                });
            case Unreachable unreachable ->
                of(
                        "Nobody is here who could decide ",
                        unreachable.couldFulfil().isEmpty()
                                ? ", and nobody in this topic may"
                                : "; " + names.choice(unreachable.couldFulfil()) + " could");
            case Reachable reachable ->
                of("Somebody is here who could decide ", ": " + names.choice(reachable.couldFulfil()));
            case Forwarded _ -> of("What came of ", " was handed on to its proposer, who had called again");
            case NotForwarded(String why) ->
                of("What came of ", " was not handed on to its proposer: " + SafeText.brief(why, BRIEF));
        };
    }

    private static String doing(StatusGiven given, Names names) {
        boolean you = names.reads(given.by());
        String who = names.subject(given.by());
        return switch (given.status()) {
            case "considering" -> who + (you ? " are considering " : " is considering ");
            case "queued" -> who + (you ? " have queued " : " has queued ");
            case "processing" -> who + (you ? " are working on " : " is working on ");
            case "unable" -> who + (you ? " are unable to decide " : " is unable to decide ");
            default -> who + (you ? " say '" : " says '") + SafeText.brief(given.status(), BRIEF) + "' of ";
        };
    }

    private static Phrase of(String before, String after) {
        return new Phrase(before, after, Optional.empty());
    }

    private static Phrase said(String before, String after, @Nullable String note) {
        return new Phrase(before, after, Optional.ofNullable(note).map(SafeText::lines));
    }
}
