package dev.gavel.gateway.routing;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers recent requests that members sent without a proposal, so that responses to them need no ledger lookup. A
 * response qualifies only if it is addressed to the requester alone: a member cannot make another member's responses
 * bypass the ledger by reusing their ids. Confined to the topic's loop.
 */
public final class UnproposedRequestCache {
    private static final int MAX_REQUESTS = 10_000;

    /** Marks a request that may fulfil a proposal; no member has this id. */
    private static final String FULFILS_PROPOSAL = "";

    /** Requesters by request id. The oldest are evicted, and responses to them are looked up in the ledger. */
    private final Map<String, String> requesters = new LinkedHashMap<>();

    /** Records an envelope that bypasses the ledger. */
    public void addDirect(Envelope envelope, String from) {
        if (envelope.category() == KindCategory.REQUEST) {
            requesters.putIfAbsent(envelope.id(), from);
            evictOldest();
        }
    }

    /**
     * Records a request that goes through the ledger, so that a later direct request with the same id does not make its
     * response bypass the ledger.
     */
    public void addLedgerRequest(Envelope envelope) {
        if (envelope.category() == KindCategory.REQUEST) {
            requesters.put(envelope.id(), FULFILS_PROPOSAL);
            evictOldest();
        }
    }

    private void evictOldest() {
        if (requesters.size() > MAX_REQUESTS) {
            requesters.remove(requesters.keySet().iterator().next());
        }
    }

    /** Whether an envelope responds to one of the recorded direct requests. */
    public boolean isResponseToDirectRequest(Envelope envelope) {
        if (envelope.category() != KindCategory.RESPONSE) {
            return false;
        }
        String requester = requesters.get(envelope.correlationIds().getFirst());
        return requester != null && envelope.to().equals(List.of(requester));
    }
}
