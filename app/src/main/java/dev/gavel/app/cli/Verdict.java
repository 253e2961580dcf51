package dev.gavel.app.cli;

import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Finding;
import dev.gavel.ledger.audit.Noted;
import dev.gavel.mcpx.text.SafeText;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What came of verifying a ledger, for people and for programs. Immutable.
 *
 * @param lost how many topics are gone as a whole
 */
record Verdict(List<Audited> topics, long lost) {
    /** More are only counted. */
    private static final int SHOWN = 100;

    Verdict {
        topics = List.copyOf(topics);
    }

    /** How many there are in all. */
    long findings() {
        return lost
                + topics.stream()
                        .mapToLong(topic -> topic.findings().size() + topic.more())
                        .sum();
    }

    private List<Finding> shown() {
        return topics.stream()
                .flatMap(topic -> topic.findings().stream())
                .limit(SHOWN)
                .toList();
    }

    /** A line for each topic, then one for each finding. */
    String text() {
        List<String> lines = new ArrayList<>();
        topics.forEach(topic -> lines.add(line(topic)));
        for (Finding finding : shown()) {
            lines.add(line(finding));
        }
        long more = findings() - lost - shown().size();
        if (more > 0) {
            lines.add("and " + more + " more");
        }
        if (lost > 0) {
            lines.add(lost(lost));
        }
        for (Audited topic : topics) {
            for (Noted.Checked checked : topic.noted()) {
                if (checked.result() == Noted.Result.FORGOTTEN) {
                    lines.add(
                            "%s, seq %d: this head cannot be compared: retention has forgotten the event since, and the one after it"
                                    .formatted(
                                            SafeText.line(topic.stream()),
                                            checked.noted().seq()));
                }
            }
        }
        lines.add(findings() == 0 ? "everything is as it was written" : counted(findings(), "finding"));
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String line(Audited topic) {
        return SafeText.line(topic.stream())
                + ": "
                + counted(topic.events(), "event")
                + " verified"
                + (topic.forgotten() == 0 ? "" : ", " + topic.forgotten() + " forgotten by retention")
                + "; head "
                + SafeText.line(head(topic));
    }

    private static String line(Finding finding) {
        return "%s, seq %d%s: %s: %s"
                .formatted(
                        SafeText.line(finding.stream()),
                        finding.seq(),
                        finding.subject() == null ? "" : ", proposal " + SafeText.brief(finding.subject(), 80),
                        word(finding),
                        SafeText.brief(finding.detail(), 300));
    }

    private static String lost(long lost) {
        return lost == 1
                ? "missing: a whole topic; nothing says which"
                : "missing: " + lost + " whole topics; nothing says which";
    }

    private static String word(Finding finding) {
        return finding.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String head(Audited topic) {
        return topic.head() == null ? "unknown" : new Noted(topic.stream(), topic.last(), topic.head()).toString();
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeBooleanProperty("ok", findings() == 0);
            json.writeArrayPropertyStart("topics");
            topics.forEach(topic -> json(json, topic));
            json.writeEndArray();
            json.writeArrayPropertyStart("findings");
            shown().forEach(finding -> json(json, finding));
            json.writeEndArray();
            json.writeNumberProperty("more", findings() - lost - shown().size());
            json.writeNumberProperty("lostTopics", lost);
            json.writeArrayPropertyStart("heads");
            topics.forEach(topic -> topic.noted().forEach(checked -> json(json, checked)));
            json.writeEndArray();
            json.writeEndObject();
        }
        return SafeText.json(text.toString());
    }

    private static void json(JsonGenerator json, Audited topic) {
        json.writeStartObject();
        json.writeStringProperty("topic", topic.stream());
        json.writeNumberProperty("events", topic.events());
        json.writeNumberProperty("forgotten", topic.forgotten());
        json.writeNumberProperty("seq", topic.last());
        if (topic.head() != null) {
            json.writeStringProperty("hash", topic.head().toString());
            json.writeStringProperty("head", head(topic));
        }
        json.writeEndObject();
    }

    private static void json(JsonGenerator json, Finding finding) {
        json.writeStartObject();
        json.writeStringProperty("topic", finding.stream());
        json.writeNumberProperty("seq", finding.seq());
        if (finding.subject() != null) {
            json.writeStringProperty("proposal", finding.subject());
        }
        json.writeStringProperty("what", word(finding));
        json.writeStringProperty("detail", finding.detail());
        json.writeEndObject();
    }

    private static void json(JsonGenerator json, Noted.Checked checked) {
        json.writeStartObject();
        json.writeStringProperty("head", checked.noted().toString());
        json.writeStringProperty("result", checked.result().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }
}
