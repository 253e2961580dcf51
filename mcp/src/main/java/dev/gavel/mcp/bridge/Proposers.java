package dev.gavel.mcp.bridge;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Who made the proposals that went by, the last some thousands. Thread-safe. */
final class Proposers {
    private static final int MOST = 10_000;

    private final Map<String, String> proposers = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    /** The first counts: an id that is used again by somebody else changes nothing. */
    synchronized void note(String proposal, String proposer) {
        proposers.putIfAbsent(proposal, proposer);
    }

    synchronized Optional<String> of(String proposal) {
        return Optional.ofNullable(proposers.get(proposal));
    }
}
