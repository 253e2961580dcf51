package dev.gavel.mcp.bridge;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Where a bridge takes part: a topic of this process, or of another. Thread-safe. */
public interface Venue {
    /** Why nobody can take part there now; nothing where they can. Spares a server from being started for nothing. */
    default Optional<String> closed() {
        return Optional.empty();
    }

    /**
     * Whether calls that come there are still this process's to run: asked right before each is, because one that was
     * stopped for a while may have been succeeded by another in the meantime.
     */
    default boolean ours() {
        return true;
    }

    /**
     * Takes part from now on.
     *
     * @throws IOException where that is not possible, with a message that says why
     */
    Place join(Occupant occupant) throws IOException;

    /**
     * Finds what was asked of the member before it came there, and is still to be answered, though whoever took part in its
     * name then is gone; where that can be known. Never waits.
     *
     * @param found given each, on whatever thread
     */
    default void unanswered(Consumer<Asked> found) {}

    /** What an envelope is worth to who sends it. */
    enum Worth {
        /** Passes over where there is no room for it. */
        NOTICE,
        /** Somebody waits for it. */
        ANSWER,
        /** The ledger keeps it, and it is to arrive even if the way is interrupted. */
        KEPT
    }

    /** Nobody of that name and token will be let in again: trying once more is of no use. */
    final class Barred extends IOException {
        private static final long serialVersionUID = 1L;

        Barred(String why) {
            super(why);
        }
    }

    /** A place in the topic, until it is closed. Thread-safe. */
    interface Place extends AutoCloseable {
        /**
         * Sends an envelope; never waits.
         *
         * @param failed told why, where it is known not to have arrived
         */
        void send(byte[] envelope, Worth worth, Consumer<String> failed);

        /** Leaves; waits a few seconds at most. */
        @Override
        void close();
    }

    /** Who takes part. Must not hold up who calls it. */
    interface Occupant {
        /** An envelope came. */
        void heard(byte[] envelope);

        /** The way was interrupted and is back: others may have missed what was said, or begun anew. */
        void returned();

        /**
         * The place is lost.
         *
         * @param forGood whether trying to get it back is of no use
         */
        void expelled(String why, boolean forGood);
    }
}
