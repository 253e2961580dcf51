package dev.gavel.gateway.proposal;

import java.util.Locale;

/** The outcome of a fulfilled proposal's call: pending, succeeded, failed or unknown. */
public enum FulfilmentOutcome {
    /** No answer yet. */
    PENDING,
    SUCCEEDED,
    FAILED,
    /** Whoever was to answer left, or took too long; an answer may still come. */
    UNKNOWN;

    /** The word that people and programs read. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
