package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which participants run a call and the id of the request sent to them, so that the call can be cancelled.
 * Confined to the topic's loop.
 */
final class CallRunners {
    private final TopicCalls topicCalls;
    private final FacadeCaller facadeCaller;
    private List<String> runners;
    private @Nullable String requestId;

    /**
     * Creates the state of a call that has not started or has just started.
     *
     * @param request null if the call is not approved yet
     */
    CallRunners(TopicCalls topicCalls, FacadeCaller caller, String runner, @Nullable String request) {
        this.topicCalls = topicCalls;
        this.facadeCaller = caller;
        this.runners = List.of(runner);
        this.requestId = request;
    }

    void onStarted(Fulfilled fulfilled) {
        requestId = fulfilled.storedEnvelope().id();
        runners = fulfilled.storedEnvelope().to();
    }

    boolean isStarted() {
        return requestId != null;
    }

    boolean isRunBy(String participant) {
        return runners.contains(participant);
    }

    /** Returns the first participant that runs the call, quoted for a message. */
    String quotedRunner() {
        return "'" + runners.getFirst() + "'";
    }

    /** Cancels the call at the participants that run it. */
    void cancel(String reason) {
        if (requestId != null) {
            topicCalls.proposalFollowUpSender().cancelExecution(facadeCaller, requestId, runners, reason);
        }
    }
}
