package dev.gavel.client;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects how a proposal ended, from envelopes about the proposal or from its JSON view that the gateway returns. Any
 * participant can send an envelope that names the proposal. So an envelope counts as an end only if the gateway ensures
 * that its sender may send it. Does no I/O. Not thread-safe.
 */
final class ProposalEndDetector {
    private final String proposal;
    private final String proposer;
    private final Call proposedCall;
    private @Nullable String request;
    private String approvedBy = "";
    private List<String> runners = List.of();
    private Optional<Call> editedCall = Optional.empty();

    ProposalEndDetector(String proposal, String proposer, Call proposedCall) {
        this.proposal = proposal;
        this.proposer = proposer;
        this.proposedCall = proposedCall;
    }

    /** Returns the id of the request that fulfils the proposal; empty as long as there is none. */
    Optional<String> request() {
        return Optional.ofNullable(request);
    }

    /** Whether the request is addressed to this participant. */
    boolean isAwaitedRunner(String participant) {
        return runners.contains(participant);
    }

    /**
     * Processes an envelope about the proposal or its request. Returns the proposal's end if the envelope proves it.
     */
    Optional<End> applyEnvelope(Envelope envelope) {
        return switch (envelope.category()) {
            case WITHDRAW ->
                proposer.equals(envelope.from()) && isAbout(envelope, proposal)
                        ? Optional.of(new End.Withdrawn(
                                proposal,
                                PayloadJsonConverter.of(envelope).at("reason").asText()))
                        : Optional.empty();
            case REQUEST -> {
                // The gateway forwards only the request that fulfils the proposal.
                if (request == null && isAbout(envelope, proposal)) {
                    setRequest(envelope.id(), String.valueOf(envelope.from()), envelope.to());
                    Call requestedCall = Call.of(PayloadJsonConverter.of(envelope));
                    editedCall = withoutMeta(requestedCall).equals(withoutMeta(proposedCall))
                            ? Optional.empty()
                            : Optional.of(requestedCall);
                }
                yield Optional.empty();
            }
            case RESPONSE ->
                request != null && isAbout(envelope, request) && runners.contains(envelope.from())
                        ? Optional.of(toEnd(PayloadJsonConverter.of(envelope)))
                        : Optional.empty();
            case SYSTEM ->
                switch (SystemMessage.GATEWAY.equals(envelope.from()) && isAbout(envelope, proposal)
                        ? envelope.kind().toString()
                        : "") {
                    case "system.proposal.expired" -> Optional.of(new End.Expired(proposal));
                    case "system.proposal.withdrawn" ->
                        Optional.of(new End.Withdrawn(
                                proposal,
                                PayloadJsonConverter.of(envelope).at("reason").asText()));
                    case "system.proposal.rejected" ->
                        Optional.of(new End.Rejected(
                                proposal,
                                Rejection.listOf(
                                        PayloadJsonConverter.of(envelope).at("reasons"))));
                    default -> Optional.empty();
                };
            case PROPOSAL, REJECT, STATUS, CHAT, OTHER -> Optional.empty();
        };
    }

    /** Returns the parameters without {@code _meta}, which describes the conversation and not the call. */
    private static Map<String, Json> withoutMeta(Call call) {
        Map<String, Json> params = new HashMap<>(call.params().members());
        params.remove("_meta");
        return params;
    }

    private static boolean isAbout(Envelope envelope, String id) {
        return envelope.correlationIds().contains(id);
    }

    private void setRequest(String id, String approver, List<String> to) {
        request = id;
        approvedBy = approver;
        runners = List.copyOf(to);
    }

    private End toEnd(Json response) {
        Json result = response.at("result");
        return response.at("error").isPresent() || result.at("isError").isTrue()
                ? new End.Failed(
                        proposal,
                        approvedBy,
                        response.at("error").isPresent() ? response.at("error") : result,
                        editedCall)
                : new End.Succeeded(proposal, approvedBy, result, editedCall);
    }

    /** Processes the gateway's view of the proposal. Returns the proposal's end if it has ended. */
    Optional<End> applyView(Json view) {
        lastStep(view, "fulfilled")
                .ifPresent(step -> setRequest(
                        step.at("envelope").text(),
                        step.at("by").text(),
                        step.at("to").texts()));
        if (view.at("edited").isTrue()) {
            editedCall = Optional.of(new Call(proposedCall.method(), view.at("fulfilledParams")));
        }
        return switch (view.at("state").text()) {
            case "rejected" -> Optional.of(new End.Rejected(proposal, Rejection.listOf(view.at("reasons"))));
            case "withdrawn" ->
                Optional.of(new End.Withdrawn(
                        proposal,
                        lastStep(view, "withdrawn")
                                .flatMap(step -> step.at("reason").asText())));
            // The state alone is not enough: a decision that was sent in time may still be recorded before the expiry.
            case "expired" -> lastStep(view, "expired").map(step -> new End.Expired(proposal));
            case "fulfilled" ->
                switch (view.at("outcome").text()) {
                    // The first answer sets the outcome; later ones change nothing.
                    case "succeeded", "failed" ->
                        steps(view, "answered").findFirst().map(step -> toEnd(step.at("result")));
                    case "unknown" ->
                        Optional.of(new End.Unknown(
                                proposal,
                                lastStep(view, "outcome_unknown")
                                        .map(step -> step.at("why").text().replace('_', ' '))
                                        .orElse("no response arrived")));
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    private static Optional<Json> lastStep(Json view, String event) {
        return steps(view, event).reduce((earlier, later) -> later);
    }

    private static Stream<Json> steps(Json view, String event) {
        return view.at("timeline").elements().stream()
                .filter(step -> step.at("event").text().equals(event));
    }

    /** Whether the view is of this proposer's proposal, and not of another participant's with the same id. */
    boolean isOf(Json view) {
        return view.at("from").text().equals(proposer);
    }

    /** Returns the end of a proposal that the ledger no longer has. */
    End endAfterPruning() {
        return new End.Unknown(proposal, "the ledger no longer contains it");
    }
}
