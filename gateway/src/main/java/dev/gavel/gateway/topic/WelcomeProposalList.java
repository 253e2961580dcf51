package dev.gavel.gateway.topic;

import dev.gavel.mcpx.RawPayload;
import java.util.List;

/**
 * The open proposals that a newly connected member made or could decide, as its welcome message lists them.
 *
 * @param proposals the open ones that the member made or could decide, as {@code GET /proposals} shows them
 * @param moreCount the number of further ones
 * @param seq the ledger's last seq that this takes into account
 */
record WelcomeProposalList(List<RawPayload> proposals, int moreCount, long seq) {
    static final WelcomeProposalList NONE = new WelcomeProposalList(List.of(), 0, 0);

    WelcomeProposalList {
        proposals = List.copyOf(proposals);
    }
}
