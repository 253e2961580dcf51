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
                "Open connections: WebSockets, event streams, and polls that wait.");
        forEachCurrent((topic, gauges) -> {
            writer.writeSample(gauges.sockets(), "topic", topic, "transport", "socket");
            writer.writeSample(gauges.streams(), "topic", topic, "transport", "stream");
            writer.writeSample(gauges.waitingPolls(), "topic", topic, "transport", "poll");
        });
        writeGauge("gavel_participants", "Members who are here, however they are connected.", Gauges::participants);
        writer.startFamily(
                "gavel_dropped_connections_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections that the gateway ended, by reason.");
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
                "Envelopes sent to the gateway, by kind, and 'admitted' or the error they were refused with.");
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
                "Envelopes that wait until what their sender sent before them is durable.",
                Gauges::heldEnvelopes);
        writeCounter(
                "gavel_deliveries_total",
                "Envelopes handed to receivers: one that goes to three counts three times.",
                TopicMetricsSnapshot::deliveries);
        writeGauge("gavel_delivery_queue_bytes", "Bytes that wait to be sent to receivers.", Gauges::queuedBytes);
    }

    private void writeProposals() {
        writeCounter("gavel_proposed_total", "Proposals made.", TopicMetricsSnapshot::proposalsMade);
        writeGauge(
                "gavel_proposals_open",
                "Proposals nobody has decided yet.",
                gauges -> gauges.proposalCounts().open());
        writeGauge(
                "gavel_proposals_unreachable",
                "Open proposals of which nobody is here who could decide them.",
                gauges -> gauges.proposalCounts().unreachable());
        writeGauge(
                "gavel_proposals_unanswered",
                "Fulfilled proposals that wait for the answer.",
                gauges -> gauges.proposalCounts().unanswered());
        writer.startFamily(
                "gavel_proposals_total", PrometheusWriter.MetricType.COUNTER, "Proposals that ended, by end.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.timeToDecision(),
                    (end, times) -> writer.writeSample(times.count(), "topic", topic.topic(), "end", labelValue(end)));
        }
        writer.startFamily(
                "gavel_outcomes_total",
                PrometheusWriter.MetricType.COUNTER,
                "Outcomes of fulfilled proposals; after 'unknown' a late answer may bring another.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.outcomes(),
                    (outcome, count) ->
                            writer.writeSample(count, "topic", topic.topic(), "outcome", labelValue(outcome)));
        }
        writer.startFamily(
                "gavel_proposal_decision_seconds",
                PrometheusWriter.MetricType.HISTOGRAM,
                "Time from a proposal's receipt to its end.");
        for (TopicMetricsSnapshot topic : topics) {
            forEachSorted(
                    topic.timeToDecision(),
                    (end, times) -> writer.writeSample(times, "topic", topic.topic(), "end", labelValue(end)));
        }
        writer.startFamily(
                "gavel_answer_seconds", PrometheusWriter.MetricType.HISTOGRAM, "Time from a fulfilment to its answer.");
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
