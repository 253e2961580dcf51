package dev.gavel.gateway.proposal;

import java.util.Optional;

/**
 * Decides whether a repeated MCP call can join the proposal of an equal call: the proposal is open, its call runs, or it
 * has a result that a client can still get by calling again. Stateless.
 */
public final class JoinableProposalRule {
    private JoinableProposalRule() {}

    /** Whether an equal call can join a proposal. */
    public static boolean isJoinable(ProposalSnapshot proposalSnapshot) {
        return !hasEnded(proposalSnapshot) || isResultAvailable(proposalSnapshot);
    }

    private static boolean hasEnded(ProposalSnapshot proposalSnapshot) {
        return !proposalSnapshot.isOpen()
                && proposalSnapshot
                        .outcome()
                        .filter(FulfilmentOutcome.PENDING::equals)
                        .isEmpty();
    }

    /** The result of a task stays with the client that polls it. */
    private static boolean isResultAvailable(ProposalSnapshot proposalSnapshot) {
        return proposalSnapshot.state() != ProposalState.WITHDRAWN
                && !proposalSnapshot.isForwarded()
                && !CallerStatusNote.latest(proposalSnapshot.timeline(), proposalSnapshot.proposer())
                        .equals(Optional.of(CallerStatusNote.HELD_AS_TASK));
    }
}
