package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.proposal.CallerStatusNote;
import java.util.ArrayList;
import java.util.List;

/**
 * Records once in the ledger that the caller of a proposal will call again, and then runs the actions that must not
 * happen before, such as telling the caller so. Confined to the topic's loop.
 */
final class CallAgainNoteRecorder {
    private final TopicCalls topicCalls;
    private final FacadeCaller facadeCaller;
    private final String proposal;
    private final List<Runnable> waitingActions = new ArrayList<>();
    private boolean started;
    private boolean done;

    CallAgainNoteRecorder(TopicCalls topicCalls, FacadeCaller caller, String proposal) {
        this.topicCalls = topicCalls;
        this.facadeCaller = caller;
        this.proposal = proposal;
    }

    /** Whether the caller was told, or is about to be told, to call again. */
    boolean isStarted() {
        return started;
    }

    /** Marks the note as recorded: the ledger already contains it. */
    void markRecorded() {
        started = true;
        done = true;
    }

    /** Records the note if necessary, and then runs the action. */
    void recordThen(Runnable action) {
        if (done) {
            action.run();
            return;
        }
        waitingActions.add(action);
        if (!started) {
            started = true;
            topicCalls
                    .proposalFollowUpSender()
                    .recordNote(facadeCaller, proposal, CallerStatusNote.WILL_CALL_AGAIN, this::finishNow);
        }
    }

    /** Runs the waiting actions now, whether or not the note is recorded. */
    void finishNow() {
        done |= started;
        List<Runnable> actions = List.copyOf(waitingActions);
        waitingActions.clear();
        actions.forEach(Runnable::run);
    }
}
