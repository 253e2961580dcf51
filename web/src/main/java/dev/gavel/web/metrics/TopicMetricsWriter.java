package dev.gavel.web.metrics;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.metrics.TopicMetrics;
import dev.gavel.gateway.metrics.TopicMetrics.EnvelopeCount;
import dev.gavel.gateway.metrics.TopicMetrics.Gauges;
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
    private final PrometheusWriter page;
    private final List<TopicMetrics> topics;

    TopicMetricsWriter(PrometheusWriter page, List<TopicMetrics> topics) {
        this.page = page;
        this.topics = topics;
    }

    void write() {
        presence();
        envelopes();
        proposals();
    }

    private void presence() {
        page.family(
                "gavel_connections",
                PrometheusWriter.MetricType.GAUGE,
                "Open connections: WebSockets, event streams, and polls that wait.");
        forEachCurrent((topic, gauges) -> {
            page.sample(gauges.sockets(), "topic", topic, "transport", "socket");
            page.sample(gauges.streams(), "topic", topic, "transport", "stream");
            page.sample(gauges.waitingPolls(), "topic", topic, "transport", "poll");
        });
        gauge("gavel_participants", "Members who are here, however they are connected.", Gauges::participants);
        page.family(
                "gavel_dropped_connections_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections that the gateway ended, by reason.");
        for (TopicMetrics topic : topics) {
            forEachSorted(topic.closed(), (why, count) -> {
                if (why != ConnectionCloseReason.NORMAL) {
                    page.sample(count, "topic", topic.topic(), "reason", word(why));
                }
            });
        }
    }

    private void envelopes() {
        page.family(
                "gavel_envelopes_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes sent to the gateway, by kind, and 'admitted' or the error they were refused with.");
        for (TopicMetrics topic : topics) {
            for (EnvelopeCount each : topic.envelopeCount()) {
                page.sample(
                        each.count(),
                        "topic",
                        topic.topic(),
                        "kind",
                        kind(each.kind()),
                        "verdict",
                        each.refusal().map(EnvelopeErrorCode::wireName).orElse("admitted"));
            }
        }
        gauge(
                "gavel_envelopes_held",
                "Envelopes that wait until what their sender sent before them is durable.",
                Gauges::heldEnvelopes);
        counter(
                "gavel_deliveries_total",
                "Envelopes handed to receivers: one that goes to three counts three times.",
                TopicMetrics::deliveries);
        gauge("gavel_delivery_queue_bytes", "Bytes that wait to be sent to receivers.", Gauges::queuedBytes);
    }

    private void proposals() {
        counter("gavel_proposed_total", "Proposals made.", TopicMetrics::proposed);
        gauge(
                "gavel_proposals_open",
                "Proposals nobody has decided yet.",
                gauges -> gauges.proposalCounts().open());
        gauge(
                "gavel_proposals_unreachable",
                "Open proposals of which nobody is here who could decide them.",
                gauges -> gauges.proposalCounts().unreachable());
        gauge(
                "gavel_proposals_unanswered",
                "Fulfilled proposals that wait for the answer.",
                gauges -> gauges.proposalCounts().unanswered());
        page.family("gavel_proposals_total", PrometheusWriter.MetricType.COUNTER, "Proposals that ended, by end.");
        for (TopicMetrics topic : topics) {
            forEachSorted(
                    topic.timeToDecision(),
                    (end, times) -> page.sample(times.count(), "topic", topic.topic(), "end", word(end)));
        }
        page.family(
                "gavel_outcomes_total",
                PrometheusWriter.MetricType.COUNTER,
                "Outcomes of fulfilled proposals; after 'unknown' a late answer may bring another.");
        for (TopicMetrics topic : topics) {
            forEachSorted(
                    topic.outcomes(),
                    (outcome, count) -> page.sample(count, "topic", topic.topic(), "outcome", word(outcome)));
        }
        page.family(
                "gavel_proposal_decision_seconds",
                PrometheusWriter.MetricType.HISTOGRAM,
                "Time from a proposal's receipt to its end.");
        for (TopicMetrics topic : topics) {
            forEachSorted(
                    topic.timeToDecision(),
                    (end, times) -> page.sample(times, "topic", topic.topic(), "end", word(end)));
        }
        page.family(
                "gavel_answer_seconds", PrometheusWriter.MetricType.HISTOGRAM, "Time from a fulfilment to its answer.");
        for (TopicMetrics topic : topics) {
            forEachSorted(
                    topic.timeToAnswer(),
                    (outcome, times) -> page.sample(times, "topic", topic.topic(), "outcome", word(outcome)));
        }
    }

    private void counter(String name, String help, ToLongFunction<TopicMetrics> value) {
        page.family(name, PrometheusWriter.MetricType.COUNTER, help);
        topics.forEach(topic -> page.sample(value.applyAsLong(topic), "topic", topic.topic()));
    }

    private void gauge(String name, String help, ToLongFunction<Gauges> value) {
        page.family(name, PrometheusWriter.MetricType.GAUGE, help);
        forEachCurrent((topic, gauges) -> page.sample(value.applyAsLong(gauges), "topic", topic));
    }

    private void forEachCurrent(BiConsumer<String, Gauges> each) {
        topics.forEach(topic -> topic.gauges().ifPresent(gauges -> each.accept(topic.topic(), gauges)));
    }

    private static <K extends Enum<K>, V> void forEachSorted(Map<K, V> map, BiConsumer<K, V> each) {
        map.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .forEach(entry -> each.accept(entry.getKey(), entry.getValue()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns protocol and operation of a known kind. All other kinds share one label, so that a client cannot create
     * new labels.
     */
    private static String kind(KindCategory rule) {
        return switch (rule) {
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
