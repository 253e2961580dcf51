package dev.gavel.sep.stats;

import dev.gavel.lifecycle.process.State;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;

/** Figures as JSON; spans are in days. Stateless. */
public final class StatsJson {
    private StatsJson() {}

    /** All of them. */
    public static Json of(Stats stats) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("at", stats.at().toString());
            json.writeStringProperty("process", stats.process());
            json.writeNumberProperty("seps", stats.all());
            json.writeNumberProperty("open", stats.open());
            json.writeArrayPropertyStart("states");
            stats.states().forEach(state -> write(json, state));
            json.writeEndArray();
            json.writeArrayPropertyStart("months");
            stats.months().forEach(month -> write(json, month));
            json.writeEndArray();
            json.writeName("firstResponse");
            write(json, stats.firstResponse());
            json.writeArrayPropertyStart("load");
            stats.loads().forEach(load -> write(json, load));
            json.writeEndArray();
            json.writeArrayPropertyStart("stuck");
            stats.stuck().forEach(stuck -> write(json, stuck, stats));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, Stats.StateTime state) {
        json.writeStartObject();
        json.writeStringProperty("state", state.state());
        json.writeStringProperty("kind", kind(state.kind()));
        json.writeNumberProperty("now", state.span().running());
        json.writeNumberProperty("left", state.span().ended());
        days(json, state.span());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Stats.Month month) {
        json.writeStartObject();
        json.writeStringProperty("month", month.month().toString());
        json.writeNumberProperty("submitted", month.submitted());
        json.writeNumberProperty("settled", month.settled());
        json.writeNumberProperty("ended", month.ended());
        json.writeNumberProperty("open", month.open());
        json.writeObjectPropertyStart("entered");
        month.entered().forEach(json::writeNumberProperty);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Stats.FirstResponse first) {
        json.writeStartObject();
        json.writeName("role");
        first.role().ifPresentOrElse(json::writeString, json::writeNull);
        json.writeNumberProperty("answered", first.span().ended());
        days(json, first.span());
        json.writeArrayPropertyStart("unanswered");
        first.unanswered().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Stats.Load load) {
        json.writeStartObject();
        json.writeStringProperty("role", load.role());
        json.writeStringProperty("who", load.who());
        json.writeArrayPropertyStart("open");
        load.open().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeNumberProperty("others", load.others());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Stats.Stuck stuck, Stats stats) {
        json.writeStartObject();
        json.writeNumberProperty("number", stuck.number());
        json.writeStringProperty("title", stuck.title());
        json.writeStringProperty("status", stuck.state());
        json.writeArrayPropertyStart("mustAct");
        stuck.mustAct().forEach(json::writeString);
        json.writeEndArray();
        json.writeStringProperty("since", stuck.since().toString());
        json.writeNumberProperty(
                "days", Duration.between(stuck.since(), stats.at()).toDays());
        json.writeEndObject();
    }

    private static void days(JsonGenerator json, Span span) {
        days(json, "medianDays", span.median());
        days(json, "p90Days", span.p90());
        days(json, "longestDays", span.longest());
    }

    private static void days(JsonGenerator json, String name, Optional<Duration> span) {
        if (span.isEmpty()) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, Math.round(span.get().toSeconds() / 8_640.0) / 10.0);
        }
    }

    private static String kind(Optional<State.Kind> kind) {
        return kind.map(known -> known.name().toLowerCase(Locale.ROOT)).orElse("gone");
    }
}
