package dev.gavel.gateway;

import dev.gavel.gateway.docket.Change;
import dev.gavel.mcpx.Envelope;

/**
 * Hears what goes on in topics, besides those who take part in them. Called on the topic's loop, which it must not hold
 * up.
 */
public interface Listener {
    /** Somebody is here who was not. */
    default void came(Topic topic, Member member) {}

    /** Somebody is here no more. */
    default void left(Topic topic, Member member) {}

    /** Somebody may send other things from now on, whether or not they are here. */
    default void changed(Topic topic, Member member) {}

    /** Somebody is a member no more. */
    default void expelled(Topic topic, Member member) {}

    /** An envelope was sent that is about no proposal. */
    default void heard(Topic topic, String from, Envelope envelope) {}

    /** Something happened to a proposal, in whatever process, and is durable. */
    default void happened(Topic topic, Change change) {}

    /** This process wrote that something happened to a proposal: told once among all processes, for who counts or traces. */
    default void wrote(Topic topic, Change change) {}
}
