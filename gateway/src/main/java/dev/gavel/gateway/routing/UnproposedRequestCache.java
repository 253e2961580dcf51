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
        addDirectOrLedger(envelope, from);
    }

    private void addDirectOrLedger(Envelope envelope, String from) {
        if (envelope.category() == KindCategory.REQUEST) {
            requesters.putIfAbsent(envelope.id(), from);
            evictOldest();
        }
    }

    /**
     * Records a request that goes through the ledger, so that a later direct request with the same id is refused. Changes
     * nothing if a direct request has the id: the ledger request is refused then.
     */
    public void addLedgerRequest(Envelope envelope) {
        addDirectOrLedger(envelope, FULFILS_PROPOSAL);
    }

    /** Records a request that fulfils a proposal and that another process has accepted. */
    public void addRemoteFulfilment(Envelope envelope) {
        requesters.remove(envelope.id());
        addLedgerRequest(envelope);
    }

    /** Whether a direct request has this id. */
    public boolean isDirectRequest(String id) {
        String requester = requesters.get(id);
        return requester != null && !requester.equals(FULFILS_PROPOSAL);
    }

    /** Whether a request that goes through the ledger has this id. */
    public boolean isLedgerRequest(String id) {
        return FULFILS_PROPOSAL.equals(requesters.get(id));
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
