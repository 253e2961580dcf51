package dev.gavel.gateway.measure;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.ledger.measure.Histogram;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.KindRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What has happened in a topic since the process began, and how it is there now, for whoever watches it. Immutable.
 *
 * @param envelopes that came, by what became of them; those there were
 * @param deliveries envelopes handed to a receiver: one that goes to three counts three times
 * @param dropped connections that were ended by this side
 * @param proposed proposals made
 * @param decided by end: how long proposals stood before they came to it
 * @param outcomes of fulfilled proposals; an unknown one may be followed by another
 * @param answered by outcome: how long the answer took
 * @param now how it is there now; empty where its event loop has no time to say
 */
public record TopicMeasures(
        String topic,
        List<Envelopes> envelopes,
        long deliveries,
        Map<Closing, Long> dropped,
        long proposed,
        Map<ProposalState, Histogram.Reading> decided,
        Map<Outcome, Long> outcomes,
        Map<Outcome, Histogram.Reading> answered,
        Optional<Now> now) {
    public TopicMeasures {
        envelopes = List.copyOf(envelopes);
        dropped = Map.copyOf(dropped);
        decided = Map.copyOf(decided);
        outcomes = Map.copyOf(outcomes);
        answered = Map.copyOf(answered);
    }

    /**
     * So many envelopes of a kind met the same fate.
     *
     * @param refusal why they were refused; empty for those that were admitted
     */
    public record Envelopes(KindRule kind, Optional<ErrorCode> refusal, long count) {}

    /**
     * How a topic is at a moment.
     *
     * @param sockets open WebSocket connections
     * @param streams open event streams
     * @param polls requests that wait for something to happen
     * @param participants members who are here
     * @param held envelopes that wait for what their sender sent before them to become durable
     * @param queued bytes that wait to be sent to whoever receives them
     * @param proposals how its proposals stand
     */
    public record Now(
            int sockets, int streams, int polls, int participants, int held, long queued, Proposals proposals) {}

    /**
     * How many proposals something can still come of.
     *
     * @param open not decided yet
     * @param unreachable of these: whose proposers were told that nobody is here who could decide
     * @param unanswered fulfilled, and waiting for the answer
     */
    public record Proposals(int open, int unreachable, int unanswered) {
        public static final Proposals NONE = new Proposals(0, 0, 0);
    }
}
