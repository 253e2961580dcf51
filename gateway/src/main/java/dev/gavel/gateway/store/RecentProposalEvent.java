package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.mcpx.Kind;
import java.util.Optional;

/**
 * A recent event of a topic's ledger with its seq, proposal and proposed call. Immutable.
 *
 * @param call the proposed call; empty if it is no longer retained, or if the read limit was reached
 * @param names the names by which a text for the reader calls the members
 */
public record RecentProposalEvent(
        long seq, String proposal, Optional<Kind> call, ProposalTimelineEntry entry, MemberNames names) {
    RecentProposalEvent withNames(MemberNames memberNames) {
        return new RecentProposalEvent(seq, proposal, call, entry, memberNames);
    }
}
