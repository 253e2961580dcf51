package dev.gavel.gateway;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.ApprovalDraft;
import dev.gavel.gateway.proposal.ProposalEvent.EditCheck;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
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
import java.util.stream.Stream;

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
     * @param accessGrant the grant of the reviewer's request; if its token ends before the approval is decided, the
     *     approval is refused
     * @param arguments replace the proposed arguments
     * @param confirmed whether the reviewer has confirmed the approval in a second step. Without that, nothing is sent
     *     if the call needs it, and the result is {@link ApprovalResult.ConfirmationRequired}
     * @param options whether edited arguments are checked, and the tool definitions that the approval is for
     * @param runnerId the member that is to run the call; if empty, the only possible one. If the proposal is open and
     *     the named member is absent or may not respond, nothing is sent, and the result is {@link
     *     ApprovalResult.RunnerChoiceRequired}. A member that the proposal does not address and that is not a possible
     *     runner needs a confirmation
     */
    public CompletionStage<ApprovalResult> approve(
            Topic topic,
            Member reviewer,
            RevocableAccessGrant accessGrant,
            String proposalId,
            Optional<Json> arguments,
            boolean confirmed,
            Optional<String> runnerId,
            ApprovalOptions options) {
        return topic.proposalQueries()
                .map(proposalQueries -> proposalQueries
                        .view(reviewer, proposalId, new ApprovalDraft(arguments, runnerId))
                        .thenCompose(found -> found.map(view -> approve(
                                        topic, reviewer, accessGrant, view, arguments, confirmed, runnerId, options))
                                .orElseGet(
                                        () -> CompletableFuture.completedStage(new ApprovalResult.UnknownProposal()))))
                .orElseGet(() -> CompletableFuture.completedFuture(new ApprovalResult.UnknownProposal()));
    }

    private CompletionStage<ApprovalResult> approve(
            Topic topic,
            Member reviewer,
            RevocableAccessGrant accessGrant,
            ProposalView view,
            Optional<Json> arguments,
            boolean confirmed,
            Optional<String> runnerId,
            ApprovalOptions options) {
        Json proposedParams =
                Json.parse(view.payload().toString()).orElseThrow().at("params");
        if (arguments.isPresent()
                && (!hasArguments(view.kind()) || arguments.get().type() != Json.Type.OBJECT)) {
            return CompletableFuture.completedStage(new ApprovalResult.InvalidArguments(
                    hasArguments(view.kind())
                            ? "The arguments must be a JSON object: {\"name\": value}."
                            : "Calls of " + view.kind().method() + " have no arguments to edit."));
        }
        // The view was assessed for these arguments and for the chosen runner.
        Optional<ApprovalResult> confirmation =
                view.risk().filter(risk -> risk.careful() && !confirmed).map(ApprovalResult.ConfirmationRequired::new);
        if (runnerId.isPresent() && view.state() == ProposalState.OPEN && !isKnownRunner(view, runnerId.get())) {
            return topic.overview().thenCompose(overview -> {
                Optional<Member> namedMember = topic.member(runnerId.get());
                boolean unavailable = namedMember
                        .filter(member -> !member.id().equals(reviewer.id())
                                && (!overview.participants().contains(member)
                                        || !member.capabilitySet()
                                                .admitsKind(view.kind().withOperation("response"))))
                        .isPresent();
                if (unavailable) {
                    return CompletableFuture.completedStage(runnerChoice(view));
                }
                if (confirmation.isPresent() && namedMember.isPresent()) {
                    return CompletableFuture.completedStage(confirmation.get());
                }
                return send(
                        topic, reviewer, accessGrant, view, params(proposedParams, arguments), runnerId.get(), options);
            });
        }
        if (confirmation.isPresent()) {
            return CompletableFuture.completedStage(confirmation.get());
        }
        if (runnerId.isEmpty() && view.possibleRunners().size() != 1 && view.state() == ProposalState.OPEN) {
            return CompletableFuture.completedStage(runnerChoice(view));
        }
        String runner = runnerId.orElseGet(() -> view.possibleRunners().isEmpty()
                ? reviewer.id()
                : view.possibleRunners().getFirst());
        return send(topic, reviewer, accessGrant, view, params(proposedParams, arguments), runner, options);
    }

    private static ApprovalResult runnerChoice(ProposalView view) {
        return new ApprovalResult.RunnerChoiceRequired(view.possibleRunners(), view.alternativeRunners());
    }

    /** Whether a member can be sent the call without a further check. */
    private static boolean isKnownRunner(ProposalView view, String runnerId) {
        return view.possibleRunners().contains(runnerId)
                || view.alternativeRunners().contains(runnerId);
    }

    private static Json params(Json proposedParams, Optional<Json> arguments) {
        return arguments.map(other -> proposedParams.with("arguments", other)).orElse(proposedParams);
    }

    private CompletionStage<ApprovalResult> send(
            Topic topic,
            Member reviewer,
            RevocableAccessGrant accessGrant,
            ProposalView view,
            Json params,
            String runner,
            ApprovalOptions options) {
        String requestId = EnvelopeIdGenerator.next('r', clock.instant());
        return gateway.submit(
                        topic,
                        reviewer,
                        accessGrant,
                        ProposalEnvelopeFactory.fulfilment(
                                requestId, view.id(), view.kind(), params, List.of(runner), options))
                .thenCompose(submitResult -> switch (submitResult) {
                    case SubmitResult.Accepted _ ->
                        topic.proposalQueries()
                                .map(proposalQueries -> proposalQueries.view(reviewer, view.id()))
                                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))
                                .thenApply(found -> new ApprovalResult.Sent(
                                        requestId,
                                        runner,
                                        found.filter(ReviewDecisionSubmitter::isEditUnchecked)
                                                .isPresent(),
                                        found.flatMap(ProposalView::heldApproval)
                                                .isPresent()));
                    case SubmitResult.Refused refused ->
                        CompletableFuture.completedStage(new ApprovalResult.Refused(refused.failures()));
                });
    }

    /** Whether the approved arguments are edited and could not be checked. */
    private static boolean isEditUnchecked(ProposalView view) {
        return Stream.concat(
                        view.timeline().stream()
                                .map(ProposalTimelineEntry::event)
                                .filter(Fulfilled.class::isInstance)
                                .map(Fulfilled.class::cast),
                        view.heldApproval().map(ProposalSnapshot.HeldApproval::approval).stream())
                .anyMatch(approval -> approval.editCheck() == EditCheck.NO_SCHEMA);
    }

    /** Whether calls of a kind have arguments, which the approving reviewer may change. */
    public static boolean hasArguments(Kind kind) {
        return METHODS_WITH_ARGUMENTS.contains(kind.method());
    }

    /** Reports to the proposer that the proposal is being considered. */
    public CompletionStage<SubmitResult> acknowledge(
            Topic topic, Member reviewer, RevocableAccessGrant accessGrant, String proposalId) {
        return sendProposalUpdate(topic, reviewer, accessGrant, "status", proposalId, Map.of("status", "considering"));
    }

    private CompletionStage<SubmitResult> sendProposalUpdate(
            Topic topic,
            Member reviewer,
            RevocableAccessGrant accessGrant,
            String operation,
            String proposalId,
            Map<String, String> payload) {
        return gateway.submit(
                topic,
                reviewer,
                accessGrant,
                ProposalEnvelopeFactory.proposalUpdate(
                        EnvelopeIdGenerator.next('x', clock.instant()), operation, List.of(proposalId), payload));
    }

    /** Rejects a proposal. A reason that is not one of the known codes is passed on as free text. */
    public CompletionStage<SubmitResult> reject(
            Topic topic,
            Member reviewer,
            RevocableAccessGrant accessGrant,
            String proposalId,
            String reason,
            Optional<String> note) {
        Map<String, String> payload = new LinkedHashMap<>();
        payload.put("reason", reason);
        note.ifPresent(text -> payload.put("note", text));
        return sendProposalUpdate(topic, reviewer, accessGrant, "reject", proposalId, payload);
    }
}
