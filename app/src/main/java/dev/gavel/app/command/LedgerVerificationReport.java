package dev.gavel.app.command;

import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import dev.gavel.mcpx.text.SafeText;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The report that {@code gavel ledger verify} prints as text or JSON: the verified topics and the findings. Immutable.
 *
 * @param lost the number of topics that are missing completely
 */
record LedgerVerificationReport(List<StreamAuditResult> topics, long lost) {
    /** The maximum number of findings listed; further findings are only counted. */
    private static final int MAX_SHOWN = 100;

    LedgerVerificationReport {
        topics = List.copyOf(topics);
    }

    /** The total number of findings. */
    long findingCount() {
        return lost
                + topics.stream()
                        .mapToLong(topic -> topic.findings().size() + topic.moreFindings())
                        .sum();
    }

    private List<AuditFinding> shownFindings() {
        return topics.stream()
                .flatMap(topic -> topic.findings().stream())
                .limit(MAX_SHOWN)
                .toList();
    }

    /** A line for each topic, then a line for each finding. */
    String text() {
        List<String> lines = new ArrayList<>();
        topics.forEach(topic -> lines.add(line(topic)));
        for (AuditFinding finding : shownFindings()) {
            lines.add(line(finding));
        }
        long hiddenCount = findingCount() - lost - shownFindings().size();
        if (hiddenCount > 0) {
            lines.add("and " + hiddenCount + " more");
        }
        if (lost > 0) {
            lines.add(lost(lost));
        }
        for (StreamAuditResult topic : topics) {
            for (TrustedHead.Comparison comparison : topic.comparedHeads()) {
                if (comparison.result() == TrustedHead.Result.FORGOTTEN) {
                    lines.add(
                            "%s, seq %d: this head cannot be compared: retention has deleted the event and the one after it"
                                    .formatted(
                                            SafeText.line(topic.stream()),
                                            comparison.head().seq()));
                }
            }
        }
        lines.add(findingCount() == 0 ? "no findings: all events are unchanged" : counted(findingCount(), "finding"));
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static String line(StreamAuditResult topic) {
        return SafeText.line(topic.stream())
                + ": "
                + counted(topic.events(), "event")
                + " verified"
                + (topic.prunedEvents() == 0 ? "" : ", " + topic.prunedEvents() + " deleted by retention")
                + "; head "
                + SafeText.line(head(topic));
    }

    private static String line(AuditFinding finding) {
        return "%s, seq %d%s: %s: %s"
                .formatted(
                        SafeText.line(finding.stream()),
                        finding.seq(),
                        finding.subject() == null ? "" : ", proposal " + SafeText.brief(finding.subject(), 80),
                        describe(finding),
                        SafeText.brief(finding.detail(), 300));
    }

    private static String lost(long lost) {
        return lost == 1
                ? "missing: 1 whole topic; its name is unknown"
                : "missing: " + lost + " whole topics; their names are unknown";
    }

    private static String describe(AuditFinding finding) {
        return finding.kind().name().toLowerCase(Locale.ROOT);
    }

    private static String head(StreamAuditResult topic) {
        return topic.head() == null
                ? "unknown"
                : new TrustedHead(topic.stream(), topic.lastSeq(), topic.head()).toString();
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    String json() {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeBooleanProperty("ok", findingCount() == 0);
            json.writeArrayPropertyStart("topics");
            topics.forEach(topic -> json(json, topic));
            json.writeEndArray();
            json.writeArrayPropertyStart("findings");
            shownFindings().forEach(finding -> json(json, finding));
            json.writeEndArray();
            json.writeNumberProperty(
                    "more", findingCount() - lost - shownFindings().size());
            json.writeNumberProperty("lostTopics", lost);
            json.writeArrayPropertyStart("heads");
            topics.forEach(topic -> topic.comparedHeads().forEach(comparison -> json(json, comparison)));
            json.writeEndArray();
            json.writeEndObject();
        }
        return SafeText.json(text.toString());
    }

    private static void json(JsonGenerator json, StreamAuditResult topic) {
        json.writeStartObject();
        json.writeStringProperty("topic", topic.stream());
        json.writeNumberProperty("events", topic.events());
        json.writeNumberProperty("forgotten", topic.prunedEvents());
        json.writeNumberProperty("seq", topic.lastSeq());
        if (topic.head() != null) {
            json.writeStringProperty("hash", topic.head().toString());
            json.writeStringProperty("head", head(topic));
        }
        json.writeEndObject();
    }

    private static void json(JsonGenerator json, AuditFinding finding) {
        json.writeStartObject();
        json.writeStringProperty("topic", finding.stream());
        json.writeNumberProperty("seq", finding.seq());
        if (finding.subject() != null) {
            json.writeStringProperty("proposal", finding.subject());
        }
        json.writeStringProperty("what", describe(finding));
        json.writeStringProperty("detail", finding.detail());
        json.writeEndObject();
    }

    private static void json(JsonGenerator json, TrustedHead.Comparison comparison) {
        json.writeStartObject();
        json.writeStringProperty("head", comparison.head().toString());
        json.writeStringProperty("result", comparison.result().name().toLowerCase(Locale.ROOT));
        json.writeEndObject();
    }
}
