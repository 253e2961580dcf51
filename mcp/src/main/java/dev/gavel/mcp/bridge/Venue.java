package dev.gavel.mcp.bridge;

import java.io.IOException;
import java.util.Optional;

/** Where a bridge takes part: a topic of this process, or of another. Thread-safe. */
public interface Venue {
    /** Why nobody can take part there now; nothing where they can. Spares a server from being started for nothing. */
    default Optional<String> closed() {
        return Optional.empty();
    }

    /**
     * Takes part from now on.
     *
     * @throws IOException where that is not possible, with a message that says why
     */
    Place join(Occupant occupant) throws IOException;

    /** A place in the topic, until it is closed. Thread-safe. */
    interface Place extends AutoCloseable {
        /** Sends an envelope. */
        void send(byte[] envelope);

        /** Leaves. */
        @Override
        void close();
    }

    /** Who takes part. Must not hold up who calls it. */
    interface Occupant {
        /** An envelope came. */
        void heard(byte[] envelope);

        /** The place is lost. */
        void expelled(String why);
    }
}
