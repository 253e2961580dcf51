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
 * Submits a member's decision on a proposal (approve, reject or acknowledge) when the console or the MCP facade acts on
 * the member's behalf. Each action is submitted as if the member had sent the envelope. Thread-safe.
 */
public final class ReviewDecisionSubmitter {
    private static final Set<String> METHODS_WITH_ARGUMENTS = Set.of("tools/call", "prompts/get");

    private final Gateway gateway;
    private final InstantSource clock;

    public ReviewDecisionSubmitter(Gateway gateway, InstantSource clock) {
        this.gateway = gateway;
        this.clock = clock;
    }

    /**
     * Approves a proposal: sends its call, in the reviewer's name, to the member that is to run it.
     *
     * @param arguments replace the proposed arguments
     * @param runnerId the member that is to run the call; if empty, the only member that offers it. If the proposal is
     *     open and the named member is absent or may not respond, nothing is sent, and the result is {@link
     *     ApprovalResult.RunnerChoiceRequired}
     */
    public CompletionStage<ApprovalResult> approve(
            Topic topic, Member reviewer, String proposalId, Optional<Json> arguments, Optional<String> runnerId) {
        return topic.proposalQueries()
                .map(proposalQueries -> proposalQueries
                        .view(reviewer, proposalId)
                        .thenCompose(found -> found.map(view -> approve(topic, reviewer, view, arguments, runnerId))
                                .orElseGet(
                                        () -> CompletableFuture.completedStage(new ApprovalResult.UnknownProposal()))))
                .orElseGet(() -> CompletableFuture.completedFuture(new ApprovalResult.UnknownProposal()));
    }

    private CompletionStage<ApprovalResult> approve(
            Topic topic, Member reviewer, ProposalView view, Optional<Json> arguments, Optional<String> runnerId) {
        Json proposedParams =
                Json.parse(view.payload().toString()).orElseThrow().at("params");
        if (arguments.isPresent()
                && (!hasArguments(view.kind()) || arguments.get().type() != Json.Type.OBJECT)) {
            return CompletableFuture.completedStage(new ApprovalResult.InvalidArguments(
                    hasArguments(view.kind())
                            ? "The arguments must be a JSON object: {\"name\": value}."
                            : "Calls of " + view.kind().method() + " have no arguments to edit."));
        }
        if (runnerId.isEmpty() && view.possibleRunners().size() != 1 && view.state() == ProposalState.OPEN) {
            return CompletableFuture.completedStage(new ApprovalResult.RunnerChoiceRequired(view.possibleRunners()));
        }
        if (runnerId.isPresent()
                && view.state() == ProposalState.OPEN
                && !isKnownRunner(view, reviewer, runnerId.get())) {
            return topic.overview().thenCompose(overview -> {
                Optional<Member> namedMember = topic.member(runnerId.get());
                boolean unavailable = namedMember.isPresent()
                        && (!overview.participants().contains(namedMember.get())
                                || !namedMember
                                        .get()
                                        .capabilitySet()
                                        .admitsKind(view.kind().withOperation("response")));
                return unavailable
                        ? CompletableFuture.completedStage(
                                new ApprovalResult.RunnerChoiceRequired(view.possibleRunners()))
                        : send(topic, reviewer, view, params(proposedParams, arguments), runnerId.get());
            });
        }
        String runner = runnerId.orElseGet(() -> view.possibleRunners().isEmpty()
                ? reviewer.id()
                : view.possibleRunners().getFirst());
        return send(topic, reviewer, view, params(proposedParams, arguments), runner);
    }

    /** Whether a member can be sent the call without a further check. The reviewer's own id always qualifies. */
    private static boolean isKnownRunner(ProposalView view, Member reviewer, String runnerId) {
        return runnerId.equals(reviewer.id()) || view.possibleRunners().contains(runnerId);
    }

    private static Json params(Json proposedParams, Optional<Json> arguments) {
        return arguments.map(other -> proposedParams.with("arguments", other)).orElse(proposedParams);
    }

    private CompletionStage<ApprovalResult> send(
            Topic topic, Member reviewer, ProposalView view, Json params, String runner) {
        String requestId = EnvelopeIdGenerator.next('r', clock.instant());
        return gateway.submit(
                        topic,
                        reviewer,
                        ProposalEnvelopeFactory.fulfilment(requestId, view.id(), view.kind(), params, List.of(runner)))
                .thenApply(submitResult -> switch (submitResult) {
                    case SubmitResult.Accepted _ -> new ApprovalResult.Sent(requestId, runner);
                    case SubmitResult.Refused refused -> new ApprovalResult.Refused(refused.failures());
                });
    }

    /** Whether calls of a kind have arguments, which the approving reviewer may change. */
    public static boolean hasArguments(Kind kind) {
        return METHODS_WITH_ARGUMENTS.contains(kind.method());
    }

    /** Reports to the proposer that the proposal is being considered. */
    public CompletionStage<SubmitResult> acknowledge(Topic topic, Member reviewer, String proposalId) {
        return sendProposalUpdate(topic, reviewer, "status", proposalId, Map.of("status", "considering"));
    }

    private CompletionStage<SubmitResult> sendProposalUpdate(
            Topic topic, Member reviewer, String operation, String proposalId, Map<String, String> payload) {
        return gateway.submit(
                topic,
                reviewer,
                ProposalEnvelopeFactory.proposalUpdate(
                        EnvelopeIdGenerator.next('x', clock.instant()), operation, List.of(proposalId), payload));
    }

    /** Rejects a proposal. A reason that is not one of the known codes is passed on as free text. */
    public CompletionStage<SubmitResult> reject(
            Topic topic, Member reviewer, String proposalId, String reason, Optional<String> note) {
        Map<String, String> payload = new LinkedHashMap<>();
        payload.put("reason", reason);
        note.ifPresent(text -> payload.put("note", text));
        return sendProposalUpdate(topic, reviewer, "reject", proposalId, payload);
    }
}
