package dev.gavel.gateway;

import dev.gavel.gateway.docket.Standing;
import java.util.ArrayList;
import java.util.List;

/** The proposals that are looked at in one turn of the ledger: not too many, and not too large together. */
final class Turn {
    private static final int MOST = 200;
    private static final long MOST_BYTES = 8L << 20;

    private final List<Standing> proposals = new ArrayList<>();
    private long bytes;

    boolean isFull() {
        return proposals.size() == MOST || bytes >= MOST_BYTES;
    }

    void add(Standing standing) {
        proposals.add(standing);
        bytes += standing.bytes();
    }

    List<Standing> proposals() {
        return proposals;
    }
}
