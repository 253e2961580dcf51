package dev.gavel.gateway;

import dev.gavel.mcpx.Payload;
import java.util.List;

/**
 * What waits on a newcomer.
 *
 * @param proposals the open ones that they made or could decide, as {@code GET /proposals} shows them
 * @param more how many there are besides
 * @param seq the ledger's last seq that this takes into account
 */
record Waiting(List<Payload> proposals, int more, long seq) {
    static final Waiting NOTHING = new Waiting(List.of(), 0, 0);

    Waiting {
        proposals = List.copyOf(proposals);
    }
}
