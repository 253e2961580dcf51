package dev.gavel.gateway.publication;

import dev.gavel.gateway.store.ProposalEventMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Detects bus envelopes that arrive too late, because a later event of the same sender was already published from the
 * ledger. What the same sender sent before them may still be on its way over the bus; it comes too late then, since
 * everybody's order is to be kept. Confined to the topic's loop.
 */
final class LateEnvelopeDetector {
    private static final int MAX_SENDERS = 10_000;

    /** By then a process has spoken up, or its connection to the bus was ended, and nothing comes of it any more. */
    private static final long EXPIRY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Map<String, UnannouncedEvent> lastUnannounced = new HashMap<>();

    private record UnannouncedEvent(long seq, long nanos) {}

    /** Takes note of what is being told beyond what was said. */
    void add(List<ProposalEventMessage> messages, long saidUpTo) {
        for (ProposalEventMessage message : messages) {
            if (message instanceof ProposalEventMessage.EnvelopeMessage(long seq, var routedEnvelope)
                    && seq > saidUpTo
                    && lastUnannounced.size() < MAX_SENDERS) {
                lastUnannounced.put(
                        routedEnvelope.storedEnvelope().from(), new UnannouncedEvent(seq, System.nanoTime()));
            }
        }
    }

    /** Whoever wrote these has said so: what they sent before has come. */
    void removeAnnounced(long first, long last) {
        if (!lastUnannounced.isEmpty()) {
            lastUnannounced.values().removeIf(each -> each.seq() >= first && each.seq() <= last);
        }
    }

    boolean isLate(String from, long after) {
        UnannouncedEvent last = lastUnannounced.get(from);
        if (last == null) {
            return false;
        }
        if (System.nanoTime() - last.nanos() > EXPIRY_NANOS) {
            lastUnannounced.remove(from);
            return false;
        }
        return after < last.seq();
    }
}
