package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.ledger.LedgerEvent;

/**
 * A proposal event decoded from a ledger event, together with that ledger event and the name of the proposer.
 *
 * @param proposer the proposer of the event's proposal
 */
record RecordedProposalEvent(LedgerEvent ledgerEvent, String proposer, ProposalEvent event) {
    long seq() {
        return ledgerEvent.seq();
    }

    long bytes() {
        return ledgerEvent.body().length();
    }

    String proposal() {
        return ledgerEvent.subject();
    }
}
