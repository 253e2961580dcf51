package dev.gavel.gateway.topic;

import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.store.ProposalReader;
import dev.gavel.mcpx.RawPayload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the open proposals that concern a newly connected member, as many as fit into its welcome message.
 *
 * @param concerned the proposals that concern the member, as the topic knew them at the seq
 */
record WelcomeProposalReader(
        ProposalReader reader,
        PendingProposalIndex.ConcernedProposals concerned,
        ProposalReader.Viewer viewer,
        long seq) {
    private static final Logger log = LoggerFactory.getLogger(WelcomeProposalReader.class);

    /** The number of proposals in a welcome message; the client can list the others. */
    static final int MAX_PROPOSALS = 100;

    private static final int MAX_BYTES = 256 * 1024;

    boolean isEmpty() {
        return concerned.count() == 0;
    }

    WelcomeProposalList read() {
        List<RawPayload> proposals = new ArrayList<>();
        int bytes = 0;
        int closedCount = 0;
        try {
            for (String id : concerned.ids()) {
                Optional<ProposalView> view = reader.view(id, viewer);
                if (view.isEmpty() || view.get().state() != ProposalState.OPEN) {
                    closedCount++;
                    continue;
                }
                byte[] json = view.get().toJson();
                bytes += json.length;
                if (bytes > MAX_BYTES && !proposals.isEmpty()) {
                    break;
                }
                proposals.add(RawPayload.of(json));
            }
        } catch (RuntimeException e) {
            // A welcome with fewer proposals is better than no welcome; the missing ones are counted as more.
            log.atWarn()
                    .addKeyValue("identity", viewer.member())
                    .log("The proposals that wait for {} cannot be read: {}", viewer.member(), e.toString());
        }
        return new WelcomeProposalList(proposals, concerned.count() - closedCount - proposals.size(), seq);
    }
}
