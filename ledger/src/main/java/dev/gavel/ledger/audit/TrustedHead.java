package dev.gavel.ledger.audit;

import dev.gavel.ledger.Hash;
import java.util.Optional;

/**
 * The seq and hash of a stream's end, recorded earlier outside the ledger, to compare with the ledger's chain.
 * Immutable.
 */
public record TrustedHead(String stream, long seq, Hash hash) {
    /** Reads what {@link #toString} writes; empty where it is nothing of the kind. A stream's name may have any sign in it. */
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

    /** As {@code stream=seq:hash}. */
    @Override
    public String toString() {
        return stream + "=" + seq + ":" + hash;
    }

    /** What became of it. */
    public enum Result {
        /** It is as noted: nothing up to there has changed, as far as the rest of the chain is sound. */
        RIGHT,
        /** Another event, or none, stands there. */
        WRONG,
        /** That event was pruned together with the one after it, so nothing is left to compare with. */
        FORGOTTEN
    }

    /** A noted end and what became of it. */
    public record Comparison(TrustedHead head, Result result) {}
}
