package dev.gavel.client;

import dev.gavel.client.http.RemoteProblem;

/**
 * The callback interface that a program implements to decide the open proposals that the client passes to it. Called on
 * threads of its own, about several proposals at the same time, so it must be thread-safe; it may take as long as it
 * likes, a person being asked included.
 */
@FunctionalInterface
public interface Reviewer {
    /** What to do about an open proposal. An exception leaves it to others. */
    Decision review(Proposal proposal) throws Exception;

    /** A proposal that was shown is no longer open, whoever ended it. */
    default void closed(String proposal) {}

    /** A decision was not taken: somebody was faster, or it lacks something. */
    default void notTaken(Proposal proposal, Decision decision, RemoteProblem why) {}
}
