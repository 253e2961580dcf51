package dev.gavel.gateway.topic;

import dev.gavel.gateway.routing.AddressedEnvelope;
import dev.gavel.gateway.store.SenderOrderBarrier;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds the envelopes of one sender while the arguments of an earlier one are checked, so that they are stored in the
 * order in which they were sent. Confined to the topic's loop.
 */
final class HeldEnvelopeQueue {
    private final SenderOrderBarrier barrier = new SenderOrderBarrier();
    private SortedMap<Long, AddressedEnvelope> held = new TreeMap<>();
    private boolean checking;

    /**
     * Returns an envelope's position, which the store observes.
     *
     * @param number its number in the order of arrival
     */
    SenderOrderBarrier.Position positionOf(long number) {
        return barrier.at(number);
    }

    /** Whether the arguments of an envelope are being checked. */
    boolean isChecking() {
        return checking;
    }

    void startCheck() {
        checking = true;
    }

    /**
     * Holds an envelope until the check has finished.
     *
     * @param number its number in the order of arrival
     */
    void hold(long number, AddressedEnvelope envelope) {
        held.put(number, envelope);
    }

    /** Ends the check and returns the envelopes that can be submitted now, by their numbers. */
    SortedMap<Long, AddressedEnvelope> finishCheck() {
        checking = false;
        SortedMap<Long, AddressedEnvelope> released = held;
        held = new TreeMap<>();
        return released;
    }
}
