package dev.gavel.gateway;

import dev.gavel.gateway.docket.Archive;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what waits on somebody who comes, as much as fits into a welcome.
 *
 * @param concern the proposals that wait, as the topic knew them at the seq
 */
record Welcoming(Archive archive, Watch.Concern concern, Archive.Onlooker newcomer, long seq) {
    private static final Logger log = LoggerFactory.getLogger(Welcoming.class);

    /** No more proposals than these are in a welcome; the rest can be asked for. */
    static final int MOST = 100;

    private static final int MOST_BYTES = 256 * 1024;

    boolean nothing() {
        return concern.count() == 0;
    }

    Waiting waiting() {
        List<Payload> proposals = new ArrayList<>();
        int bytes = 0;
        int over = 0;
        try {
            for (String id : concern.ids()) {
                Optional<ProposalView> view = archive.view(id, newcomer);
                if (view.isEmpty() || view.get().state() != ProposalState.OPEN) {
                    over++;
                    continue;
                }
                byte[] json = view.get().toJson();
                bytes += json.length;
                if (bytes > MOST_BYTES && !proposals.isEmpty()) {
                    break;
                }
                proposals.add(Payload.of(json));
            }
        } catch (RuntimeException e) {
            // Better welcomed with less than left waiting; what is missing is counted as more.
            log.atWarn()
                    .addKeyValue("identity", newcomer.member())
                    .log("what waits on {} could not be read: {}", newcomer.member(), e.toString());
        }
        return new Waiting(proposals, concern.count() - over - proposals.size(), seq);
    }
}
