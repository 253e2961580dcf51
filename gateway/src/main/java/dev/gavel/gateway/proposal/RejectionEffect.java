package dev.gavel.gateway.proposal;

import java.util.List;

/**
 * The effect of a member's rejection on one proposal, with a text that explains the effect to the member.
 *
 * @param awaitedMembers the members whose decision is still missing; empty if the proposal is closed
 * @param detail one line for people: what happened and, if the proposal is still open, what is missing
 */
public record RejectionEffect(String proposalId, Result result, List<String> awaitedMembers, String detail) {
    /** The possible effects of a rejection. */
    public enum Result {
        /** The proposal is rejected. */
        CLOSED,
        /** The sender abstained; other reviewers can still decide. */
        ABSTAINED,
        /** The rejection counts, and closes the proposal together with those of other members. */
        VOTED,
        /** The rejection is recorded but has no effect, because the sender cannot decide the proposal. */
        NOT_COUNTED
    }

    public RejectionEffect {
        awaitedMembers = List.copyOf(awaitedMembers);
    }

    /** Whether the proposal is rejected now. */
    public boolean closed() {
        return result == Result.CLOSED;
    }

    /** Whether the rejection has no effect, although its sender wanted to stop the call. */
    public boolean ineffective() {
        return result == Result.NOT_COUNTED;
    }
}
