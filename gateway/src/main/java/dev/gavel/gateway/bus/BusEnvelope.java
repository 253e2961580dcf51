package dev.gavel.gateway.bus;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An envelope that concerns no proposal, as sent to the other processes of a topic. Immutable, as long as nobody
 * changes the array within.
 *
 * @param afterSeq the topic's last seq that its sender may have seen: whoever gets this is told everything up to there first
 * @param from who sent it
 * @param receivedAt when it arrived
 * @param to whom it is for, every entry looked up; empty for everybody
 * @param resolved whether {@code to} has to be written anew, since the envelope names nobody by name
 * @param forAllProcesses whether every process wants to hear it, whoever is there: answers to the gateway, and words of what
 *     somebody offers
 * @param envelope as it was sent
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BusEnvelope(
        long afterSeq,
        String from,
        Instant receivedAt,
        Optional<List<String>> to,
        boolean resolved,
        boolean forAllProcesses,
        byte[] envelope) {
    public BusEnvelope {
        to = to.map(List::copyOf);
    }
}
