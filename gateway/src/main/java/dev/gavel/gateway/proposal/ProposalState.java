package dev.gavel.gateway.proposal;

import java.util.Locale;

/** The state of a proposal: open, fulfilled (a reviewer sent the proposed call), rejected, withdrawn or expired. */
public enum ProposalState {
    OPEN,
    FULFILLED,
    REJECTED,
    WITHDRAWN,
    EXPIRED;

    /** The name in output for people and programs. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
