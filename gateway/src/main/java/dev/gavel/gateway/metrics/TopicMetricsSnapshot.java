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
 * An immutable snapshot of one topic's counters and gauges. Immutable.
 *
 * @param envelopeCounts received envelopes by kind and result; only nonzero counts
 * @param deliveries envelopes handed to a receiver: an envelope with three receivers counts three times
 * @param closedConnections connections that the gateway closed
 * @param proposalsMade proposals made
 * @param timeToDecision by final state: how long proposals were open before they reached it
 * @param outcomes of fulfilled proposals; an unknown outcome may be followed by a known one
 * @param timeToAnswer by outcome: how long the answer took
 * @param gauges current values; empty if the topic's event loop does not respond in time
 */
public record TopicMetricsSnapshot(
        String topic,
        List<EnvelopeCount> envelopeCounts,
        long deliveries,
        Map<ConnectionCloseReason, Long> closedConnections,
        long proposalsMade,
        Map<ProposalState, Histogram.Snapshot> timeToDecision,
        Map<FulfilmentOutcome, Long> outcomes,
        Map<FulfilmentOutcome, Histogram.Snapshot> timeToAnswer,
        Optional<Gauges> gauges) {
    public TopicMetricsSnapshot {
        envelopeCounts = List.copyOf(envelopeCounts);
        closedConnections = Map.copyOf(closedConnections);
        timeToDecision = Map.copyOf(timeToDecision);
        outcomes = Map.copyOf(outcomes);
        timeToAnswer = Map.copyOf(timeToAnswer);
    }

    /**
     * The number of envelopes of a kind with the same result.
     *
     * @param refusal why they were refused; empty for admitted envelopes
     */
    public record EnvelopeCount(KindCategory kind, Optional<EnvelopeErrorCode> refusal, long count) {}

    /**
     * Current values of a topic.
     *
     * @param sockets open WebSocket connections
     * @param streams open event streams
     * @param waitingPolls long-poll requests that wait for an event
     * @param participants members that are present
     * @param heldEnvelopes envelopes that wait for earlier envelopes of the same sender to become durable
     * @param queuedBytes bytes that wait to be sent to receivers
     * @param proposalCounts the topic's unfinished proposals
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
     * The numbers of proposals that are not finished.
     *
     * @param open not decided yet
     * @param unreachable of these: proposals whose proposers were notified that no present member can decide them
     * @param unanswered fulfilled, and waiting for the answer
     */
    public record ProposalCounts(int open, int unreachable, int unanswered) {
        public static final ProposalCounts NONE = new ProposalCounts(0, 0, 0);
    }
}
