package dev.gavel.client;

/**
 * The effect of a reviewer's decision: whether the proposal is closed now, and its status. Immutable.
 *
 * @param closed whether the proposal is no longer open. A rejection can leave it open: an abstention, a vote where all
 *     reviewers have to reject, or the rejection of a member that cannot decide the proposal. An approval leaves it open
 *     if the caller lost its connection: the call runs when the caller calls again
 * @param status the status of the proposal after the decision, in words; empty if nothing was sent
 */
public record DecisionReceipt(boolean closed, String status) {}
