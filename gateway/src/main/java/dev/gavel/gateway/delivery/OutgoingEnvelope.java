package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.EnvelopeSyntax;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An envelope to be delivered to receivers, which caches its encoded bytes for each syntax. Confined to the topic's
 * loop.
 */
public final class OutgoingEnvelope {
    /** The seq of an envelope that is not in the ledger. */
    static final long NO_SEQ = 0;

    private final Function<EnvelopeSyntax, byte[]> encoder;
    private final long seq;
    private byte @Nullable [] currentBytes;
    private byte @Nullable [] legacy;

    public OutgoingEnvelope(Function<EnvelopeSyntax, byte[]> encoder) {
        this(NO_SEQ, encoder);
    }

    /**
     * Creates an envelope about an event of the ledger.
     *
     * @param seq the event's seq
     */
    public OutgoingEnvelope(long seq, Function<EnvelopeSyntax, byte[]> encoder) {
        this.seq = seq;
        this.encoder = encoder;
    }

    long seq() {
        return seq;
    }

    /** Returns the envelope's bytes in a syntax. */
    public byte[] encode(EnvelopeSyntax syntaxVersion) {
        byte[] cached = syntaxVersion == EnvelopeSyntax.CURRENT ? currentBytes : legacy;
        if (cached != null) {
            return cached;
        }
        byte[] encoded = encoder.apply(syntaxVersion);
        if (syntaxVersion == EnvelopeSyntax.CURRENT) {
            currentBytes = encoded;
        } else {
            legacy = encoded;
        }
        return encoded;
    }
}
