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
                        ? "Read the reasons; propose it anew, changed, if it is still wanted."
                        : "Nothing to do: it is rejected.";
            case WITHDRAWN -> "Nothing to do: it is withdrawn.";
            case EXPIRED ->
                guidance.readerProposed()
                        ? "Propose it anew if it is still wanted, with a longer ttl if the topic lets you."
                        : "Nothing to do: it is expired.";
        };
    }

    private String proposerText() {
        if (guidance.reviewers().couldFulfil().isEmpty()) {
            return "Withdraw it: nobody in this topic may do this. Ask whoever runs this gateway to let somebody.";
        }
        List<String> awaited = statusText.awaitedMembers();
        return awaited.isEmpty()
                ? "Nothing for you to do but wait; withdraw it if it is no longer wanted."
                : "Ask " + ProposalStatusDescriber.joinWithOr(awaited)
                        + " to decide it, or withdraw it if it is no longer wanted.";
    }

    private String reviewerText() {
        String id = "'" + guidance.proposalSnapshot().id() + "'";
        String reject = "reject it with mcpx.reject.proposal and a reason";
        if (guidance.readerCouldFulfil()) {
            return "Approve it: send " + guidance.proposalSnapshot().callKind() + " with correlationId " + id
                    + " to whoever is to run it" + (guidance.readerMayReject() ? "; or " + reject + "." : ".");
        }
        String upTo = " It is up to " + ProposalStatusDescriber.joinWithOr(statusText.deciders()) + " to approve it.";
        return guidance.readerMayReject()
                ? "If you object, " + reject + ", correlationId " + id + "." + upTo
                : "Nothing for you to do." + upTo;
    }

    private String fulfilledText(Fulfilment call) {
        String names = ProposalStatusDescriber.joinWithOr(call.addressees());
        return switch (call.outcome()) {
            case PENDING ->
                call.addressees().contains(guidance.viewerId())
                        ? "Answer it: send "
                                + guidance.proposalSnapshot().callKind().withOperation("response")
                                + " with correlationId '"
                                + call.fulfilled().storedEnvelope().id() + "'."
                        : "Nothing for you to do: " + names + " is to answer.";
            case SUCCEEDED -> "Nothing to do: it is done.";
            case FAILED ->
                guidance.readerProposed()
                        ? "Read the error; propose it anew, changed, if it is still wanted."
                        : "Nothing to do: it was tried and failed.";
            case UNKNOWN ->
                "Find out with " + names + " whether it was done before anybody proposes it again; a late answer still"
                        + " counts.";
        };
    }
}
