package dev.gavel.lifecycle;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.lifecycle.result.LifecycleResult;
import java.util.Locale;

/** The stable codes with which the lifecycle engine refuses a command. */
public enum RefusalCode {
    /** There is no proposal yet, or there is one already. */
    WRONG_TIME,
    /** The proposal has come to an end. */
    ENDED,
    /** It is settled, or being decided, as it is. */
    SETTLED,
    /** No state is called that. */
    UNKNOWN_STATE,
    /** No role is called that. */
    UNKNOWN_ROLE,
    /** No move leads from this state to that. */
    NO_SUCH_MOVE,
    /** Somebody else may do this. */
    NOT_ALLOWED,
    /** Something is still needed. */
    MISSING,
    /** The decision is on hold, or it is not. */
    HOLD,
    /** A piece of evidence is not what it should be. */
    BAD_EVIDENCE,
    /** An attribute is not what it should be. */
    BAD_ATTRIBUTE,
    /** The role is held, or not held, or cannot change hands like this. */
    ROLE,
    /** There is no vote here. */
    NO_VOTE,
    /** No clock says so now. */
    NOT_DUE;

    /** The word that stands for it in a {@link LifecycleRefusal}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    LifecycleResult<LifecycleEvent> refuse(String message) {
        return LifecycleResult.refused(LifecycleRefusal.of(code(), message));
    }
}
