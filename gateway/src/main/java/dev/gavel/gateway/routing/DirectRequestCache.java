package dev.gavel.gateway.routing;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindCategory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers recent requests that fulfil no proposal, so that responses to them need no ledger lookup. An answer counts
 * only where it goes to the requester alone: nobody can draw somebody else's answers past the ledger by using their
 * ids. Confined to the topic's loop.
 */
public final class DirectRequestCache {
    private static final int MAX_REQUESTS = 10_000;

    /** Stands for a request that may fulfil a proposal; no member is called so. */
    private static final String FULFILS_PROPOSAL = "";

    /** Who sent it, by the request's id; the oldest are forgotten, and their answers ask the ledger. */
    private final Map<String, String> requesters = new LinkedHashMap<>();

    /** Takes note of an envelope that goes past the ledger. */
    public void addDirect(Envelope envelope, String from) {
        if (envelope.category() == KindCategory.REQUEST) {
            requesters.putIfAbsent(envelope.id(), from);
            evictOldest();
        }
    }

    /** Takes note of an envelope that the ledger is asked about: a later one under its id must not hide its answer. */
    public void addFulfilling(Envelope envelope) {
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

    /** Whether an envelope answers one of them. */
    public boolean isAnsweredBy(Envelope envelope) {
        if (envelope.category() != KindCategory.RESPONSE) {
            return false;
        }
        String requester = requesters.get(envelope.correlationIds().getFirst());
        return requester != null && envelope.to().equals(List.of(requester));
    }
}
