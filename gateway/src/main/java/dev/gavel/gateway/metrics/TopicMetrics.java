package dev.gavel.gateway.metrics;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.ledger.metrics.Histogram;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.KindCategory;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of a topic's counters and gauges. Immutable.
 *
 * @param envelopeCount that came, by what became of them; those there were
 * @param deliveries envelopes handed to a receiver: one that goes to three counts three times
 * @param closed connections that were ended by this side
 * @param proposed proposals made
 * @param timeToDecision by end: how long proposals stood before they came to it
 * @param outcomes of fulfilled proposals; an unknown one may be followed by another
 * @param timeToAnswer by outcome: how long the answer took
 * @param gauges how it is there now; empty where its event loop has no time to say
 */
public record TopicMetrics(
        String topic,
        List<EnvelopeCount> envelopeCount,
        long deliveries,
        Map<ConnectionCloseReason, Long> closed,
        long proposed,
        Map<ProposalState, Histogram.Snapshot> timeToDecision,
        Map<FulfilmentOutcome, Long> outcomes,
        Map<FulfilmentOutcome, Histogram.Snapshot> timeToAnswer,
        Optional<Gauges> gauges) {
    public TopicMetrics {
        envelopeCount = List.copyOf(envelopeCount);
        closed = Map.copyOf(closed);
        timeToDecision = Map.copyOf(timeToDecision);
        outcomes = Map.copyOf(outcomes);
        timeToAnswer = Map.copyOf(timeToAnswer);
    }

    /**
     * So many envelopes of a kind met the same fate.
     *
     * @param refusal why they were refused; empty for those that were admitted
     */
    public record EnvelopeCount(KindCategory kind, Optional<EnvelopeErrorCode> refusal, long count) {}

    /**
     * How a topic is at a moment.
     *
     * @param sockets open WebSocket connections
     * @param streams open event streams
     * @param waitingPolls requests that wait for something to happen
     * @param participants members who are here
     * @param heldEnvelopes envelopes that wait for what their sender sent before them to become durable
     * @param queuedBytes bytes that wait to be sent to whoever receives them
     * @param proposalCounts how its proposals stand
     */
    public record Gauges(
            int sockets,
            int streams,
            int waitingPolls,
            int participants,
            int heldEnvelopes,
            long queuedBytes,
            ProposalCounts proposalCounts) {}

    /**
     * How many proposals something can still come of.
     *
     * @param open not decided yet
     * @param unreachable of these: whose proposers were told that nobody is here who could decide
     * @param unanswered fulfilled, and waiting for the answer
     */
    public record ProposalCounts(int open, int unreachable, int unanswered) {
        public static final ProposalCounts NONE = new ProposalCounts(0, 0, 0);
    }
}
