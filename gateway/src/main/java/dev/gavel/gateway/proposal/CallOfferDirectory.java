package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Kind;

/** Looks up whether a participant offers to run a call. Thread-safe. */
@FunctionalInterface
public interface CallOfferDirectory {
    /** A directory without offers. */
    CallOfferDirectory NONE = (topic, participant, call) -> false;

    /**
     * Whether a participant offers to run the call.
     *
     * @param call the request's kind, with the name of the tool or prompt, or the resource's URI, as its context
     */
    boolean offers(String topic, String participant, Kind call);
}
