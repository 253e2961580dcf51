package dev.gavel.gateway.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.json.Json;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Converts call records to the JSON that the ledger stores, and back. Stateless. */
final class CallRecordCodec {
    private CallRecordCodec() {}

    /** Encodes one record. */
    static byte[] encode(CallRecord callRecord) {
        return JsonByteWriter.write(json -> {
            json.writeStartObject();
            switch (callRecord) {
                case CallRecord.Called called -> write(json, called);
                case CallRecord.Answered answered -> write(json, answered);
                case CallRecord.Lost(Instant since, Instant at, long count) -> {
                    writeHead(json, "lost", at);
                    json.writeStringProperty("since", since.toString());
                    json.writeNumberProperty("count", count);
                }
            }
            json.writeEndObject();
        });
    }

    private static void writeHead(JsonGenerator json, String type, Instant at) {
        json.writeStringProperty("type", type);
        json.writeStringProperty("at", at.toString());
    }

    private static void write(JsonGenerator json, CallRecord.Called called) {
        writeHead(json, "called", called.at());
        json.writeStringProperty("id", called.id());
        writeDetails(json, called);
    }

    /** Writes what a call was: all but its id and time. */
    static void writeDetails(JsonGenerator json, CallRecord.Called called) {
        json.writeStringProperty("by", called.by());
        json.writeArrayPropertyStart("to");
        called.to().forEach(json::writeString);
        json.writeEndArray();
        json.writeStringProperty("method", called.method());
        if (called.name() != null) {
            json.writeStringProperty("name", called.name());
        }
        json.writeStringProperty("digest", called.digest());
        json.writeNumberProperty("bytes", called.bytes());
        if (called.proposal() != null) {
            json.writeStringProperty("proposal", called.proposal());
        }
    }

    private static void write(JsonGenerator json, CallRecord.Answered answered) {
        writeHead(json, "answered", answered.at());
        json.writeStringProperty("id", answered.id());
        json.writeStringProperty("caller", answered.caller());
        json.writeStringProperty("by", answered.by());
        json.writeStringProperty("outcome", answered.outcome().label());
        if (answered.micros() != null) {
            json.writeNumberProperty("micros", answered.micros());
        }
        if (answered.calledAt() != null) {
            json.writeStringProperty("calledAt", answered.calledAt().toString());
        }
    }

    /** Returns the body of a ledger event with these encoded records. */
    static LedgerBody body(String gateway, List<byte[]> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("{\"gateway\":" + Json.ofText(gateway).raw() + ",\"records\":[").getBytes(UTF_8));
        for (int i = 0; i < records.size(); i++) {
            if (i > 0) {
                out.write(',');
            }
            out.writeBytes(records.get(i));
        }
        out.writeBytes("]}".getBytes(UTF_8));
        return LedgerBody.of(out.toByteArray());
    }

    /** Returns the records in the body of an event. Records of an unknown type are left out. */
    static List<CallRecord> records(LedgerBody body) {
        List<CallRecord> records = new ArrayList<>();
        Json.parse(body.toString())
                .ifPresent(json -> json.at("records")
                        .elements()
                        .forEach(each -> decode(each).ifPresent(records::add)));
        return records;
    }

    private static Optional<CallRecord> decode(Json json) {
        Instant at = Instant.parse(json.at("at").text());
        return switch (json.at("type").text()) {
            case "called" ->
                Optional.of(new CallRecord.Called(
                        at,
                        json.at("id").text(),
                        json.at("by").text(),
                        json.at("to").texts(),
                        json.at("method").text(),
                        textOrNull(json.at("name")),
                        json.at("digest").text(),
                        (int) json.at("bytes").asLong(0),
                        textOrNull(json.at("proposal"))));
            case "answered" ->
                CallOutcome.parse(json.at("outcome").text())
                        .map(outcome -> new CallRecord.Answered(
                                at,
                                json.at("id").text(),
                                json.at("caller").text(),
                                json.at("by").text(),
                                outcome,
                                json.at("micros").isPresent()
                                        ? json.at("micros").asLong(0)
                                        : null,
                                json.at("calledAt").asText().map(Instant::parse).orElse(null)));
            case "lost" ->
                Optional.of(new CallRecord.Lost(
                        Instant.parse(json.at("since").text()),
                        at,
                        json.at("count").asLong(0)));
            default -> Optional.empty();
        };
    }

    private static @Nullable String textOrNull(Json value) {
        return value.asText().orElse(null);
    }
}
