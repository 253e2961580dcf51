package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.JsonText;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.Spelling;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;

/**
 * A lifecycle envelope as the ledger keeps it: the whole of it, so that it can be replayed with the fields we do not know
 * and told from another under its id; in today's spelling, with {@code from} and {@code ts} stamped. Immutable.
 */
public final class Sent {
    /** The gateway's limits were held when it arrived; stamps may have made it a little longer since. */
    private static final EnvelopeReader READER = new EnvelopeReader(Limits.NONE);

    private final Envelope envelope;
    private final String from;
    private final byte[] text;
    private final List<String> to;

    private Sent(byte[] text, @Nullable List<String> to) {
        this.text = text;
        this.envelope = switch (READER.read(text)) {
            case Envelope read -> read;
            case Refusal refusal -> throw new IllegalArgumentException(refusal.message());
        };
        String sender = envelope.from();
        if (sender == null || envelope.ts() == null) {
            throw new IllegalArgumentException("the envelope was never stamped");
        }
        this.from = sender;
        this.to = to == null ? envelope.to() : List.copyOf(to);
    }

    /** What is kept of an envelope that has arrived. */
    public static Sent of(Arrival arrival) {
        return new Sent(arrival.envelope().encode(Spelling.CURRENT, arrival.from(), arrival.at()), arrival.to());
    }

    /**
     * What was kept; an {@link IllegalArgumentException} where the text is no stamped envelope.
     *
     * @param to null where the envelope's own says it
     */
    static Sent kept(byte[] text, @Nullable List<String> to) {
        return new Sent(text, to);
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
    public byte[] encode(Spelling spelling) {
        // It is stamped already, so the time given here stands nowhere.
        return to.equals(envelope.to())
                ? envelope.encode(spelling, from, Instant.EPOCH)
                : envelope.encode(spelling, from, Instant.EPOCH, to);
    }

    /** Whether an envelope under the same id is this one sent again: same sender, kind, to, correlationId, payload. */
    public boolean isSentAgainAs(Arrival arrival) {
        Envelope other = arrival.envelope();
        return from.equals(arrival.from())
                && envelope.id().equals(other.id())
                && envelope.kind().equals(other.kind())
                && envelope.to().equals(other.to())
                && envelope.correlationIds().equals(other.correlationIds())
                && envelope.payload().equals(other.payload());
    }

    /** The same about fewer proposals: those of a batch that succeeded. Every other value stays byte for byte. */
    public Sent about(List<String> ids) {
        if (ids.equals(envelope.correlationIds())) {
            return this;
        }
        byte[] narrowed = JsonText.write(json -> {
            try (JsonParser parser = Json.parser(text)) {
                parser.nextToken();
                json.writeStartObject();
                for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                    parser.nextToken();
                    int start = (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    // Jackson reads a string only when asked for it; before that its end is not known.
                    parser.finishToken();
                    int end = (int) parser.currentLocation().getByteOffset();
                    if (name.equals(Spelling.CURRENT.correlationId())) {
                        ProposalEvents.texts(json, name, ids);
                    } else {
                        json.writeName(name);
                        json.writeRawValue(new String(text, start, end - start, StandardCharsets.UTF_8));
                    }
                }
                json.writeEndObject();
            }
        });
        return new Sent(narrowed, to);
    }

    String text() {
        return new String(text, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Sent that && Arrays.equals(text, that.text) && to.equals(that.to);
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
