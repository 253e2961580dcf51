package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.Kind;

/**
 * Tells whether a participant of a topic offers to run a given call, such as a tool, prompt or resource request.
 * Thread-safe.
 */
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
