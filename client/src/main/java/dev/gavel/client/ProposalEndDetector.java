package dev.gavel.client;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Detects how a proposal ended from the envelopes about it or from the gateway's view of it. Anybody in the topic can
 * send an envelope that names the proposal; an end is only what the gateway lets nobody else say. Does no I/O. Not
 * thread-safe.
 */
final class ProposalEndDetector {
    private final String proposal;
    private final String proposer;
    private @Nullable String request;
    private String approvedBy = "";
    private List<String> runners = List.of();

    ProposalEndDetector(String proposal, String proposer) {
        this.proposal = proposal;
        this.proposer = proposer;
    }

    /** The request that fulfils it, once there is one. */
    Optional<String> request() {
        return Optional.ofNullable(request);
    }

    /** Whether somebody who is to answer it is called that. */
    boolean isAwaitedRunner(String participant) {
        return runners.contains(participant);
    }

    /** Takes an envelope about it, or about its request; gives its end if this is it beyond doubt. */
    Optional<End> applyEnvelope(Envelope envelope) {
        return switch (envelope.category()) {
            case WITHDRAW ->
                proposer.equals(envelope.from()) && isAbout(envelope, proposal)
                        ? Optional.of(new End.Withdrawn(
                                proposal,
                                PayloadJsonConverter.of(envelope).at("reason").asText()))
                        : Optional.empty();
            case REQUEST -> {
                // The gateway sends on only the one that fulfils it.
                if (request == null && isAbout(envelope, proposal)) {
                    setRequest(envelope.id(), String.valueOf(envelope.from()), envelope.to());
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

    private static boolean isAbout(Envelope envelope, String id) {
        return envelope.correlationIds().contains(id);
    }

    private void setRequest(String id, String by, List<String> to) {
        request = id;
        approvedBy = by;
        runners = List.copyOf(to);
    }

    private End toEnd(Json response) {
        Json result = response.at("result");
        return response.at("error").isPresent() || result.at("isError").isTrue()
                ? new End.Failed(proposal, approvedBy, response.at("error").isPresent() ? response.at("error") : result)
                : new End.Succeeded(proposal, approvedBy, result);
    }

    /** Takes the proposal as the gateway shows it; gives its end if it has ended. */
    Optional<End> applyView(Json view) {
        lastStep(view, "fulfilled")
                .ifPresent(step -> setRequest(
                        step.at("envelope").text(),
                        step.at("by").text(),
                        step.at("to").texts()));
        return switch (view.at("state").text()) {
            case "rejected" -> Optional.of(new End.Rejected(proposal, Rejection.listOf(view.at("reasons"))));
            case "withdrawn" ->
                Optional.of(new End.Withdrawn(
                        proposal,
                        lastStep(view, "withdrawn")
                                .flatMap(step -> step.at("reason").asText())));
            // By the clock alone it has not expired: what was sent in time may still be recorded before that.
            case "expired" -> lastStep(view, "expired").map(step -> new End.Expired(proposal));
            case "fulfilled" ->
                switch (view.at("outcome").text()) {
                    case "succeeded", "failed" -> lastStep(view, "answered").map(step -> toEnd(step.at("result")));
                    case "unknown" ->
                        Optional.of(new End.Unknown(
                                proposal,
                                lastStep(view, "outcome_unknown")
                                        .map(step -> step.at("why").text().replace('_', ' '))
                                        .orElse("nobody answered")));
                    default -> Optional.empty();
                };
            default -> Optional.empty();
        };
    }

    private static Optional<Json> lastStep(Json view, String event) {
        return view.at("timeline").elements().stream()
                .filter(step -> step.at("event").text().equals(event))
                .reduce((earlier, later) -> later);
    }

    /** Whether this is the proposal it is about, and not one of somebody else's that has the same id. */
    boolean isOf(Json view) {
        return view.at("from").text().equals(proposer);
    }

    /** What became of it where the ledger has nothing of it any more. */
    End endAfterPruning() {
        return new End.Unknown(proposal, "the ledger no longer keeps it");
    }
}
