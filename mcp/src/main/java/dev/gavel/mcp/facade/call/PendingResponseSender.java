package dev.gavel.mcp.facade.call;

import org.jspecify.annotations.Nullable;

/**
 * Sends a caller the pending response, after the ledger has recorded that the caller will repeat the call to get its
 * result. Confined to the topic's loop.
 */
final class PendingResponseSender {
    private final TopicCalls topicCalls;
    private final FacadeCaller facadeCaller;
    private final String proposal;

    /** Null where nobody is to be told anything. */
    private @Nullable Runnable sendAction;

    PendingResponseSender(TopicCalls room, FacadeCaller caller, String proposal) {
        this.topicCalls = room;
        this.facadeCaller = caller;
        this.proposal = proposal;
    }

    /** Has it kept that the caller will call again, and then says so. */
    void recordThenSend(Runnable then) {
        sendAction = then;
        topicCalls
                .proposalMessages()
                .recordNote(facadeCaller, proposal, PendingCallNote.WILL_CALL_AGAIN, this::sendNow);
    }

    /** Says so now, where that is still to be said. */
    void sendNow() {
        Runnable then = sendAction;
        sendAction = null;
        if (then != null) {
            then.run();
        }
    }
}
