package dev.gavel.gateway.delivery;

import dev.gavel.mcpx.Spelling;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An envelope on its way out, encoded at most once in each spelling however many receive it. Confined to the topic's
 * loop.
 */
public final class Outgoing {
    /** Stands for an envelope that has no place in a ledger. */
    static final long NO_SEQ = 0;

    private final Function<Spelling, byte[]> encoder;
    private final long seq;
    private byte @Nullable [] current;
    private byte @Nullable [] old;

    public Outgoing(Function<Spelling, byte[]> encoder) {
        this(NO_SEQ, encoder);
    }

    /**
     * An envelope about an event of the ledger.
     *
     * @param seq the event's
     */
    public Outgoing(long seq, Function<Spelling, byte[]> encoder) {
        this.seq = seq;
        this.encoder = encoder;
    }

    long seq() {
        return seq;
    }

    /** The envelope's bytes in a spelling. */
    public byte[] in(Spelling spelling) {
        byte[] known = spelling == Spelling.CURRENT ? current : old;
        if (known != null) {
            return known;
        }
        byte[] encoded = encoder.apply(spelling);
        if (spelling == Spelling.CURRENT) {
            current = encoded;
        } else {
            old = encoded;
        }
        return encoded;
    }
}
