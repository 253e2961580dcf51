package dev.gavel.client;

import dev.gavel.client.http.RemoteProblem;

/**
 * The callback interface that a program implements to decide the open proposals that the client passes to it. The
 * client calls it on virtual threads, for several proposals at the same time, so it must be thread-safe. It may block
 * as long as needed, for example to ask a person.
 */
@FunctionalInterface
public interface Reviewer {
    /** Decides an open proposal. An exception leaves the proposal to other reviewers. */
    Decision review(Proposal proposal) throws Exception;

    /** Called when a proposal that was passed to this reviewer is no longer open, whatever the cause. */
    default void closed(String proposal) {}

    /** Called when the gateway did not accept a decision: another decision was faster, or this one is incomplete. */
    default void notTaken(Proposal proposal, Decision decision, RemoteProblem problem) {}
}
