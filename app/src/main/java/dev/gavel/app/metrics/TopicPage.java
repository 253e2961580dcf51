package dev.gavel.app.metrics;

import dev.gavel.gateway.delivery.Closing;
import dev.gavel.gateway.measure.TopicMeasures;
import dev.gavel.gateway.measure.TopicMeasures.Envelopes;
import dev.gavel.gateway.measure.TopicMeasures.Now;
import dev.gavel.mcpx.ErrorCode;
import dev.gavel.mcpx.KindRule;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/** Writes what was counted in topics. A topic whose event loop had no time to say how it is now is left out of gauges. */
final class TopicPage {
    private final Exposition page;
    private final List<TopicMeasures> topics;

    TopicPage(Exposition page, List<TopicMeasures> topics) {
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
                Exposition.Type.GAUGE,
                "Open connections: WebSockets, event streams, and polls that wait.");
        now((topic, now) -> {
            page.sample(now.sockets(), "topic", topic, "transport", "socket");
            page.sample(now.streams(), "topic", topic, "transport", "stream");
            page.sample(now.polls(), "topic", topic, "transport", "poll");
        });
        gauge("gavel_participants", "Members who are here, however they are connected.", Now::participants);
        page.family(
                "gavel_dropped_connections_total",
                Exposition.Type.COUNTER,
                "Connections that the gateway ended, by reason.");
        for (TopicMeasures topic : topics) {
            sorted(topic.dropped(), (why, count) -> {
                if (why != Closing.NORMAL) {
                    page.sample(count, "topic", topic.topic(), "reason", word(why));
                }
            });
        }
    }

    private void envelopes() {
        page.family(
                "gavel_envelopes_total",
                Exposition.Type.COUNTER,
                "Envelopes sent to the gateway, by kind, and 'admitted' or the error they were refused with.");
        for (TopicMeasures topic : topics) {
            for (Envelopes each : topic.envelopes()) {
                page.sample(
                        each.count(),
                        "topic",
                        topic.topic(),
                        "kind",
                        kind(each.kind()),
                        "verdict",
                        each.refusal().map(ErrorCode::wire).orElse("admitted"));
            }
        }
        gauge(
                "gavel_envelopes_held",
                "Envelopes that wait until what their sender sent before them is durable.",
                Now::held);
        counter(
                "gavel_deliveries_total",
                "Envelopes handed to receivers: one that goes to three counts three times.",
                TopicMeasures::deliveries);
        gauge("gavel_delivery_queue_bytes", "Bytes that wait to be sent to receivers.", Now::queued);
    }

    private void proposals() {
        counter("gavel_proposed_total", "Proposals made.", TopicMeasures::proposed);
        gauge(
                "gavel_proposals_open",
                "Proposals nobody has decided yet.",
                now -> now.proposals().open());
        gauge(
                "gavel_proposals_unreachable",
                "Open proposals of which nobody is here who could decide them.",
                now -> now.proposals().unreachable());
        gauge(
                "gavel_proposals_unanswered",
                "Fulfilled proposals that wait for the answer.",
                now -> now.proposals().unanswered());
        page.family("gavel_proposals_total", Exposition.Type.COUNTER, "Proposals that ended, by end.");
        for (TopicMeasures topic : topics) {
            sorted(
                    topic.decided(),
                    (end, times) -> page.sample(times.count(), "topic", topic.topic(), "end", word(end)));
        }
        page.family(
                "gavel_outcomes_total",
                Exposition.Type.COUNTER,
                "Outcomes of fulfilled proposals; after 'unknown' a late answer may bring another.");
        for (TopicMeasures topic : topics) {
            sorted(
                    topic.outcomes(),
                    (outcome, count) -> page.sample(count, "topic", topic.topic(), "outcome", word(outcome)));
        }
        page.family(
                "gavel_proposal_decision_seconds",
                Exposition.Type.HISTOGRAM,
                "Time from a proposal's receipt to its end.");
        for (TopicMeasures topic : topics) {
            sorted(topic.decided(), (end, times) -> page.sample(times, "topic", topic.topic(), "end", word(end)));
        }
        page.family("gavel_answer_seconds", Exposition.Type.HISTOGRAM, "Time from a fulfilment to its answer.");
        for (TopicMeasures topic : topics) {
            sorted(
                    topic.answered(),
                    (outcome, times) -> page.sample(times, "topic", topic.topic(), "outcome", word(outcome)));
        }
    }

    private void counter(String name, String help, ToLongFunction<TopicMeasures> value) {
        page.family(name, Exposition.Type.COUNTER, help);
        topics.forEach(topic -> page.sample(value.applyAsLong(topic), "topic", topic.topic()));
    }

    private void gauge(String name, String help, ToLongFunction<Now> value) {
        page.family(name, Exposition.Type.GAUGE, help);
        now((topic, now) -> page.sample(value.applyAsLong(now), "topic", topic));
    }

    private void now(BiConsumer<String, Now> each) {
        topics.forEach(topic -> topic.now().ifPresent(now -> each.accept(topic.topic(), now)));
    }

    private static <K extends Enum<K>, V> void sorted(Map<K, V> map, BiConsumer<K, V> each) {
        map.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .forEach(entry -> each.accept(entry.getKey(), entry.getValue()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Protocol and operation of the kinds there are; all others are one, so that nobody can invent labels. */
    private static String kind(KindRule rule) {
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
