package dev.gavel.gateway.publication;

import dev.gavel.gateway.store.OutgoingProposalMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Detects bus envelopes that arrive too late to deliver, because a later event of the same sender is already published
 * from the ledger. An envelope that the sender sent before that event may still arrive over the bus. Delivering it
 * would break the sender's order. Confined to the topic's loop.
 */
final class OutOfOrderEnvelopeDetector {
    private static final int MAX_SENDERS = 10_000;

    /**
     * After this time the writing process has announced its write, or its bus connection was closed, so that no earlier
     * envelope can arrive from it.
     */
    private static final long EXPIRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<String, UnannouncedEvent> unannouncedBySender = new HashMap<>();

    private record UnannouncedEvent(long seq, long publishedNanos) {}

    /** Records the senders of events that are being published beyond the announced seq. */
    void add(List<OutgoingProposalMessage> messages, long announcedUpTo) {
        for (OutgoingProposalMessage message : messages) {
            if (message instanceof OutgoingProposalMessage.EnvelopeMessage(long seq, var routedEnvelope, var _, var _)
                    && seq > announcedUpTo
                    && unannouncedBySender.size() < MAX_SENDERS) {
                unannouncedBySender.put(
                        routedEnvelope.storedEnvelope().from(), new UnannouncedEvent(seq, System.nanoTime()));
            }
        }
    }

    /** Forgets events whose writing process has announced them: its earlier envelopes have arrived. */
    void removeAnnounced(long first, long last) {
        if (!unannouncedBySender.isEmpty()) {
            unannouncedBySender.values().removeIf(each -> each.seq() >= first && each.seq() <= last);
        }
    }

    boolean isOutOfOrder(String from, long after) {
        UnannouncedEvent last = unannouncedBySender.get(from);
        if (last == null) {
            return false;
        }
        if (System.nanoTime() - last.publishedNanos() > EXPIRY_NANOS) {
            unannouncedBySender.remove(from);
            return false;
        }
        return after < last.seq();
    }
}
