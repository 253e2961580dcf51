package dev.gavel.mcp.bridge;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Joins a bridge to its topic, in this process or at a remote gateway. Thread-safe. */
public interface TopicConnector {
    /** Why nobody can take part there now; nothing where they can. Spares a server from being started for nothing. */
    default Optional<String> unavailableReason() {
        return Optional.empty();
    }

    /**
     * Whether calls that come there are still this process's to run: asked right before each is, because one that was
     * stopped for a while may have been succeeded by another in the meantime.
     */
    default boolean isOwner() {
        return true;
    }

    /**
     * Takes part from now on.
     *
     * @throws IOException where that is not possible, with a message that says why
     */
    TopicSession join(TopicListener topicListener) throws IOException;

    /**
     * Finds what was asked of the member before it came there, and is still to be answered, though whoever took part in its
     * name then is gone; where that can be known. Never waits.
     *
     * @param found given each, on whatever thread
     */
    default void findUnanswered(Consumer<TopicRequest> found) {}

    /** What an envelope is worth to who sends it. */
    enum DeliveryMode {
        /** Passes over where there is no room for it. */
        BEST_EFFORT,
        /** Somebody waits for it. */
        NORMAL,
        /** The ledger keeps it, and it is to arrive even if the way is interrupted. */
        DURABLE
    }

    /** Nobody of that name and token will be let in again: trying once more is of no use. */
    final class JoinRefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        JoinRefusedException(String why) {
            super(why);
        }
    }

    /** A place in the topic, until it is closed. Thread-safe. */
    interface TopicSession extends AutoCloseable {
        /**
         * Sends an envelope; never waits.
         *
         * @param failed told why, where it is known not to have arrived
         */
        void send(byte[] envelope, DeliveryMode deliveryMode, Consumer<String> failed);

        /** Leaves; waits a few seconds at most. */
        @Override
        void close();
    }

    /** Who takes part. Must not hold up who calls it. */
    interface TopicListener {
        /** An envelope came. */
        void onEnvelope(byte[] envelope);

        /** The way was interrupted and is back: others may have missed what was said, or begun anew. */
        void onReconnect();

        /**
         * The place is lost.
         *
         * @param forGood whether trying to get it back is of no use
         */
        void onRemoved(String why, boolean forGood);
    }
}
