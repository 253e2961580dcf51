package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.Nullable;

/**
 * Tells a caller to repeat its pending call later, after recording in the ledger that the caller will do so. Confined
 * to the topic's loop.
 */
final class CallAgainResponseSender {
    private final TopicCalls topicCalls;
    private final FacadeCaller facadeCaller;
    private final String proposal;

    /** Null if there is no response to send. */
    private @Nullable Runnable sendAction;

    CallAgainResponseSender(TopicCalls topicCalls, FacadeCaller caller, String proposal) {
        this.topicCalls = topicCalls;
        this.facadeCaller = caller;
        this.proposal = proposal;
    }

    /** Records in the ledger that the caller will call again, and then sends the response. */
    void recordThenSend(Runnable action) {
        sendAction = action;
        topicCalls
                .proposalFollowUpSender()
                .recordNote(facadeCaller, proposal, CallerStatusNote.WILL_CALL_AGAIN, this::sendNow);
    }

    /** Sends the response now, if it was not sent yet. */
    void sendNow() {
        Runnable action = sendAction;
        sendAction = null;
        if (action != null) {
            action.run();
        }
    }
}
