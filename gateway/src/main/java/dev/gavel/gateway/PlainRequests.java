package dev.gavel.gateway;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.KindRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The requests sent lately that fulfil no proposal, so that answers to them need not ask the ledger. An answer counts only
 * where it goes to the requester alone: nobody can draw somebody else's answers past the ledger by using their ids.
 * Confined to the topic's loop.
 */
final class PlainRequests {
    private static final int MOST = 10_000;

    /** Stands for a request that may fulfil a proposal; no member is called so. */
    private static final String FULFILS = "";

    /** Who sent it, by the request's id; the oldest are forgotten, and their answers ask the ledger. */
    private final Map<String, String> requesters = new LinkedHashMap<>();

    /** Takes note of an envelope that goes past the ledger. */
    void note(Envelope envelope, String from) {
        if (envelope.rule() == KindRule.REQUEST) {
            requesters.putIfAbsent(envelope.id(), from);
            forgetTheOldest();
        }
    }

    /** Takes note of an envelope that the ledger is asked about: a later one under its id must not hide its answer. */
    void noteSlow(Envelope envelope) {
        if (envelope.rule() == KindRule.REQUEST) {
            requesters.put(envelope.id(), FULFILS);
            forgetTheOldest();
        }
    }

    private void forgetTheOldest() {
        if (requesters.size() > MOST) {
            requesters.remove(requesters.keySet().iterator().next());
        }
    }

    /** Whether an envelope answers one of them. */
    boolean areAnsweredBy(Envelope envelope) {
        if (envelope.rule() != KindRule.RESPONSE) {
            return false;
        }
        String requester = requesters.get(envelope.correlationIds().getFirst());
        return requester != null && envelope.to().equals(List.of(requester));
    }
}
