package dev.gavel.gateway.proposal;

import org.jspecify.annotations.Nullable;

/**
 * A proposal event that was decided but is not yet appended to the ledger, with the id of its proposal.
 *
 * @param subject the proposal's id
 */
public record NewProposalEvent(String subject, ProposalEvent event) {
    /** The word it is kept under. */
    public String type() {
        return event.type();
    }

    /** Who did it. */
    public String actor() {
        return event.by();
    }

    /** The envelope that caused it, if one did. */
    public @Nullable String reference() {
        return event.reference();
    }

    /** The JSON that is kept. */
    public byte[] body() {
        return ProposalEventCodec.encode(event);
    }
}
