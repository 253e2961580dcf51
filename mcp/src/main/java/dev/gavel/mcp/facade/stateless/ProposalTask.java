package dev.gavel.mcp.facade.stateless;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.facade.call.CallResult;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A proposal represented as an MCP task, with its status, poll interval, retention and final response. Immutable.
 *
 * @param statusMessage the state, for a person
 * @param retention how long the task is available, counted from its creation; forever if empty
 * @param finalResponse the response that the call itself would have received, if the task has ended
 */
record ProposalTask(
        String id,
        Status status,
        String statusMessage,
        Instant createdAt,
        Instant updatedAt,
        Duration pollInterval,
        Optional<Duration> retention,
        Optional<RpcMessage> finalResponse) {
    private static final Duration EXECUTING_POLL = Duration.ofMillis(500);
    private static final Duration MIN_POLL = Duration.ofSeconds(1);
    private static final Duration MAX_POLL = Duration.ofSeconds(10);
    private static final int MAX_REASON_LENGTH = 300;

    /** The status of a task, as MCP defines it. */
    enum Status {
        WORKING("working"),
        COMPLETED("completed"),
        FAILED("failed"),
        CANCELLED("cancelled");

        private final String wireName;

        Status(String wireName) {
            this.wireName = wireName;
        }
    }

    /** Returns the task for a proposal at a point in time. */
    static ProposalTask of(ProposalView view, Instant now, Optional<Duration> retention) {
        // A proposal past its expiry counts as expired before the ledger records it: no reviewer can decide it any
        // more.
        ProposalSnapshot proposalSnapshot = ProposalSnapshot.of(view.timeline()).asOf(now);
        Instant created = view.timeline().getFirst().at();
        Instant updated = view.timeline().getLast().at();
        CallTarget target = new CallTarget(
                "", String.valueOf(view.kind().method()), view.kind().context());
        Optional<RpcMessage> finalResponse = CallResult.of(proposalSnapshot, view.names())
                .map(callResult -> CallResponseFactory.result("null", target, view.id(), callResult));
        String message = SafeText.line(statusMessage(view, proposalSnapshot, finalResponse.orElse(null)));
        return new ProposalTask(
                view.id(),
                status(proposalSnapshot, finalResponse),
                message,
                created,
                updated,
                pollInterval(proposalSnapshot, created, now),
                retention.map(time -> retention(view, finalResponse.isPresent(), time)),
                finalResponse);
    }

    /**
     * Returns the status message. If the response is a protocol error, adds its reason, because the proposal's status
     * only says that the call failed.
     */
    private static String statusMessage(
            ProposalView view, ProposalSnapshot proposalSnapshot, @Nullable RpcMessage finalResponse) {
        String proposalStatus = view.guidance().status();
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (fulfilment != null && isCancelled(fulfilment)) {
            return "approved by " + view.names().of(fulfilment.fulfilled().actor())
                    + " and cancelled while it was running; it may have run";
        }
        if (!(finalResponse instanceof RpcMessage.ErrorResponse errorResponse) || fulfilment == null) {
            return proposalStatus;
        }
        String reason = errorResponse.message();
        return proposalStatus + "; error: "
                + (reason.length() <= MAX_REASON_LENGTH ? reason : reason.substring(0, MAX_REASON_LENGTH) + "…");
    }

    /**
     * Returns the retention. An open proposal is stored until it ends: at its expiry at the latest, or when its
     * response has arrived.
     */
    private static Duration retention(ProposalView view, boolean ended, Duration time) {
        Instant last = view.timeline().getLast().at();
        Instant end = ended || last.isAfter(view.expiresAt()) ? last : view.expiresAt();
        return Duration.between(view.timeline().getFirst().at(), end).plus(time);
    }

    private static Status status(ProposalSnapshot proposalSnapshot, Optional<RpcMessage> finalResponse) {
        if (finalResponse.isEmpty()) {
            return Status.WORKING;
        }
        if (proposalSnapshot.state() == ProposalState.WITHDRAWN) {
            return Status.CANCELLED;
        }
        if (proposalSnapshot.fulfilment() != null && isCancelled(proposalSnapshot.fulfilment())) {
            return Status.CANCELLED;
        }
        return finalResponse.get() instanceof RpcMessage.ErrorResponse ? Status.FAILED : Status.COMPLETED;
    }

    /** Whether the call was cancelled while it ran. A task that was cancelled stays so, even if an answer follows. */
    private static boolean isCancelled(Fulfilment fulfilment) {
        return fulfilment.unknownReason() == OutcomeUnknown.Reason.CANCELLED;
    }

    /**
     * Returns the poll interval. It grows with the waiting time for a decision, since people take time; an approved
     * call ends soon.
     */
    private static Duration pollInterval(ProposalSnapshot proposalSnapshot, Instant created, Instant now) {
        if (proposalSnapshot.state() != ProposalState.OPEN) {
            return EXECUTING_POLL;
        }
        Duration interval = Duration.between(created, now).dividedBy(10);
        return interval.compareTo(MIN_POLL) < 0 ? MIN_POLL : interval.compareTo(MAX_POLL) > 0 ? MAX_POLL : interval;
    }

    /** Whether this state is newer than the last one sent; {@code null} if none was sent. */
    boolean isNewerThan(@Nullable ProposalTask lastSent) {
        return lastSent == null
                || updatedAt.isAfter(lastSent.updatedAt)
                || (updatedAt.equals(lastSent.updatedAt)
                        && (status != lastSent.status || !statusMessage.equals(lastSent.statusMessage)));
    }

    /** Writes the task without its result. */
    void writeStatus(JsonGenerator json) {
        json.writeStringProperty("taskId", id);
        json.writeStringProperty("status", status.wireName);
        json.writeStringProperty("statusMessage", statusMessage);
        json.writeStringProperty("createdAt", createdAt.toString());
        json.writeStringProperty("lastUpdatedAt", updatedAt.toString());
        retention.ifPresentOrElse(
                time -> json.writeNumberProperty("ttlMs", time.toMillis()), () -> json.writeNullProperty("ttlMs"));
        json.writeNumberProperty("pollIntervalMs", pollInterval.toMillis());
    }

    /** Writes the task with its result. */
    void write(JsonGenerator json) {
        writeStatus(json);
        finalResponse.ifPresent(message -> {
            switch (message) {
                case RpcMessage.ResultResponse response
                when status == Status.COMPLETED -> {
                    json.writeName("result");
                    json.writeRawValue(StatelessResultFormatter.withResultType(response.result()));
                }
                case RpcMessage.ErrorResponse errorResponse
                when status == Status.FAILED -> {
                    json.writeName("error");
                    json.writeRawValue(StatelessResultFormatter.permittedError(errorResponse));
                }
                default -> {}
            }
        });
    }
}
