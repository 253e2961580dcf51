package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.ledger.Growth;
import java.util.List;

/** What processes say to each other. Immutable. */
sealed interface Message {
    /** An envelope; the channel says in which topic. */
    record Carried(Parcel parcel) implements Message {}

    /** The ledger has grown. */
    record Wrote(Growth growth) implements Message {}

    /**
     * The process lives.
     *
     * @param revision how often it changed who is present there
     */
    record Beat(long revision) implements Message {}

    /** The process wants to know who is present elsewhere; and it lives. */
    record Ask(long revision) implements Message {}

    /** A member is present, or is so in another way. */
    record Came(long revision, String topic, Stay stay) implements Message {}

    /** A member is present no more. */
    record Left(long revision, String topic, String member) implements Message {}

    /**
     * Who is present, or one piece of it.
     *
     * @param asked the session of the asker's in which it asked
     * @param revision what it is the state of, once the last piece is there
     * @param index counts pieces, from 0
     */
    record Answer(long asked, long revision, int index, boolean last, List<Presence> present) implements Message {
        public Answer {
            present = List.copyOf(present);
        }
    }

    /** The process ends. */
    record Farewell() implements Message {}

    /** A member's being present in a topic. */
    record Presence(String topic, Stay stay) {}

    /**
     * A message with who sent it.
     *
     * @param session counts the connections of its process: what came by an earlier one and arrives late is told by it
     */
    record Heard(String process, long session, Message message) {}
}
