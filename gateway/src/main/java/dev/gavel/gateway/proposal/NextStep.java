package dev.gavel.gateway.proposal;

import java.util.List;
import java.util.Objects;

/** One concrete thing for the reader of a {@link ProposalGuide} to do. */
record NextStep(ProposalGuide guide, ProposalWords words) {
    String text() {
        return switch (guide.state()) {
            case OPEN -> guide.readerProposed() ? proposer() : reviewer();
            case FULFILLED -> fulfilled(Objects.requireNonNull(guide.proposal().fulfilment()));
            case REJECTED ->
                guide.readerProposed()
                        ? "Read the reasons; propose it anew, changed, if it is still wanted."
                        : "Nothing to do: it is rejected.";
            case WITHDRAWN -> "Nothing to do: it is withdrawn.";
            case EXPIRED ->
                guide.readerProposed()
                        ? "Propose it anew if it is still wanted, with a longer ttl if the topic lets you."
                        : "Nothing to do: it is expired.";
        };
    }

    private String proposer() {
        if (guide.circle().couldFulfil().isEmpty()) {
            return "Withdraw it: nobody in this topic may do this. Ask whoever runs this gateway to let somebody.";
        }
        List<String> awaited = words.awaited();
        return awaited.isEmpty()
                ? "Nothing for you to do but wait; withdraw it if it is no longer wanted."
                : "Ask " + ProposalWords.choice(awaited) + " to decide it, or withdraw it if it is no longer wanted.";
    }

    private String reviewer() {
        String id = "'" + guide.proposal().id() + "'";
        String reject = "reject it with mcpx.reject.proposal and a reason";
        if (guide.readerCouldFulfil()) {
            return "Approve it: send " + guide.proposal().call() + " with correlationId " + id
                    + " to whoever is to run it" + (guide.readerMayReject() ? "; or " + reject + "." : ".");
        }
        String upTo = " It is up to " + ProposalWords.choice(words.deciders()) + " to approve it.";
        return guide.readerMayReject()
                ? "If you object, " + reject + ", correlationId " + id + "." + upTo
                : "Nothing for you to do." + upTo;
    }

    private String fulfilled(Fulfilment call) {
        String who = ProposalWords.choice(call.addressees());
        return switch (call.outcome()) {
            case PENDING ->
                call.addressees().contains(guide.reader())
                        ? "Answer it: send " + guide.proposal().call().withOperation("response")
                                + " with correlationId '"
                                + call.request().sent().id() + "'."
                        : "Nothing for you to do: " + who + " is to answer.";
            case SUCCEEDED -> "Nothing to do: it is done.";
            case FAILED ->
                guide.readerProposed()
                        ? "Read the error; propose it anew, changed, if it is still wanted."
                        : "Nothing to do: it was tried and failed.";
            case UNKNOWN ->
                "Find out with " + who + " whether it was done before anybody proposes it again; a late answer still"
                        + " counts.";
        };
    }
}
