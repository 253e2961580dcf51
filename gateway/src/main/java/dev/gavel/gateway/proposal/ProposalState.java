package dev.gavel.gateway.proposal;

import java.util.Locale;

/** How a proposal stands: open, or ended in one of four ways. */
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
