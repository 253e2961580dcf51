package dev.gavel.gateway.proposal;

import java.util.Locale;

/** The outcome of the call that a reviewer made for an approved proposal: pending, succeeded, failed or unknown. */
public enum FulfilmentOutcome {
    /** No answer yet. */
    PENDING,
    SUCCEEDED,
    FAILED,
    /** The addressee left, did not answer in time, or the call was cancelled; an answer may still arrive. */
    UNKNOWN;

    /** The name in output for people and programs. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
