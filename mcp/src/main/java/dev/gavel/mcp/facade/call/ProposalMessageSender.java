package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.SyntaxVersion;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends status notes, withdrawals and cancellations for proposals in the proposer's name, and retries while the ledger
 * is unavailable. Confined to the topic's loop.
 */
public final class ProposalMessageSender {
    private static final Kind CANCELLED = Kind.of("mcp.request.notifications/cancelled");
    private static final char ID_PREFIX = 'x';
    private static final int MAX_RETRIES = 20;
    private static final long RETRY_MILLIS = 3_000;

    private final TopicCalls topicCalls;

    ProposalMessageSender(TopicCalls topicCalls) {
        this.topicCalls = topicCalls;
    }

    /**
     * Records that the caller of a proposal will call again, or has called again.
     *
     * @param then run when that is stored or has failed; if a client waits for it, there is only one attempt
     */
    void recordNote(FacadeCaller caller, String proposal, PendingCallNote pendingCallNote, Runnable then) {
        Map<String, String> payload = Map.of("status", "queued", "note", pendingCallNote.text());
        sendWithRetry(
                caller.withOnlyCapability("mcpx.status.proposal"),
                ProposalEnvelopeFactory.proposalUpdate(
                        topicCalls.newEnvelopeId(ID_PREFIX), "status", List.of(proposal), payload),
                pendingCallNote == PendingCallNote.WILL_CALL_AGAIN ? 0 : MAX_RETRIES,
                submitResult -> then.run(),
                then);
    }

    /** Withdraws a proposal in its proposer's name. */
    void withdraw(FacadeCaller caller, String proposal, String why) {
        withdraw(caller.withOnlyCapability("mcpx.withdraw.proposal"), proposal, why);
    }

    void withdraw(Member proposer, String proposal, String why) {
        sendWithRetry(proposer, withdrawal(proposal, why), MAX_RETRIES, submitResult -> {}, () -> {});
    }

    private byte[] withdrawal(String proposal, String why) {
        return ProposalEnvelopeFactory.proposalUpdate(
                topicCalls.newEnvelopeId(ID_PREFIX), "withdraw", List.of(proposal), Map.of("reason", why));
    }

    /** Withdraws a proposal, or cancels its call if it was approved in the meantime. */
    public void withdrawOrCancel(FacadeCaller caller, String proposal, String why) {
        sendWithRetry(
                caller.withOnlyCapability("mcpx.withdraw.proposal"),
                withdrawal(proposal, why),
                MAX_RETRIES,
                submitResult -> {
                    if (submitResult instanceof SubmitResult.Refused) {
                        cancelExecution(caller, proposal, why);
                    }
                },
                () -> {});
    }

    private void cancelExecution(FacadeCaller caller, String proposal, String why) {
        topicCalls
                .records()
                .ifPresent(proposalQueries -> topicCalls.whenCompleteOnLoop(
                        proposalQueries.view(caller.member(), proposal),
                        view -> view.map(seen ->
                                        ProposalSnapshot.of(seen.timeline()).fulfilment())
                                .filter(fulfilment -> fulfilment.outcome() == FulfilmentOutcome.PENDING)
                                .ifPresent(fulfilment -> cancelExecution(
                                        caller, fulfilment.request().sent().id(), fulfilment.addressees(), why)),
                        failure -> topicCalls.log("a proposal could not be called off", failure)));
    }

    /** Cancels a call at the participants that run it. */
    void cancelExecution(FacadeCaller caller, String request, List<String> runners, String why) {
        byte[] envelope = EnvelopeDraft.of(topicCalls.newEnvelopeId('n'), CANCELLED)
                .withRecipients(runners)
                .encode(SyntaxVersion.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeStringProperty("method", "notifications/cancelled");
                    json.writeObjectPropertyStart("params");
                    json.writeStringProperty("requestId", request);
                    json.writeStringProperty("reason", why);
                    json.writeEndObject();
                    json.writeEndObject();
                });
        topicCalls.whenCompleteOnLoop(
                topicCalls.dispatch(caller.withOnlyCapability(CANCELLED.toString()), envelope),
                submitResult -> {},
                failure -> topicCalls.log("a call could not be cancelled", failure));
    }

    void recordNotForwarded(String proposal, String why) {
        topicCalls.records().ifPresent(proposalQueries -> proposalQueries.markNotForwarded(proposal, why));
    }

    /**
     * Sends an envelope, and retries while the ledger is unavailable. The retries send the same envelope, so that it is
     * not stored twice.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it runs, or the process ends first
    private void sendWithRetry(
            Member sender, byte[] envelope, int tries, Consumer<SubmitResult> then, Runnable failed) {
        topicCalls.whenCompleteOnLoop(
                topicCalls.dispatch(sender, envelope),
                submitResult -> {
                    if (tries > 0
                            && submitResult instanceof SubmitResult.Refused(var failures)
                            && isLedgerUnavailable(failures)) {
                        topicCalls
                                .topic()
                                .loop()
                                .schedule(
                                        () -> sendWithRetry(sender, envelope, tries - 1, then, failed),
                                        RETRY_MILLIS,
                                        TimeUnit.MILLISECONDS);
                    } else {
                        then.accept(submitResult);
                    }
                },
                failure -> {
                    topicCalls.log("a remark on a proposal could not be sent", failure);
                    failed.run();
                });
    }

    /** Whether the ledger is temporarily unavailable. */
    private static boolean isLedgerUnavailable(List<Failure> failures) {
        return failures.stream().anyMatch(each -> each.error() == EnvelopeErrorCode.UNAVAILABLE);
    }
}
