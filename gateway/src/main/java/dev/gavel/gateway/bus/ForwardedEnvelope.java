package dev.gavel.gateway.bus;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A member's envelope that one gateway process forwards to the others that serve the topic; envelopes about proposals
 * go through the ledger instead. Immutable, provided that callers do not modify the array.
 *
 * @param afterSeq the topic's last seq that the sender may have seen: every receiver is sent all events up to it first
 * @param from the sender
 * @param receivedAt when the gateway received it
 * @param to the resolved recipients; empty for all participants
 * @param rewritesTo whether {@code to} has to be rewritten, because its entries do not name members by id
 * @param forAllProcesses whether every process needs it, whether or not it has receivers in the topic: responses to the
 *     gateway, and descriptions of what a member offers
 * @param envelope the bytes as sent
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ForwardedEnvelope(
        long afterSeq,
        String from,
        Instant receivedAt,
        Optional<List<String>> to,
        boolean rewritesTo,
        boolean forAllProcesses,
        byte[] envelope) {
    public ForwardedEnvelope {
        to = to.map(List::copyOf);
    }
}
