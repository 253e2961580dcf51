package dev.gavel.mcp.facade.stateless;

import dev.gavel.gateway.proposal.Fulfilment;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.facade.call.CallResult;
import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A proposal represented as an MCP task, with its status, poll interval, retention and final response. Immutable.
 *
 * @param statusMessage how it stands, for a person
 * @param retention how long it can be asked for, from its creation on; for ever where nothing is said
 * @param finalResponse what the call itself would have been answered, where it is over
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

    /** How it stands, in the protocol's words. */
    enum Status {
        WORKING("working"),
        COMPLETED("completed"),
        FAILED("failed"),
        CANCELLED("cancelled");

        private final String wireName;

        Status(String word) {
            this.wireName = word;
        }
    }

    /** The task of a proposal at a moment. */
    static ProposalTask of(ProposalView view, Instant now, Optional<Duration> kept) {
        // One whose time is over counts as expired before the ledger says so: nobody can decide it any more.
        ProposalSnapshot proposalSnapshot = ProposalSnapshot.of(view.timeline()).asOf(now);
        Instant created = view.timeline().getFirst().at();
        Instant updated = view.timeline().getLast().at();
        CallTarget target = new CallTarget(
                "", String.valueOf(view.kind().method()), view.kind().context());
        Optional<RpcMessage> answer = CallResult.of(proposalSnapshot)
                .map(callResult -> CallResponseFactory.result("null", target, view.id(), callResult));
        String words = statusMessage(view, proposalSnapshot, answer.orElse(null));
        return new ProposalTask(
                view.id(),
                status(proposalSnapshot, answer),
                words,
                created,
                updated,
                pollInterval(proposalSnapshot, created, now),
                kept.map(time -> retention(view, answer.isPresent(), time)),
                answer);
    }

    /** Where the protocol itself reports a failure, how the proposal stands says no more than that there was one. */
    private static String statusMessage(
            ProposalView view, ProposalSnapshot proposalSnapshot, @Nullable RpcMessage answer) {
        String standing = view.guidance().status();
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (!(answer instanceof RpcMessage.ErrorResponse errorResponse) || fulfilment == null) {
            return standing;
        }
        if (errorResponse.code() == RpcErrorCode.CANCELLED.code()) {
            return "approved by " + fulfilment.request().by() + ", and called off while it ran";
        }
        String why = errorResponse.message();
        return standing + ": " + (why.length() <= MAX_REASON_LENGTH ? why : why.substring(0, MAX_REASON_LENGTH) + "…");
    }

    /** An open proposal is kept until it ends, which it does at its expiry at the latest, or when its answer has come. */
    private static Duration retention(ProposalView view, boolean over, Duration time) {
        Instant last = view.timeline().getLast().at();
        Instant end = over || last.isAfter(view.expiresAt()) ? last : view.expiresAt();
        return Duration.between(view.timeline().getFirst().at(), end).plus(time);
    }

    private static Status status(ProposalSnapshot proposalSnapshot, Optional<RpcMessage> answer) {
        if (answer.isEmpty()) {
            return Status.WORKING;
        }
        if (proposalSnapshot.state() == ProposalState.WITHDRAWN) {
            return Status.CANCELLED;
        }
        return switch (answer.get()) {
            case RpcMessage.ErrorResponse errorResponse
            when errorResponse.code() == RpcErrorCode.CANCELLED.code() -> Status.CANCELLED;
            case RpcMessage.ErrorResponse _ -> Status.FAILED;
            default -> Status.COMPLETED;
        };
    }

    /** People take their time, and the longer the more; what is approved is done soon. */
    private static Duration pollInterval(ProposalSnapshot proposalSnapshot, Instant created, Instant now) {
        if (proposalSnapshot.state() != ProposalState.OPEN) {
            return EXECUTING_POLL;
        }
        Duration tenth = Duration.between(created, now).dividedBy(10);
        return tenth.compareTo(MIN_POLL) < 0 ? MIN_POLL : tenth.compareTo(MAX_POLL) > 0 ? MAX_POLL : tenth;
    }

    /** Whether it says more than this did; nothing was said where that is null. */
    boolean isNewerThan(@Nullable ProposalTask before) {
        return before == null
                || updatedAt.isAfter(before.updatedAt)
                || (updatedAt.equals(before.updatedAt)
                        && (status != before.status || !statusMessage.equals(before.statusMessage)));
    }

    /** Writes it, without what came of it. */
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

    /** Writes it, with what came of it. */
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
