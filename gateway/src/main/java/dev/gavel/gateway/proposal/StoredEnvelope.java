package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.RawPayload;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** An envelope about a proposal as the ledger stores it, with sender and timestamp. Immutable. */
public final class StoredEnvelope {
    /** The gateway's limits were checked on receipt; stamping may have lengthened the envelope since. */
    private static final EnvelopeReader READER = new EnvelopeReader(EnvelopeLimits.NONE);

    private final Envelope envelope;
    private final String from;
    private final byte[] text;
    private final List<String> to;

    private StoredEnvelope(byte[] text, @Nullable List<String> to) {
        this.text = text;
        this.envelope = switch (READER.read(text)) {
            case Envelope read -> read;
            case EnvelopeRefusal refusal -> throw new IllegalArgumentException(refusal.message());
        };
        String sender = envelope.from();
        if (sender == null || envelope.ts() == null) {
            throw new IllegalArgumentException("the envelope has no sender or no time");
        }
        this.from = sender;
        this.to = to == null ? envelope.to() : List.copyOf(to);
    }

    /** Creates the stored form of an admitted envelope. */
    public static StoredEnvelope of(AdmittedEnvelope admittedEnvelope) {
        return new StoredEnvelope(
                admittedEnvelope
                        .envelope()
                        .encode(EnvelopeSyntax.CURRENT, admittedEnvelope.from(), admittedEnvelope.receivedAt()),
                admittedEnvelope.to());
    }

    /**
     * Loads a stored envelope. Throws {@link IllegalArgumentException} if the text is not a stamped envelope.
     *
     * @param to the recipients; null if they equal the envelope's {@code to}
     */
    static StoredEnvelope load(byte[] text, @Nullable List<String> to) {
        return new StoredEnvelope(text, to);
    }

    public String id() {
        return envelope.id();
    }

    public String from() {
        return from;
    }

    /** The members it was addressed to, {@code can:} entries resolved; empty for a broadcast. */
    public List<String> to() {
        return to;
    }

    /** The envelope, with its {@code to} as sent. */
    public Envelope envelope() {
        return envelope;
    }

    /** Returns the bytes for a receiver of that syntax. */
    public byte[] encode(EnvelopeSyntax syntaxVersion) {
        // The envelope is already stamped, so the time given here is not used.
        return to.equals(envelope.to())
                ? envelope.encode(syntaxVersion, from, Instant.EPOCH)
                : envelope.encode(syntaxVersion, from, Instant.EPOCH, to);
    }

    /**
     * Whether an envelope with the same id is a resend of this one: same sender, kind, to, correlationId and payload.
     */
    public boolean isResentAs(AdmittedEnvelope admittedEnvelope) {
        Envelope other = admittedEnvelope.envelope();
        return from.equals(admittedEnvelope.from())
                && envelope.id().equals(other.id())
                && envelope.kind().equals(other.kind())
                && envelope.to().equals(other.to())
                && envelope.correlationIds().equals(other.correlationIds())
                && envelope.payload().equals(other.payload());
    }

    /**
     * Returns the envelope with fewer proposal ids: those of a batch that succeeded. All other values keep their bytes.
     */
    public StoredEnvelope withProposalIds(List<String> ids) {
        return ids.equals(envelope.correlationIds())
                ? this
                : withField(
                        EnvelopeSyntax.CURRENT.correlationIdField(),
                        (json, name) -> ProposalEventCodec.writeTexts(json, name, ids));
    }

    /** Returns the envelope with another payload. All other values keep their bytes. */
    StoredEnvelope withPayload(RawPayload payload) {
        return payload.equals(envelope.payload())
                ? this
                : withField("payload", (json, name) -> {
                    json.writeName(name);
                    json.writeRawValue(payload.toString());
                });
    }

    private StoredEnvelope withField(String field, BiConsumer<JsonGenerator, String> writer) {
        byte[] changed = JsonByteWriter.write(json -> {
            try (JsonParser parser = StoredJsonParserFactory.create(text)) {
                parser.nextToken();
                json.writeStartObject();
                for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                    parser.nextToken();
                    int start = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    // Jackson reads a string lazily; before that its end is not known.
                    parser.finishToken();
                    int end = (int) parser.currentLocation().getByteOffset();
                    if (name.equals(field)) {
                        writer.accept(json, name);
                    } else {
                        json.writeName(name);
                        json.writeRawValue(new String(text, start, end - start, StandardCharsets.UTF_8));
                    }
                }
                json.writeEndObject();
            }
        });
        return new StoredEnvelope(changed, to);
    }

    /** Returns the envelope with the digests of the tool definitions that it approves, unless it names some already. */
    StoredEnvelope withDefinitions(List<String> digests) {
        if (digests.isEmpty() || !envelope.definitionDigests().isEmpty()) {
            return this;
        }
        byte[] extended = JsonByteWriter.write(json -> {
            json.writeStartObject();
            ProposalEventCodec.writeTexts(json, "definition", digests);
            json.writeEndObject();
        });
        // Both texts are objects with members: the closing brace of the first becomes the comma between them.
        int start = 0;
        while (text[start] != '{') {
            start++;
        }
        byte[] joined = Arrays.copyOf(extended, extended.length + text.length - start - 1);
        joined[extended.length - 1] = ',';
        System.arraycopy(text, start + 1, joined, extended.length, text.length - start - 1);
        return new StoredEnvelope(joined, to);
    }

    String text() {
        return new String(text, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredEnvelope that && Arrays.equals(text, that.text) && to.equals(that.to);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(text), to);
    }

    @Override
    public String toString() {
        return text() + " to " + to;
    }
}
