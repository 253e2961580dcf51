package dev.gavel.gateway.metrics;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot.EnvelopeCount;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot.Gauges;
import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.RunCancelled;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.ledger.metrics.Histogram;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindCategory;
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
 * Counts envelopes, closed connections, proposals and their outcomes in a topic. An envelope costs one addition, and
 * nothing is allocated. Thread-safe.
 */
public final class TopicCounters {
    /** Takes the durations of states and outcomes that are not measured. */
    private static final Histogram UNCOUNTED = Histogram.ofSeconds();

    private final EnumCounter<KindCategory> admittedCounts = new EnumCounter<>(KindCategory.class);
    private final Map<KindCategory, EnumCounter<EnvelopeErrorCode>> refusedCounts = new EnumMap<>(KindCategory.class);
    private final EnumCounter<ConnectionCloseReason> closedCounts = new EnumCounter<>(ConnectionCloseReason.class);
    private final LongAdder proposedCount = new LongAdder();
    private final Map<ProposalState, Histogram> timeToDecision = new EnumMap<>(ProposalState.class);
    private final EnumCounter<FulfilmentOutcome> outcomeCounts = new EnumCounter<>(FulfilmentOutcome.class);
    private final Map<FulfilmentOutcome, Histogram> timeToAnswer = new EnumMap<>(FulfilmentOutcome.class);

    public TopicCounters() {
        for (KindCategory kind : KindCategory.values()) {
            refusedCounts.put(kind, new EnumCounter<>(EnvelopeErrorCode.class));
        }
        for (ProposalState state : ProposalState.values()) {
            if (state != ProposalState.OPEN) {
                timeToDecision.put(state, Histogram.ofSeconds(1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400));
            }
        }
        for (FulfilmentOutcome outcome : List.of(FulfilmentOutcome.SUCCEEDED, FulfilmentOutcome.FAILED)) {
            timeToAnswer.put(outcome, Histogram.ofSeconds(0.01, 0.05, 0.25, 1, 5, 15, 60, 300, 900, 3_600));
        }
    }

    /** Counts an admitted envelope. */
    public void countAdmitted(KindCategory kind) {
        admittedCounts.increment(kind);
    }

    /** Counts a refused envelope. */
    public void countRefused(KindCategory kind, EnvelopeErrorCode code) {
        Objects.requireNonNull(refusedCounts.get(kind)).increment(code);
    }

    /** Counts a refused envelope whose kind may be unknown because it could not be parsed that far. */
    public void countRefused(@Nullable Kind kind, EnvelopeErrorCode code) {
        countRefused(kind == null ? KindCategory.OTHER : KindCategory.of(kind), code);
    }

    /** Counts a connection that the gateway closed. */
    public void countClosed(ConnectionCloseReason reason) {
        closedCounts.increment(reason);
    }

    /**
     * Counts an event of a proposal.
     *
     * @param after the proposal after the event
     */
    public void countProposalEvent(ProposalSnapshot after, ProposalTimelineEntry proposalTimelineEntry) {
        switch (proposalTimelineEntry.event()) {
            case Proposed _ -> proposedCount.increment();
            case Fulfilled _, Withdrawn _, ClosedByRejections _, Expired _ ->
                timeToDecision
                        .getOrDefault(after.state(), UNCOUNTED)
                        .add(Duration.between(after.proposedAt(), proposalTimelineEntry.at()));
            case Answered answer -> {
                if (after.fulfilment() != null
                        && answer.equals(after.fulfilment().answer())) {
                    FulfilmentOutcome outcome = after.fulfilment().outcome();
                    outcomeCounts.increment(outcome);
                    timeToAnswer
                            .getOrDefault(outcome, UNCOUNTED)
                            .add(Duration.between(after.stateSince(), proposalTimelineEntry.at()));
                }
            }
            case OutcomeUnknown _, RunCancelled _ -> outcomeCounts.increment(FulfilmentOutcome.UNKNOWN);
            case Rejected _,
                    StatusReported _,
                    Unreachable _,
                    Reachable _,
                    CallerWaits _,
                    CallerDisconnected _,
                    ApprovalHeld _,
                    HeldApprovalDropped _,
                    Forwarded _,
                    NotForwarded _,
                    SecretsRevealed _ -> {
                // Neither a decision nor an outcome.
            }
        }
    }

    /** Returns the counts so far. */
    public TopicMetricsSnapshot snapshot(String topic, long deliveries, Optional<Gauges> gauges) {
        Map<FulfilmentOutcome, Long> finishedOutcomes = outcomeCounts.counts();
        finishedOutcomes.remove(FulfilmentOutcome.PENDING);
        return new TopicMetricsSnapshot(
                topic,
                envelopes(),
                deliveries,
                closedCounts.counts(),
                proposedCount.sum(),
                toSnapshots(timeToDecision),
                finishedOutcomes,
                toSnapshots(timeToAnswer),
                gauges);
    }

    private List<EnvelopeCount> envelopes() {
        List<EnvelopeCount> envelopeCounts = new ArrayList<>();
        admittedCounts.counts().forEach((kind, count) -> {
            if (count > 0) {
                envelopeCounts.add(new EnvelopeCount(kind, Optional.empty(), count));
            }
        });
        refusedCounts.forEach((kind, codes) -> codes.counts().forEach((code, count) -> {
            if (count > 0) {
                envelopeCounts.add(new EnvelopeCount(kind, Optional.of(code), count));
            }
        }));
        return envelopeCounts;
    }

    private static <K extends Enum<K>> Map<K, Histogram.Snapshot> toSnapshots(Map<K, Histogram> histograms) {
        Map<K, Histogram.Snapshot> snapshots = new LinkedHashMap<>();
        histograms.forEach((key, histogram) -> snapshots.put(key, histogram.snapshot()));
        return snapshots;
    }
}
