package dev.gavel.gateway.docket;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.ledger.Event;

/**
 * An event in its place in the ledger.
 *
 * @param proposer who made the proposal it happened to
 */
record Recorded(Event kept, String proposer, ProposalEvent event) {
    long seq() {
        return kept.seq();
    }

    long bytes() {
        return kept.body().length();
    }

    String proposal() {
        return kept.subject();
    }
}
