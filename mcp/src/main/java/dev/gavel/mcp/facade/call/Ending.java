package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.mcpx.SystemMessage.Rejection;
import dev.gavel.mcpx.json.Json;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a proposed call came out, as far as whoever called is concerned. */
public sealed interface Ending {
    /**
     * It was made, and answered.
     *
     * @param response the JSON-RPC response, as it came
     */
    record Done(Json response) implements Ending {}

    /**
     * It was not made, or nobody knows.
     *
     * @param state how the proposal stands, in one word
     * @param words what happened, and what to do
     */
    record NotDone(String state, String words) implements Ending {}

    /** How a proposal came out; nothing while that is open. */
    public static Optional<Ending> of(Proposal proposal) {
        String state = proposal.state().word();
        return switch (proposal.state()) {
            case OPEN -> Optional.empty();
            case FULFILLED -> fulfilled(Objects.requireNonNull(proposal.fulfilment()), state);
            case REJECTED -> Optional.of(new NotDone(state, rejected(proposal)));
            case EXPIRED ->
                Optional.of(new NotDone(
                        state,
                        "Not done: nobody decided it in time, so the proposal expired. Nobody refused it; call again to"
                                + " propose it anew."));
            case WITHDRAWN -> Optional.of(new NotDone(state, "Not done: the proposal was withdrawn" + why(proposal)));
        };
    }

    private static Optional<Ending> fulfilled(Fulfilment call, String state) {
        Answered answer = call.answer();
        if (answer != null) {
            return Optional.of(new Done(Json.parse(answer.payload().toString()).orElseGet(Json::object)));
        }
        if (call.outcome() != Outcome.UNKNOWN) {
            return Optional.empty();
        }
        String who = String.join(", ", call.addressees());
        return Optional.of(new NotDone(
                state,
                "Approved by " + call.request().by() + ", but whether it was done is unknown: " + who
                        + (call.unknown() == OutcomeUnknown.Why.ADDRESSEE_LEFT
                                ? " left before answering."
                                : " did not answer in time.")
                        + " See whether it was done before you call it again."));
    }

    private static String rejected(Proposal proposal) {
        return "Not done: rejected by "
                + proposal.rejections().stream().map(Ending::rejection).collect(Collectors.joining("; and by "))
                + ".";
    }

    private static String rejection(Rejection each) {
        return each.from() + " (" + each.reason() + ")" + (each.note() == null ? "" : ": " + each.note());
    }

    private static String why(Proposal proposal) {
        return proposal.timeline().stream()
                .map(Step::event)
                .filter(Withdrawn.class::isInstance)
                .map(event -> ((Withdrawn) event).reason())
                .filter(Objects::nonNull)
                .findFirst()
                .map(reason -> ": " + reason)
                .orElse(".");
    }
}
