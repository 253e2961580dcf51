package dev.gavel.gateway.proposal;

import java.util.Locale;

/** The state of a proposal: open, fulfilled, rejected, withdrawn or expired. */
public enum ProposalState {
    OPEN,
    FULFILLED,
    REJECTED,
    WITHDRAWN,
    EXPIRED;

    /** The word that people and programs read. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
