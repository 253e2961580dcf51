package dev.gavel.gateway.proposal;

import java.util.List;
import java.util.Objects;

/** Writes the sentence that tells a reader what to do next about a proposal. */
record ProposalNextStepDescriber(ProposalGuidanceBuilder guidance, ProposalStatusDescriber statusText) {
    String text() {
        return switch (guidance.state()) {
            case OPEN -> guidance.readerProposed() ? proposerText() : reviewerText();
            case FULFILLED ->
                fulfilledText(Objects.requireNonNull(guidance.proposalSnapshot().fulfilment()));
            case REJECTED ->
                guidance.readerProposed()
                        ? "Read the reasons. If you still need this call, change it and propose it again."
                        : "Nothing to do: the proposal was rejected.";
            case WITHDRAWN -> "Nothing to do: the proposal was withdrawn.";
            case EXPIRED ->
                guidance.readerProposed()
                        ? "If you still need this call, propose it again, with a longer ttl if the topic allows it."
                        : "Nothing to do: the proposal expired.";
        };
    }

    private String proposerText() {
        if (guidance.proposalSnapshot().heldApproval().isPresent()) {
            return "Make the same call again to run it, or withdraw the proposal.";
        }
        if (guidance.reviewers().couldFulfil().isEmpty()) {
            return guidance.noReviewerText()
                    + (guidance.readerMayCall()
                            ? " Give another member the capability, or withdraw the proposal."
                            : " Ask an admin to allow one, or withdraw the proposal.");
        }
        List<String> awaited = statusText.awaitedMembers();
        String withdraw = ", or withdraw the proposal if you no longer need it.";
        return awaited.isEmpty()
                ? "Wait for a decision" + withdraw
                : "Ask " + guidance.names().joinWithOr(awaited) + " to decide" + withdraw;
    }

    private String reviewerText() {
        if (guidance.proposalSnapshot().heldApproval().isPresent()) {
            return "Nothing for you to do: the call runs when the caller calls again.";
        }
        String id = "'" + guidance.proposalSnapshot().id() + "'";
        String reject = "send mcpx.reject.proposal with correlationId " + id + " and a reason.";
        if (guidance.readerCouldFulfil()) {
            return "To approve it, send " + guidance.proposalSnapshot().callKind() + " with correlationId " + id
                    + " to the participant that runs the call."
                    + (guidance.readerMayReject() ? " To reject it, " + reject : "");
        }
        List<String> deciders = statusText.deciders();
        String waiting = deciders.isEmpty()
                ? " No member of this topic can approve the proposal."
                : " The proposal is waiting for " + guidance.names().joinWithOr(deciders) + ".";
        return (guidance.readerMayReject() ? "If you object, " + reject : "Nothing for you to do.") + waiting;
    }

    private String fulfilledText(Fulfilment call) {
        String names = guidance.names().joinWithOr(call.addressees());
        return switch (call.outcome()) {
            case PENDING ->
                call.addressees().contains(guidance.viewerId())
                        ? "Run the call and send "
                                + guidance.proposalSnapshot().callKind().withOperation("response")
                                + " with correlationId '"
                                + call.fulfilled().storedEnvelope().id() + "'."
                        : "Nothing for you to do: waiting for " + names + " to respond.";
            case SUCCEEDED -> "Nothing to do: the call succeeded.";
            case FAILED ->
                guidance.readerProposed()
                        ? "Read the error. If you still need this call, change it and propose it again."
                        : "Nothing to do: the call failed.";
            case UNKNOWN ->
                "Check with " + names + " whether the call was run before you propose it again. A late response still"
                        + " counts.";
        };
    }
}
