package dev.gavel.gateway.topic;

import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.store.SenderOrder;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds the envelopes of one sender while the arguments of an earlier one are checked, so that they are stored in the
 * order in which they were sent. Confined to the topic's loop.
 */
final class SenderCheckQueue {
    private final SenderOrder order = new SenderOrder();
    private SortedMap<Long, AddressedEnvelope> held = new TreeMap<>();
    private int checks;

    /** The order that the store observes. */
    SenderOrder order() {
        return order;
    }

    /** Whether the arguments of an envelope are being checked. */
    boolean isChecking() {
        return checks > 0;
    }

    /** Starts a check. If the sender sends the same envelope twice, there can be two. */
    void startCheck() {
        checks++;
    }

    /**
     * Holds an envelope until the check has finished.
     *
     * @param number its number in the order of arrival
     */
    void hold(long number, AddressedEnvelope envelope) {
        held.put(number, envelope);
    }

    /** Ends a check and returns the envelopes that can be submitted now, by their numbers. */
    SortedMap<Long, AddressedEnvelope> finishCheck() {
        checks--;
        if (isChecking()) {
            return Collections.emptySortedMap();
        }
        order.release();
        SortedMap<Long, AddressedEnvelope> released = held;
        held = new TreeMap<>();
        return released;
    }
}
