package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import java.util.Optional;

/**
 * The sequence number and hash of a stream's last event, kept outside the ledger to detect whether someone later
 * changes the stream. Immutable.
 */
public record TrustedHead(String stream, long seq, Hash hash) {
    /**
     * Parses what {@link #toString} writes; empty if the text has another form. A stream's name may contain any
     * character.
     */
    public static Optional<TrustedHead> parse(String text) {
        int equals = text.lastIndexOf('=');
        int colon = text.lastIndexOf(':');
        if (equals < 1 || colon < equals) {
            return Optional.empty();
        }
        try {
            long seq = Long.parseLong(text.substring(equals + 1, colon));
            return seq < 1
                    ? Optional.empty()
                    : Hash.parse(text.substring(colon + 1))
                            .map(hash -> new TrustedHead(text.substring(0, equals), seq, hash));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns the form {@code stream=seq:hash}. */
    @Override
    public String toString() {
        return stream + "=" + seq + ":" + hash;
    }

    /** The result of comparing a trusted head with the chain. */
    public enum Result {
        /** The hash matches: nothing up to this seq has changed, provided that the rest of the chain is intact. */
        RIGHT,
        /** The chain has another event at this seq, or none. */
        WRONG,
        /** The event was pruned together with its successor, so there is no hash left to compare with. */
        FORGOTTEN
    }

    /** A trusted head with the result of its comparison. */
    public record Comparison(TrustedHead head, Result result) {}
}
