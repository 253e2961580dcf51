package dev.gavel.sep.stats;

import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;

/** Converts the statistics of a process's SEPs to JSON and back. Stateless. */
public final class StatsJsonCodec {
    private StatsJsonCodec() {}

    public static Json encode(Stats stats) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("at", stats.at().toString());
            json.writeStringProperty("process", stats.process());
            json.writeNumberProperty("seps", stats.total());
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

    /**
     * Reads the output of {@link #encode}. Durations are precise to a tenth of a day. Of the SEPs without a first response,
     * only those that still wait for one are known.
     */
    public static Stats decode(Json json) {
        return new Stats(
                Instant.parse(json.at("at").text()),
                json.at("process").text(),
                count(json, "seps"),
                count(json, "open"),
                each(json.at("states"), StatsJsonCodec::state),
                each(json.at("months"), StatsJsonCodec::month),
                firstResponse(json.at("firstResponse")),
                each(
                        json.at("load"),
                        load -> new Stats.Load(
                                load.at("role").text(),
                                load.at("who").text(),
                                numbers(load.at("open")),
                                count(load, "others"))),
                each(
                        json.at("stuck"),
                        stuck -> new Stats.Stuck(
                                count(stuck, "number"),
                                stuck.at("title").text(),
                                stuck.at("status").text(),
                                stuck.at("mustAct").texts(),
                                Instant.parse(stuck.at("since").text()))));
    }

    private static Stats.StateTime state(Json json) {
        Optional<StateDefinition.Kind> kind = Stream.of(StateDefinition.Kind.values())
                .filter(each -> kind(Optional.of(each)).equals(json.at("kind").text()))
                .findFirst();
        return new Stats.StateTime(json.at("state").text(), kind, span(json, count(json, "left"), count(json, "now")));
    }

    private static Stats.Month month(Json json) {
        Map<String, Integer> entered = new LinkedHashMap<>();
        json.at("entered").members().forEach((state, count) -> entered.put(state, (int) count.asLong(0)));
        return new Stats.Month(
                YearMonth.parse(json.at("month").text()),
                count(json, "submitted"),
                count(json, "settled"),
                count(json, "ended"),
                count(json, "open"),
                entered);
    }

    private static Stats.FirstResponse firstResponse(Json json) {
        List<Integer> unanswered = numbers(json.at("unanswered"));
        return new Stats.FirstResponse(
                json.at("role").asText(), span(json, count(json, "answered"), unanswered.size()), unanswered);
    }

    private static DurationStats span(Json json, int ended, int running) {
        return new DurationStats(
                ended, running, days(json.at("medianDays")), days(json.at("p90Days")), days(json.at("longestDays")));
    }

    private static Optional<Duration> days(Json days) {
        return days.type() == Json.Type.NUMBER
                ? Optional.of(Duration.ofSeconds(Math.round(Double.parseDouble(days.raw()) * 86_400)))
                : Optional.empty();
    }

    private static <T> List<T> each(Json array, Function<Json, T> read) {
        return array.elements().stream().map(read).toList();
    }

    private static List<Integer> numbers(Json array) {
        return each(array, number -> (int) number.asLong(0));
    }

    private static int count(Json json, String name) {
        return (int) json.at(name).asLong(0);
    }

    private static void write(JsonGenerator json, Stats.StateTime state) {
        json.writeStartObject();
        json.writeStringProperty("state", state.state());
        json.writeStringProperty("kind", kind(state.kind()));
        json.writeNumberProperty("now", state.durations().running());
        json.writeNumberProperty("left", state.durations().ended());
        days(json, state.durations());
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
        json.writeNumberProperty("answered", first.durations().ended());
        days(json, first.durations());
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
        json.writeNumberProperty("others", load.closedCount());
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

    private static void days(JsonGenerator json, DurationStats durationStats) {
        days(json, "medianDays", durationStats.median());
        days(json, "p90Days", durationStats.p90());
        days(json, "longestDays", durationStats.longest());
    }

    private static void days(JsonGenerator json, String name, Optional<Duration> span) {
        if (span.isEmpty()) {
            json.writeNullProperty(name);
        } else {
            json.writeNumberProperty(name, Math.round(span.get().toSeconds() / 8_640.0) / 10.0);
        }
    }

    private static String kind(Optional<StateDefinition.Kind> kind) {
        return kind.map(known -> known.name().toLowerCase(Locale.ROOT)).orElse("gone");
    }
}
