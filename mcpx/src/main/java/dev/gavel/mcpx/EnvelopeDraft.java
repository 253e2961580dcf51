package dev.gavel.mcpx;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The fields of a new envelope except its payload; encodes them together with a payload. Immutable.
 *
 * @param from null if the gateway is to stamp it
 * @param ts null if the gateway is to stamp it
 * @param to the recipients; empty for a broadcast
 * @param correlationIds the envelopes it refers to; one is written as a string, several as an array
 * @param definitionDigests the digests of the tool definitions for which it approves a proposal
 * @param unchecked whether the gateway is not to check edited arguments of an approval
 */
public record EnvelopeDraft(
        String id,
        Kind kind,
        @Nullable String from,
        @Nullable Instant ts,
        List<String> to,
        List<String> correlationIds,
        List<String> definitionDigests,
        boolean unchecked) {
    public EnvelopeDraft {
        to = List.copyOf(to);
        correlationIds = List.copyOf(correlationIds);
        definitionDigests = List.copyOf(definitionDigests);
    }

    /** Returns a broadcast with this id and kind. */
    public static EnvelopeDraft of(String id, Kind kind) {
        return new EnvelopeDraft(id, kind, null, null, List.of(), List.of(), List.of(), false);
    }

    /** Returns a copy with this sender and timestamp. */
    public EnvelopeDraft withSender(String sender, Instant at) {
        return new EnvelopeDraft(id, kind, sender, at, to, correlationIds, definitionDigests, unchecked);
    }

    /** Returns a copy with these recipients. */
    public EnvelopeDraft withRecipients(List<String> recipients) {
        return new EnvelopeDraft(id, kind, from, ts, recipients, correlationIds, definitionDigests, unchecked);
    }

    /** Returns a copy with these correlation ids. */
    public EnvelopeDraft withCorrelationIds(List<String> ids) {
        return new EnvelopeDraft(id, kind, from, ts, to, ids, definitionDigests, unchecked);
    }

    /** Returns a copy that approves a proposal for these tool definitions, checked or not. */
    public EnvelopeDraft withApproval(List<String> digests, boolean withoutCheck) {
        return new EnvelopeDraft(id, kind, from, ts, to, correlationIds, digests, withoutCheck);
    }

    /** Encodes the envelope with a payload that is JSON already. */
    public byte[] encode(EnvelopeSyntax syntaxVersion, RawPayload payload) {
        return encode(syntaxVersion, generator -> generator.writeRawValue(payload.toString()));
    }

    /** Encodes the envelope; {@code payload} must write one JSON object. */
    public byte[] encode(EnvelopeSyntax syntaxVersion, Consumer<JsonGenerator> payload) {
        return JsonByteWriter.write(generator -> {
            generator.writeStartObject();
            generator.writeStringProperty("protocol", Envelope.PROTOCOL);
            generator.writeStringProperty("id", id);
            if (ts != null) {
                generator.writeStringProperty("ts", new String(Rfc3339Format.format(ts), StandardCharsets.US_ASCII));
            }
            if (from != null) {
                generator.writeStringProperty("from", from);
            }
            if (!to.isEmpty()) {
                generator.writeName("to");
                writeStrings(generator, to);
            }
            generator.writeStringProperty("kind", kind.format(syntaxVersion));
            if (correlationIds.size() == 1) {
                generator.writeStringProperty(syntaxVersion.correlationIdField(), correlationIds.getFirst());
            } else if (!correlationIds.isEmpty()) {
                generator.writeName(syntaxVersion.correlationIdField());
                writeStrings(generator, correlationIds);
            }
            if (!definitionDigests.isEmpty()) {
                generator.writeName("definition");
                writeStrings(generator, definitionDigests);
            }
            if (unchecked) {
                generator.writeBooleanProperty("unchecked", true);
            }
            generator.writeName("payload");
            payload.accept(generator);
            generator.writeEndObject();
        });
    }

    static void writeStrings(JsonGenerator generator, List<String> strings) {
        generator.writeStartArray();
        strings.forEach(generator::writeString);
        generator.writeEndArray();
    }
}
