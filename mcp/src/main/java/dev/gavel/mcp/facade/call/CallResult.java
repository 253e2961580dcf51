package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.mcpx.SystemMessage.Rejection;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The final result of a call for its caller: the server's response, or why the call was not completed. */
public sealed interface CallResult {
    /**
     * The call was run and answered.
     *
     * @param response the JSON-RPC response, as received
     * @param approved whether the call was proposed and approved
     * @param editedCallNotice what the caller has to know if a reviewer edited the call
     */
    record Completed(Json response, boolean approved, Optional<EditedCallNotice> editedCallNotice)
            implements CallResult {}

    /**
     * The call was not run, or its outcome is not known.
     *
     * @param state the state of the proposal, in one word
     * @param message what happened, and what the caller can do
     */
    record NotCompleted(String state, String message) implements CallResult {}

    /**
     * Returns the result of a proposal, or empty while there is none.
     *
     * @param names the names by which texts for the proposer call the members
     */
    public static Optional<CallResult> of(ProposalSnapshot proposalSnapshot, MemberNames names) {
        String state = proposalSnapshot.state().label();
        return switch (proposalSnapshot.state()) {
            case OPEN -> Optional.empty();
            case FULFILLED -> fulfilmentResult(proposalSnapshot, names);
            case REJECTED -> Optional.of(new NotCompleted(state, rejectionMessage(proposalSnapshot, names)));
            case EXPIRED ->
                Optional.of(new NotCompleted(
                        state,
                        "Not run: the proposal expired before a reviewer decided it. It was not rejected. Call again to"
                                + " create a new proposal."));
            case WITHDRAWN ->
                Optional.of(new NotCompleted(
                        state,
                        "Not run: the proposal was withdrawn" + withdrawalReason(proposalSnapshot)
                                + ". Call again only if you still need it."));
        };
    }

    private static Optional<CallResult> fulfilmentResult(ProposalSnapshot proposalSnapshot, MemberNames names) {
        Fulfilment fulfilment = Objects.requireNonNull(proposalSnapshot.fulfilment());
        Answered answer = fulfilment.answer();
        if (answer != null) {
            return Optional.of(new Completed(
                    Json.parse(answer.payload().toString()).orElseGet(Json::object),
                    true,
                    EditedCallNotice.of(proposalSnapshot, fulfilment, names)));
        }
        if (fulfilment.outcome() != FulfilmentOutcome.UNKNOWN) {
            return Optional.empty();
        }
        return Optional.of(new NotCompleted(
                proposalSnapshot.state().label(),
                "Approved by " + names.of(fulfilment.fulfilled().actor())
                        + (fulfilment.fulfilled().edited() ? " with edited arguments" : "")
                        + ", but it is not known whether the call ran: "
                        + unknownReason(fulfilment, names.joinWithOr(fulfilment.addressees()))
                        + " Check before you call it again."));
    }

    private static String unknownReason(Fulfilment fulfilment, String runners) {
        return switch (fulfilment.unknownReason()) {
            case CANCELLED -> "it was cancelled while it ran.";
            case ADDRESSEE_LEFT -> runners + " disconnected before answering.";
            case ANSWER_TIME_PASSED -> runners + " did not answer in time.";
            case null -> runners + " did not answer in time.";
        };
    }

    private static String rejectionMessage(ProposalSnapshot proposalSnapshot, MemberNames names) {
        return "Not run: rejected by "
                + proposalSnapshot.rejections().stream()
                        .map(each -> rejectionText(each, names))
                        .collect(Collectors.joining("; and by "))
                + ". Do not retry the same call.";
    }

    private static String rejectionText(Rejection each, MemberNames names) {
        return names.of(each.from()) + ": "
                + SafeText.lines(each.reason() + (each.note() == null ? "" : " (" + each.note() + ")"));
    }

    private static String withdrawalReason(ProposalSnapshot proposalSnapshot) {
        return proposalSnapshot.timeline().stream()
                .map(ProposalTimelineEntry::event)
                .filter(Withdrawn.class::isInstance)
                .map(event -> ((Withdrawn) event).reason())
                .filter(Objects::nonNull)
                .findFirst()
                .map(reason -> " (" + SafeText.lines(reason) + ")")
                .orElse("");
    }
}
