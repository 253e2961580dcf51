package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.json.JsonDiff;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The history of a proposal and its possible next steps, as its page shows them. All texts are sanitized for display.
 * Immutable.
 *
 * @param state the state in a word or two
 * @param rows oldest first
 */
public record ProposalHistoryView(String state, BadgeTone tone, NextStep nextStep, List<HistoryRow> rows) {
    public ProposalHistoryView {
        rows = List.copyOf(rows);
    }

    /**
     * The next step of a proposal.
     *
     * @param text what the reader can do, or for whom the proposal waits
     * @param requiredActor the connected members who must act, and since when; empty if there are none
     * @param absentActors the members who would have to act but are not connected
     * @param moves the ways in which the proposal can end
     * @param deadline what happens next without any action, and when
     */
    public record NextStep(
            String text,
            Optional<RequiredActor> requiredActor,
            Optional<String> absentActors,
            List<PossibleMove> moves,
            Optional<Deadline> deadline) {
        public NextStep {
            moves = List.copyOf(moves);
        }
    }

    /** The members who must act, as text. */
    public record RequiredActor(String who, Instant since) {}

    /**
     * A way in which the proposal can end.
     *
     * @param what {@code Can approve}, {@code Can reject} or {@code Can withdraw}
     * @param who the members who may do so
     * @param you whether the reader is one of them
     */
    public record PossibleMove(String what, String who, boolean you) {}

    /** What happens without any action, and when. */
    public record Deadline(Instant at, String consequence) {}

    /**
     * An event in the history.
     *
     * @param quote what a participant wrote about it
     * @param jsonDiff the changes to the arguments
     */
    public record HistoryRow(
            Instant at, String text, BadgeTone tone, Optional<String> quote, Optional<JsonDiff> jsonDiff) {}

    /** Creates the history of a proposal for a reader. */
    public static ProposalHistoryView of(ProposalView view, String reader) {
        ParticipantNameFormatter participantNameFormatter = new ParticipantNameFormatter(reader, view.names());
        return new ProposalHistoryView(
                stateText(view),
                BadgeTone.of(view.state(), view.outcome()),
                buildNextStep(view, participantNameFormatter),
                historyRows(view, participantNameFormatter));
    }

    /** Returns the state of a proposal in a word or two. */
    static String stateText(ProposalView view) {
        return switch (view.state()) {
            case OPEN, REJECTED, WITHDRAWN, EXPIRED -> view.state().label();
            case FULFILLED ->
                switch (view.outcome().orElse(FulfilmentOutcome.PENDING)) {
                    case PENDING -> "approved, running";
                    case SUCCEEDED -> "succeeded";
                    case FAILED -> "failed";
                    case UNKNOWN -> "result unknown";
                };
        };
    }

    /** Members who could decide may connect and disconnect all day, so consecutive presence changes become one row. */
    private static List<HistoryRow> historyRows(ProposalView view, ParticipantNameFormatter participantNameFormatter) {
        List<HistoryRow> historyRows = new ArrayList<>();
        List<ProposalTimelineEntry> presenceChanges = new ArrayList<>();
        List<ProposalTimelineEntry> timeline = view.timeline();
        for (int i = 0; i < timeline.size(); i++) {
            ProposalTimelineEntry proposalTimelineEntry = timeline.get(i);
            if (isPresenceChange(proposalTimelineEntry)) {
                presenceChanges.add(proposalTimelineEntry);
                continue;
            }
            mergePresence(view, presenceChanges, participantNameFormatter).ifPresent(historyRows::add);
            presenceChanges.clear();
            Optional<ProposalEvent> next =
                    i + 1 < timeline.size() ? Optional.of(timeline.get(i + 1).event()) : Optional.empty();
            historyRows.add(historyRow(view, proposalTimelineEntry, next, participantNameFormatter));
        }
        mergePresence(view, presenceChanges, participantNameFormatter).ifPresent(historyRows::add);
        return historyRows;
    }

    /**
     * Whether the event is only a presence change. That no member of the topic may decide the proposal is not: an admin
     * has to resolve that.
     */
    private static boolean isPresenceChange(ProposalTimelineEntry proposalTimelineEntry) {
        return switch (proposalTimelineEntry.event()) {
            case Reachable _ -> true;
            case Unreachable unreachable -> !unreachable.missingMembers().isEmpty();
            default -> false;
        };
    }

    private static Optional<HistoryRow> mergePresence(
            ProposalView view,
            List<ProposalTimelineEntry> proposalTimelineEntries,
            ParticipantNameFormatter participantNameFormatter) {
        if (proposalTimelineEntries.size() < 2) {
            return proposalTimelineEntries.stream()
                    .findFirst()
                    .map(proposalTimelineEntry ->
                            historyRow(view, proposalTimelineEntry, Optional.empty(), participantNameFormatter));
        }
        long left = proposalTimelineEntries.stream()
                .filter(proposalTimelineEntry -> proposalTimelineEntry.event() instanceof Unreachable)
                .count();
        long times = Math.max(left, proposalTimelineEntries.size() - left);
        return Optional.of(new HistoryRow(
                proposalTimelineEntries.getLast().at(),
                "Reviewers disconnected and reconnected" + (times == 1 ? "." : " (" + times + " times)."),
                BadgeTone.QUIET,
                Optional.empty(),
                Optional.empty()));
    }

    private static HistoryRow historyRow(
            ProposalView view,
            ProposalTimelineEntry proposalTimelineEntry,
            Optional<ProposalEvent> next,
            ParticipantNameFormatter participantNameFormatter) {
        ProposalEventSentence proposalEventSentence =
                ProposalEventSentence.of(proposalTimelineEntry.event(), next, participantNameFormatter);
        boolean ignored = view.isIgnoredAnswer(proposalTimelineEntry.event());
        return new HistoryRow(
                proposalTimelineEntry.at(),
                proposalEventSentence.sentence()
                        + (ignored ? " This was ignored, because the first answer counts." : ""),
                ignored ? BadgeTone.QUIET : BadgeTone.of(proposalTimelineEntry.event()),
                proposalEventSentence.quote(),
                edit(proposalTimelineEntry.event())
                        .map(edited -> JsonDiff.between(parameters(view.payload()), parameters(edited.payload()))));
    }

    private static Optional<Fulfilled> edit(ProposalEvent event) {
        return switch (event) {
            case Fulfilled fulfilled when fulfilled.edited() -> Optional.of(fulfilled);
            case ApprovalHeld held when held.approval().edited() -> Optional.of(held.approval());
            default -> Optional.empty();
        };
    }

    private static Json parameters(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
    }

    private static NextStep buildNextStep(ProposalView view, ParticipantNameFormatter participantNameFormatter) {
        LifecycleGuidance guidance = view.guidance();
        List<String> presentActors =
                guidance.mustAct().stream().map(each -> each.party().toString()).toList();
        List<String> awayIds =
                guidance.waitingOn().stream().map(PersonOrGroup::toString).toList();
        List<PossibleMove> possibleMoves = new ArrayList<>();
        for (MoveEligibility moveEligibility : guidance.moves()) {
            possibleMoves.add(new PossibleMove(
                    moveText(moveEligibility.to()),
                    participantNameFormatter.joinWithOr(moveEligibility.allowedParties().stream()
                            .map(PersonOrGroup::toString)
                            .toList()),
                    moveEligibility.isPossible()));
        }
        return new NextStep(
                nextStepText(view, participantNameFormatter),
                presentActors.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new RequiredActor(
                                participantNameFormatter.joinWithOr(presentActors),
                                guidance.mustAct().getFirst().since())),
                awayIds.isEmpty() ? Optional.empty() : Optional.of(participantNameFormatter.joinWithOr(awayIds)),
                possibleMoves,
                guidance.nextDeadline().map(expected -> new Deadline(expected.at(), expected.consequence())));
    }

    private static String moveText(String state) {
        return switch (state) {
            case "fulfilled" -> "Can approve";
            case "rejected" -> "Can reject";
            case "withdrawn" -> "Can withdraw";
            default -> SafeText.line(state);
        };
    }

    /**
     * If the reader can decide, the guidance's next step speaks of envelopes; this page has buttons and needs another
     * text.
     */
    private static String nextStepText(ProposalView view, ParticipantNameFormatter participantNameFormatter) {
        if (view.state() != ProposalState.OPEN || participantNameFormatter.isReader(view.proposer())) {
            return SafeText.line(view.guidance().nextStep());
        }
        if (canMoveTo(view, ProposalState.FULFILLED)) {
            return canMoveTo(view, ProposalState.REJECTED)
                    ? "Check the call and its arguments, then approve or reject it above."
                    : "Check the call and its arguments, then approve it above.";
        }
        List<String> approvers = view.guidance().moves().stream()
                .filter(each -> each.to().equals(ProposalState.FULFILLED.label()))
                .flatMap(each -> each.allowedParties().stream())
                .map(PersonOrGroup::toString)
                .toList();
        String approval = approvers.isEmpty()
                ? "No member of this topic can approve it."
                : "Only " + participantNameFormatter.joinWithOr(approvers) + " can approve it.";
        return approval
                + (canMoveTo(view, ProposalState.REJECTED) ? " You can reject it above." : " You have nothing to do.");
    }

    private static boolean canMoveTo(ProposalView view, ProposalState end) {
        return view.guidance().moves().stream().anyMatch(each -> each.to().equals(end.label()) && each.isPossible());
    }
}
