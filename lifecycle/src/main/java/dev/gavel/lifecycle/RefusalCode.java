package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import java.util.Locale;

/** The stable codes with which the lifecycle engine refuses a command. */
public enum RefusalCode {
    /** The proposal is not submitted yet, or is submitted already. */
    WRONG_TIME,
    /** The proposal is in an end state. */
    ENDED,
    /** The proposal is in a settled state, or is voted on or was decided with its current attributes. */
    SETTLED,
    /** The process has no state of that name. */
    UNKNOWN_STATE,
    /** The process has no role of that name. */
    UNKNOWN_ROLE,
    /** No move leads from the current state to the requested one. */
    NO_SUCH_MOVE,
    /** The actor lacks the role for this command. */
    NOT_ALLOWED,
    /** A requirement is not met. */
    MISSING,
    /** The decision is on hold, or the command requires a hold that does not exist. */
    HOLD,
    /** A piece of evidence is not acceptable. */
    BAD_EVIDENCE,
    /** An attribute is unknown or has a value that is not allowed. */
    BAD_ATTRIBUTE,
    /** The role is held already, is not held by the actor, or cannot be taken or transferred in this way. */
    ROLE,
    /** The current state has no vote. */
    NO_VOTE,
    /** No clock makes this action due now. */
    NOT_DUE;

    /** Returns the code that a {@link LifecycleRefusal} carries. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    LifecycleCommandResult<LifecycleEvent> refuse(String message) {
        return LifecycleCommandResult.refused(LifecycleRefusal.of(code(), message));
    }
}
