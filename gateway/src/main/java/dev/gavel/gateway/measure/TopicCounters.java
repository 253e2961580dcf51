package dev.gavel.gateway.measure;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.measure.TopicMeasures.Envelopes;
import dev.gavel.gateway.measure.TopicMeasures.Now;
import dev.gavel.gateway.proposal.Outcome;
import dev.gavel.gateway.proposal.Proposal;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.ledger.measure.Histogram;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens in a topic. An envelope costs one addition, and nothing is allocated. Thread-safe.
 */
public final class TopicCounters {
    /** What is no end or outcome at all, and so not counted. */
    private static final Histogram UNCOUNTED = Histogram.ofSeconds();

    private final Tally<KindRule> admitted = new Tally<>(KindRule.class);
    private final Map<KindRule, Tally<ErrorCode>> refused = new EnumMap<>(KindRule.class);
    private final Tally<Closing> dropped = new Tally<>(Closing.class);
    private final LongAdder proposed = new LongAdder();
    private final Map<ProposalState, Histogram> decided = new EnumMap<>(ProposalState.class);
    private final Tally<Outcome> outcomes = new Tally<>(Outcome.class);
    private final Map<Outcome, Histogram> answered = new EnumMap<>(Outcome.class);

    public TopicCounters() {
        for (KindRule kind : KindRule.values()) {
            refused.put(kind, new Tally<>(ErrorCode.class));
        }
        for (ProposalState state : ProposalState.values()) {
            if (state != ProposalState.OPEN) {
                decided.put(state, Histogram.ofSeconds(1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400));
            }
        }
        for (Outcome outcome : List.of(Outcome.SUCCEEDED, Outcome.FAILED)) {
            answered.put(outcome, Histogram.ofSeconds(0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900, 3_600));
        }
    }

    /** An envelope was taken. */
    public void admitted(KindRule kind) {
        admitted.count(kind);
    }

    /** An envelope went nowhere but back. */
    public void refused(KindRule kind, ErrorCode code) {
        Objects.requireNonNull(refused.get(kind)).count(code);
    }

    /** The same, of one that could not be read so far that its kind is known for certain. */
    public void refused(@Nullable Kind kind, ErrorCode code) {
        refused(kind == null ? KindRule.OTHER : KindRule.of(kind), code);
    }

    /** This side ended a connection. */
    public void dropped(Closing why) {
        dropped.count(why);
    }

    /** Something happened to a proposal, which stands like this after it. */
    public void happened(Proposal after, Step step) {
        switch (step.event()) {
            case Proposed _ -> proposed.increment();
            case Fulfilled _, Withdrawn _, ClosedByRejections _, Expired _ ->
                decided.getOrDefault(after.state(), UNCOUNTED).add(Duration.between(after.proposedAt(), step.at()));
            case Answered answer -> {
                if (after.fulfilment() != null
                        && answer.equals(after.fulfilment().answer())) {
                    Outcome outcome = after.fulfilment().outcome();
                    outcomes.count(outcome);
                    answered.getOrDefault(outcome, UNCOUNTED).add(Duration.between(after.since(), step.at()));
                }
            }
            case OutcomeUnknown _ -> outcomes.count(Outcome.UNKNOWN);
            case Rejected _, StatusGiven _, Unreachable _, Reachable _, Forwarded _, NotForwarded _ -> {
                // Neither an end nor an outcome.
            }
        }
    }

    /** What was counted so far. */
    public TopicMeasures measures(String topic, long deliveries, Optional<Now> now) {
        Map<Outcome, Long> came = outcomes.counts();
        came.remove(Outcome.PENDING);
        return new TopicMeasures(
                topic,
                envelopes(),
                deliveries,
                dropped.counts(),
                proposed.sum(),
                readings(decided),
                came,
                readings(answered),
                now);
    }

    private List<Envelopes> envelopes() {
        List<Envelopes> counted = new ArrayList<>();
        admitted.counts().forEach((kind, count) -> {
            if (count > 0) {
                counted.add(new Envelopes(kind, Optional.empty(), count));
            }
        });
        refused.forEach((kind, codes) -> codes.counts().forEach((code, count) -> {
            if (count > 0) {
                counted.add(new Envelopes(kind, Optional.of(code), count));
            }
        }));
        return counted;
    }

    private static <K extends Enum<K>> Map<K, Histogram.Reading> readings(Map<K, Histogram> histograms) {
        Map<K, Histogram.Reading> readings = new LinkedHashMap<>();
        histograms.forEach((key, histogram) -> readings.put(key, histogram.reading()));
        return readings;
    }
}
