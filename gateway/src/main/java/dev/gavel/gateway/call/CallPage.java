package dev.gavel.gateway.call;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.mcpx.JsonByteWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * A page of recorded calls, newest first. It may have no calls although a next page exists, if many records had to be
 * read. Immutable.
 *
 * @param gaps the places in the records that were read where records are missing, newest first
 * @param nextCursor where the next page begins; empty if this is the last page
 * @param names the names of the members, for people
 */
public record CallPage(
        List<AuditedCall> calls, List<CallRecordGap> gaps, Optional<String> nextCursor, MemberNames names) {
    public CallPage {
        calls = List.copyOf(calls);
        gaps = List.copyOf(gaps);
    }

    CallPage withNames(MemberNames memberNames) {
        return new CallPage(calls, gaps, nextCursor, memberNames);
    }

    /** Returns the page as JSON. */
    public byte[] toJson() {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            json.writeArrayPropertyStart("calls");
            calls.forEach(call -> write(json, call));
            json.writeEndArray();
            json.writeArrayPropertyStart("gaps");
            gaps.forEach(gap -> write(json, gap));
            json.writeEndArray();
            nextCursor.ifPresent(cursor -> json.writeStringProperty("cursor", cursor));
            writeNames(json);
            json.writeEndObject();
        });
    }

    /** Writes the display names of the callers and addressees, as far as they differ from the ids. */
    private void writeNames(JsonGenerator json) {
        Set<String> ids = new TreeSet<>();
        calls.forEach(call -> {
            ids.add(call.called().by());
            ids.addAll(call.called().to());
        });
        ids.removeIf(id -> names.of(id).equals(id));
        if (!ids.isEmpty()) {
            json.writeObjectPropertyStart("names");
            ids.forEach(id -> json.writeStringProperty(id, names.of(id)));
            json.writeEndObject();
        }
    }

    private static void write(JsonGenerator json, AuditedCall audited) {
        CallRecord.Called called = audited.called();
        json.writeStartObject();
        json.writeStringProperty("id", called.id());
        json.writeStringProperty("at", called.at().toString());
        CallRecordCodec.writeDetails(json, called);
        json.writeStringProperty("outcome", audited.outcome().label());
        audited.answer().ifPresent(answer -> {
            json.writeStringProperty("answeredBy", answer.by());
            json.writeStringProperty("answeredAt", answer.at().toString());
            if (answer.micros() != null) {
                json.writeNumberProperty("micros", answer.micros());
            }
        });
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, CallRecordGap gap) {
        json.writeStartObject();
        json.writeStringProperty("reason", gap.reason().name().toLowerCase(Locale.ROOT));
        gap.since().ifPresent(since -> json.writeStringProperty("since", since.toString()));
        json.writeStringProperty("at", gap.at().toString());
        gap.count().ifPresent(count -> json.writeNumberProperty("records", count));
        json.writeStringProperty("text", gap.reason().text());
        json.writeEndObject();
    }
}
