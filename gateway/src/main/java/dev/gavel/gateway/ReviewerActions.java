package dev.gavel.gateway;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Approves, rejects or acknowledges a proposal for a member when an in-process caller, such as the console or the API,
 * acts on the member's behalf. Each action is submitted as if the member had sent the envelope. Thread-safe.
 */
public final class ReviewerActions {
    private static final Set<String> METHODS_WITH_ARGUMENTS = Set.of("tools/call", "prompts/get");

    private final Gateway gateway;
    private final InstantSource clock;

    public ReviewerActions(Gateway gateway, InstantSource clock) {
        this.gateway = gateway;
        this.clock = clock;
    }

    /**
     * Sends the proposed call.
     *
     * @param arguments replace the proposed arguments
     * @param to the member that is to run the call; if empty, the only member that offers it. While the proposal is
     *     open, a named member that has left or may not respond is not sent the call, and no other member is chosen
     *     instead: the reviewer has to choose again
     */
    public CompletionStage<ApprovalResult> approve(
            Topic topic, Member reviewer, String proposal, Optional<Json> arguments, Optional<String> to) {
        return topic.proposalQueries()
                .map(proposalQueries -> proposalQueries
                        .view(reviewer, proposal)
                        .thenCompose(found -> found.map(view -> approve(topic, reviewer, view, arguments, to))
                                .orElseGet(
                                        () -> CompletableFuture.completedStage(new ApprovalResult.UnknownProposal()))))
                .orElseGet(() -> CompletableFuture.completedFuture(new ApprovalResult.UnknownProposal()));
    }

    private CompletionStage<ApprovalResult> approve(
            Topic topic, Member reviewer, ProposalView view, Optional<Json> arguments, Optional<String> to) {
        Json proposedParams =
                Json.parse(view.payload().toString()).orElseThrow().at("params");
        if (arguments.isPresent()
                && (!hasArguments(view.kind()) || arguments.get().type() != Json.Type.OBJECT)) {
            return CompletableFuture.completedStage(new ApprovalResult.InvalidArguments(
                    hasArguments(view.kind())
                            ? "Arguments are a JSON object: {\"name\": value}."
                            : "A call of " + view.kind().method() + " has no arguments to change."));
        }
        if (to.isEmpty() && view.couldRun().size() != 1 && view.state() == ProposalState.OPEN) {
            return CompletableFuture.completedStage(new ApprovalResult.RunnerUnclear(view.couldRun()));
        }
        if (to.isPresent() && view.state() == ProposalState.OPEN && !isKnownRunner(view, reviewer, to.get())) {
            return topic.overview().thenCompose(overview -> {
                Optional<Member> namedMember = topic.member(to.get());
                boolean unavailable = namedMember.isPresent()
                        && (!overview.participants().contains(namedMember.get())
                                || !namedMember
                                        .get()
                                        .capabilitySet()
                                        .admitsKind(view.kind().withOperation("response")));
                return unavailable
                        ? CompletableFuture.completedStage(new ApprovalResult.RunnerUnclear(view.couldRun()))
                        : send(topic, reviewer, view, params(proposedParams, arguments), to.get());
            });
        }
        String runner = to.orElseGet(() ->
                view.couldRun().isEmpty() ? reviewer.id() : view.couldRun().getFirst());
        return send(topic, reviewer, view, params(proposedParams, arguments), runner);
    }

    /** Whether a member can be sent the call without a further check. The reviewer's own id always qualifies. */
    private static boolean isKnownRunner(ProposalView view, Member reviewer, String to) {
        return to.equals(reviewer.id()) || view.couldRun().contains(to);
    }

    private static Json params(Json proposedParams, Optional<Json> arguments) {
        return arguments.map(other -> proposedParams.with("arguments", other)).orElse(proposedParams);
    }

    private CompletionStage<ApprovalResult> send(
            Topic topic, Member reviewer, ProposalView view, Json params, String runner) {
        String request = EnvelopeIdGenerator.next('r', clock.instant());
        return gateway.submit(
                        topic,
                        reviewer,
                        ProposalEnvelopeFactory.fulfilment(request, view.id(), view.kind(), params, List.of(runner)))
                .thenApply(submitResult -> switch (submitResult) {
                    case SubmitResult.Accepted _ -> new ApprovalResult.Sent(request, runner);
                    case SubmitResult.Refused refused -> new ApprovalResult.Refused(refused.failures());
                });
    }

    /** Whether calls of a kind have arguments, which the approving reviewer may change. */
    public static boolean hasArguments(Kind kind) {
        return METHODS_WITH_ARGUMENTS.contains(kind.method());
    }

    /** Reports to the proposer that the proposal is being considered. */
    public CompletionStage<SubmitResult> acknowledge(Topic topic, Member reviewer, String proposal) {
        return sendProposalUpdate(topic, reviewer, "status", proposal, Map.of("status", "considering"));
    }

    private CompletionStage<SubmitResult> sendProposalUpdate(
            Topic topic, Member reviewer, String operation, String proposal, Map<String, String> payload) {
        return gateway.submit(
                topic,
                reviewer,
                ProposalEnvelopeFactory.proposalUpdate(
                        EnvelopeIdGenerator.next('x', clock.instant()), operation, List.of(proposal), payload));
    }

    /** Rejects a proposal. A reason that is not one of the known codes is passed on as free text. */
    public CompletionStage<SubmitResult> reject(
            Topic topic, Member reviewer, String proposal, String reason, Optional<String> note) {
        Map<String, String> payload = new LinkedHashMap<>();
        payload.put("reason", reason);
        note.ifPresent(text -> payload.put("note", text));
        return sendProposalUpdate(topic, reviewer, "reject", proposal, payload);
    }
}
