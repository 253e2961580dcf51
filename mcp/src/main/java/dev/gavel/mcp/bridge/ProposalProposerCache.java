package dev.gavel.mcp.bridge;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers who made each recent proposal, so that the bridge lets that participant cancel the approved call.
 * Thread-safe.
 */
final class ProposalProposerCache {
    private static final int MAX_PROPOSALS = 10_000;

    private final Map<String, String> proposers = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX_PROPOSALS;
        }
    };

    /** Records a proposer. The first one counts: another participant that uses the same id again changes nothing. */
    synchronized void record(String proposal, String proposer) {
        proposers.putIfAbsent(proposal, proposer);
    }

    synchronized Optional<String> find(String proposal) {
        return Optional.ofNullable(proposers.get(proposal));
    }
}
