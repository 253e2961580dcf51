package dev.gavel.web.metrics;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot.EnvelopeCount;
import dev.gavel.gateway.metrics.TopicMetricsSnapshot.Gauges;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.KindCategory;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * Writes the metrics of topics: connections, envelopes, deliveries and proposals. Gauges leave out a topic whose event
 * loop did not report in time.
 */
final class TopicMetricsWriter {
    private final PrometheusWriter writer;
    private final List<TopicMetricsSnapshot> topics;

    TopicMetricsWriter(PrometheusWriter writer, List<TopicMetricsSnapshot> topics) {
        this.writer = writer;
        this.topics = topics;
    }

    void write() {
        writePresence();
        writeEnvelopes();
        writeProposals();
    }

    private void writePresence() {
        writer.startFamily(
                "gavel_connections",
                PrometheusWriter.MetricType.GAUGE,
                "Number of open connections: WebSockets, event streams and waiting polls.");
        forEachCurrent((topic, gauges) -> {
            writer.writeSample(gauges.sockets(), "topic", topic, "transport", "socket");
            writer.writeSample(gauges.streams(), "topic", topic, "transport", "stream");
            writer.writeSample(gauges.waitingPolls(), "topic", topic, "transport", "poll");
        });
        writeGauge(
                "gavel_participants",
                "Number of connected members. Each member counts once, whatever its connections.",
                Gauges::participants);
        writer.startFamily(
                "gavel_dropped_connections_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections that the gateway closed, by reason.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(topic.closedConnections(), (reason, count) -> {
                if (reason != ConnectionCloseReason.NORMAL) {
                    writer.writeSample(count, "topic", topic.topic(), "reason", labelValue(reason));
                }
            });
        }
    }

    private void writeEnvelopes() {
        writer.startFamily(
                "gavel_envelopes_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes received by the gateway, by kind and by verdict: 'admitted' or the error code of the refusal.");
        for (TopicMetricsSnapshot topic : topics) {
            for (EnvelopeCount each : topic.envelopeCounts()) {
                writer.writeSample(
                        each.count(),
                        "topic",
                        topic.topic(),
                        "kind",
                        kindLabel(each.kind()),
                        "verdict",
                        each.refusal().map(EnvelopeErrorCode::wireName).orElse("admitted"));
            }
        }
        writeGauge(
                "gavel_envelopes_held",
                "Number of envelopes that wait until the earlier envelopes of their sender are durable.",
                Gauges::heldEnvelopes);
        writeCounter(
                "gavel_deliveries_total",
                "Deliveries of envelopes to receivers. An envelope with three receivers counts three times.",
                TopicMetricsSnapshot::deliveries);
        writeGauge("gavel_delivery_queue_bytes", "Bytes waiting to be sent to receivers.", Gauges::queuedBytes);
    }

    private void writeProposals() {
        writeCounter("gavel_proposed_total", "Proposals created.", TopicMetricsSnapshot::proposalsMade);
        writeGauge(
                "gavel_proposals_open",
                "Number of proposals that are not decided yet.",
                gauges -> gauges.proposalCounts().open());
        writeGauge(
                "gavel_proposals_unreachable",
                "Number of open proposals for which no reviewer is connected.",
                gauges -> gauges.proposalCounts().unreachable());
        writeGauge(
                "gavel_proposals_unanswered",
                "Number of approved proposals that wait for a result.",
                gauges -> gauges.proposalCounts().unanswered());
        writer.startFamily(
                "gavel_proposals_total", PrometheusWriter.MetricType.COUNTER, "Closed proposals, by end state.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.timeToDecision(),
                    (end, times) -> writer.writeSample(times.count(), "topic", topic.topic(), "end", labelValue(end)));
        }
        writer.startFamily(
                "gavel_outcomes_total",
                PrometheusWriter.MetricType.COUNTER,
                "Results of approved proposals, by outcome. After 'unknown', a late answer can add another outcome.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.outcomes(),
                    (outcome, count) ->
                            writer.writeSample(count, "topic", topic.topic(), "outcome", labelValue(outcome)));
        }
        writer.startFamily(
                "gavel_proposal_decision_seconds",
                PrometheusWriter.MetricType.HISTOGRAM,
                "Time from the receipt of a proposal until it was closed.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.timeToDecision(),
                    (end, times) -> writer.writeSample(times, "topic", topic.topic(), "end", labelValue(end)));
        }
        writer.startFamily(
                "gavel_answer_seconds",
                PrometheusWriter.MetricType.HISTOGRAM,
                "Time from the approval of a proposal to its result.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.timeToAnswer(),
                    (outcome, times) ->
                            writer.writeSample(times, "topic", topic.topic(), "outcome", labelValue(outcome)));
        }
    }

    private void writeCounter(String name, String help, ToLongFunction<TopicMetricsSnapshot> value) {
        writer.startFamily(name, PrometheusWriter.MetricType.COUNTER, help);
        topics.forEach(topic -> writer.writeSample(value.applyAsLong(topic), "topic", topic.topic()));
    }

    private void writeGauge(String name, String help, ToLongFunction<Gauges> value) {
        writer.startFamily(name, PrometheusWriter.MetricType.GAUGE, help);
        forEachCurrent((topic, gauges) -> writer.writeSample(value.applyAsLong(gauges), "topic", topic));
    }

    private void forEachCurrent(BiConsumer<String, Gauges> each) {
        topics.forEach(topic -> topic.gauges().ifPresent(gauges -> each.accept(topic.topic(), gauges)));
    }

    private static <K extends Enum<K>, V> void forEachSorted(Map<K, V> map, BiConsumer<K, V> each) {
        map.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .forEach(entry -> each.accept(entry.getKey(), entry.getValue()));
    }

    private static String labelValue(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns protocol and operation of a known kind. All other kinds share one label, so that a client cannot create
     * new labels.
     */
    private static String kindLabel(KindCategory category) {
        return switch (category) {
            case REQUEST -> "mcp.request";
            case RESPONSE -> "mcp.response";
            case PROPOSAL -> "mcp.proposal";
            case WITHDRAW -> "mcpx.withdraw";
            case REJECT -> "mcpx.reject";
            case STATUS -> "mcpx.status";
            case CHAT -> "chat.message";
            case SYSTEM -> "system";
            case OTHER -> "other";
        };
    }
}
