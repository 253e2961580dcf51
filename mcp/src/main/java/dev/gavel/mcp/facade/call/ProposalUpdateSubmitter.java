package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.CallerStatusNote;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Adds status notes to existing proposals, withdraws them or cancels their calls in the proposer's name, and retries
 * while the ledger is unavailable. Confined to the topic's loop.
 */
public final class ProposalUpdateSubmitter {
    private static final Kind CANCELLED = Kind.of("mcp.request.notifications/cancelled");
    private static final char ID_PREFIX = 'x';
    private static final int MAX_RETRIES = 20;
    private static final long RETRY_MILLIS = 3_000;

    private final TopicCalls topicCalls;

    ProposalUpdateSubmitter(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
    }

    /**
     * Records that the caller of a proposal will call again, or has called again.
     *
     * @param callback run when that is stored or has failed; if a client waits for it, there is only one attempt
     */
    void recordNote(FacadeCaller caller, String proposal, CallerStatusNote followUpNote, Runnable callback) {
        Map<String, String> payload = Map.of("status", "queued", "note", followUpNote.text());
        sendWithRetry(
                caller.withOnlyCapability("mcpx.status.proposal"),
                ProposalEnvelopeFactory.proposalUpdate(
                        topicCalls.newEnvelopeId(ID_PREFIX), "status", List.of(proposal), payload),
                followUpNote == CallerStatusNote.WILL_CALL_AGAIN ? 0 : MAX_RETRIES,
                submitResult -> callback.run(),
                callback);
    }

    /** Withdraws a proposal in its proposer's name. */
    void withdraw(FacadeCaller caller, String proposal, String reason) {
        withdraw(caller.withOnlyCapability("mcpx.withdraw.proposal"), proposal, reason);
    }

    /**
     * Withdraws a proposal in its proposer's name.
     *
     * @param callback receives whether it is withdrawn now; it is not if a decision was faster
     */
    void withdraw(FacadeCaller caller, String proposal, String reason, Consumer<Boolean> callback) {
        sendWithRetry(
                caller.withOnlyCapability("mcpx.withdraw.proposal"),
                withdrawal(proposal, reason),
                MAX_RETRIES,
                submitResult -> callback.accept(submitResult instanceof SubmitResult.Accepted),
                () -> callback.accept(false));
    }

    /**
     * Withdraws a proposal in its proposer's name. The result fails if it is not known whether the proposal is still
     * open.
     */
    CompletionStage<Void> withdraw(Member proposer, String proposal, String reason) {
        CompletableFuture<Void> settled = new CompletableFuture<>();
        Runnable onFailure =
                () -> settled.completeExceptionally(new IllegalStateException("the withdrawal could not be recorded"));
        sendWithRetry(
                proposer,
                withdrawal(proposal, reason),
                MAX_RETRIES,
                submitResult -> {
                    if (submitResult instanceof SubmitResult.Refused(var failures) && isLedgerUnavailable(failures)) {
                        onFailure.run();
                    } else {
                        settled.complete(null);
                    }
                },
                onFailure);
        return settled;
    }

    private byte[] withdrawal(String proposal, String reason) {
        return ProposalEnvelopeFactory.proposalUpdate(
                topicCalls.newEnvelopeId(ID_PREFIX), "withdraw", List.of(proposal), Map.of("reason", reason));
    }

    /** Withdraws a proposal, or cancels its call if it was approved in the meantime. */
    public void withdrawOrCancel(FacadeCaller caller, String proposal, String reason) {
        sendWithRetry(
                caller.withOnlyCapability("mcpx.withdraw.proposal"),
                withdrawal(proposal, reason),
                MAX_RETRIES,
                submitResult -> {
                    if (submitResult instanceof SubmitResult.Refused) {
                        cancelExecution(caller, proposal, reason);
                    }
                },
                () -> {});
    }

    private void cancelExecution(FacadeCaller caller, String proposal, String reason) {
        topicCalls
                .proposalQueries()
                .ifPresent(proposalQueries -> topicCalls.whenCompleteOnLoop(
                        proposalQueries.view(caller.member(), proposal),
                        view -> view.map(found ->
                                        ProposalSnapshot.of(found.timeline()).fulfilment())
                                .filter(fulfilment -> fulfilment.outcome() == FulfilmentOutcome.PENDING)
                                .ifPresent(fulfilment -> cancelExecution(
                                        caller,
                                        fulfilment.fulfilled().storedEnvelope().id(),
                                        fulfilment.addressees(),
                                        reason)),
                        failure -> topicCalls.log("The call of a proposal could not be cancelled.", failure)));
    }

    /** Cancels a call at the participants that run it. */
    void cancelExecution(FacadeCaller caller, String request, List<String> runners, String reason) {
        byte[] envelope = EnvelopeDraft.of(topicCalls.newEnvelopeId('n'), CANCELLED)
                .withRecipients(runners)
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeStringProperty("method", "notifications/cancelled");
                    json.writeObjectPropertyStart("params");
                    json.writeStringProperty("requestId", request);
                    json.writeStringProperty("reason", reason);
                    json.writeEndObject();
                    json.writeEndObject();
                });
        topicCalls.whenCompleteOnLoop(
                topicCalls.submitInternal(caller.withOnlyCapability(CANCELLED.toString()), envelope),
                submitResult -> {},
                failure -> topicCalls.log("A call could not be cancelled.", failure));
    }

    void recordNotForwarded(String proposal, String reason) {
        topicCalls.proposalQueries().ifPresent(proposalQueries -> proposalQueries.markNotForwarded(proposal, reason));
    }

    /** Revokes that this process delivered a result. */
    void revokeForwarded(String proposal, String reason) {
        topicCalls
                .proposalQueries()
                .ifPresent(
                        proposalQueries -> proposalQueries.revokeForwarded(proposal, topicCalls.processId(), reason));
    }

    /**
     * Sends an envelope, and retries while the ledger is unavailable. The retries send the same envelope, so that it is
     * not stored twice.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process ends first
    private void sendWithRetry(
            Member sender, byte[] envelope, int remainingRetries, Consumer<SubmitResult> callback, Runnable onFailure) {
        topicCalls.whenCompleteOnLoop(
                topicCalls.submitInternal(sender, envelope),
                submitResult -> {
                    if (remainingRetries > 0
                            && submitResult instanceof SubmitResult.Refused(var failures)
                            && isLedgerUnavailable(failures)) {
                        topicCalls
                                .topic()
                                .loop()
                                .schedule(
                                        () -> sendWithRetry(
                                                sender, envelope, remainingRetries - 1, callback, onFailure),
                                        RETRY_MILLIS,
                                        TimeUnit.MILLISECONDS);
                    } else {
                        callback.accept(submitResult);
                    }
                },
                failure -> {
                    topicCalls.log("An update of a proposal could not be sent.", failure);
                    onFailure.run();
                });
    }

    /** Whether the ledger is temporarily unavailable. */
    private static boolean isLedgerUnavailable(List<Failure> failures) {
        return failures.stream().anyMatch(each -> each.error() == EnvelopeErrorCode.UNAVAILABLE);
    }
}
