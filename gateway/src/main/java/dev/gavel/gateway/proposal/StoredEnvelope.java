package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.SyntaxVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/** A lifecycle envelope as the ledger stores it, with sender and timestamp. Immutable. */
public final class StoredEnvelope {
    /** The gateway's limits were held when it arrived; stamps may have made it a little longer since. */
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
            throw new IllegalArgumentException("the envelope was never stamped");
        }
        this.from = sender;
        this.to = to == null ? envelope.to() : List.copyOf(to);
    }

    /** What is kept of an envelope that has arrived. */
    public static StoredEnvelope of(AdmittedEnvelope admittedEnvelope) {
        return new StoredEnvelope(
                admittedEnvelope
                        .envelope()
                        .encode(SyntaxVersion.CURRENT, admittedEnvelope.from(), admittedEnvelope.at()),
                admittedEnvelope.to());
    }

    /**
     * What was kept; an {@link IllegalArgumentException} where the text is no stamped envelope.
     *
     * @param to null where the envelope's own says it
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

    /** The envelope, its {@code to} as it was written. */
    public Envelope envelope() {
        return envelope;
    }

    /** The bytes to send a receiver of that spelling. */
    public byte[] encode(SyntaxVersion syntaxVersion) {
        // It is stamped already, so the time given here stands nowhere.
        return to.equals(envelope.to())
                ? envelope.encode(syntaxVersion, from, Instant.EPOCH)
                : envelope.encode(syntaxVersion, from, Instant.EPOCH, to);
    }

    /** Whether an envelope under the same id is this one sent again: same sender, kind, to, correlationId, payload. */
    public boolean isResentAs(AdmittedEnvelope admittedEnvelope) {
        Envelope other = admittedEnvelope.envelope();
        return from.equals(admittedEnvelope.from())
                && envelope.id().equals(other.id())
                && envelope.kind().equals(other.kind())
                && envelope.to().equals(other.to())
                && envelope.correlationIds().equals(other.correlationIds())
                && envelope.payload().equals(other.payload());
    }

    /** The same about fewer proposals: those of a batch that succeeded. Every other value stays byte for byte. */
    public StoredEnvelope withProposalIds(List<String> ids) {
        if (ids.equals(envelope.correlationIds())) {
            return this;
        }
        byte[] narrowed = JsonByteWriter.write(json -> {
            try (JsonParser parser = StoredJsonParserFactory.create(text)) {
                parser.nextToken();
                json.writeStartObject();
                for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                    parser.nextToken();
                    int start = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    // Jackson reads a string only when asked for it; before that its end is not known.
                    parser.finishToken();
                    int end = (int) parser.currentLocation().getByteOffset();
                    if (name.equals(SyntaxVersion.CURRENT.correlationIdField())) {
                        ProposalEventCodec.texts(json, name, ids);
                    } else {
                        json.writeName(name);
                        json.writeRawValue(new String(text, start, end - start, StandardCharsets.UTF_8));
                    }
                }
                json.writeEndObject();
            }
        });
        return new StoredEnvelope(narrowed, to);
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
