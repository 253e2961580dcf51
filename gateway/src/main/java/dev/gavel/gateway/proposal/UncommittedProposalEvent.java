package dev.gavel.gateway.proposal;

import org.jspecify.annotations.Nullable;

/**
 * A proposal event that was decided but is not yet appended to the ledger, with the id of its proposal.
 *
 * @param subject the proposal's id
 */
public record UncommittedProposalEvent(String subject, ProposalEvent event) {
    /** The event type under which it is stored. */
    public String type() {
        return event.type();
    }

    /** The member that caused it, or the gateway. */
    public String actor() {
        return event.actor();
    }

    /** The id of the envelope that caused it, if there is one. */
    public @Nullable String reference() {
        return event.envelopeId();
    }

    /** The JSON body that is stored. */
    public byte[] body() {
        return ProposalEventCodec.encode(event);
    }
}
