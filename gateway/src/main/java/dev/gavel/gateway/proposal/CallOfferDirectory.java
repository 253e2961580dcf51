package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Kind;

/** Looks up whether a participant offers to run a call. Thread-safe. */
@FunctionalInterface
public interface CallOfferDirectory {
    /** Nobody says anything. */
    CallOfferDirectory NONE = (topic, participant, call) -> false;

    /**
     * Whether a participant offers it.
     *
     * @param call the request's kind, with the tool's name, the prompt's or the resource's URI as its context
     */
    boolean offers(String topic, String participant, Kind call);
}
