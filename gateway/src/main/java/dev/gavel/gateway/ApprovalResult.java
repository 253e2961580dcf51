package dev.gavel.gateway;

import dev.gavel.gateway.proposal.CallRisk;
import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;

/** The result of approving a proposal: the call was sent, or why nothing was sent. */
public sealed interface ApprovalResult {
    /**
     * The call was sent.
     *
     * @param requestId the id of the envelope that makes the call
     * @param runner the member that is to run the call
     * @param editUnchecked whether edited arguments could not be checked, because the runner lists no schema of the tool
     * @param held whether the call waits until its caller, which lost its connection, calls again
     */
    record Sent(String requestId, String runner, boolean editUnchecked, boolean held) implements ApprovalResult {}

    /**
     * The reviewer has to choose the member that runs the call, or to choose another one because the named member
     * cannot run it.
     *
     * @param possibleRunners the present members that can run the call; empty if there are none
     * @param alternativeRunners the present members that offer the call, if it is addressed to others that cannot run it
     */
    record RunnerChoiceRequired(List<String> possibleRunners, List<String> alternativeRunners)
            implements ApprovalResult {
        public RunnerChoiceRequired {
            possibleRunners = List.copyOf(possibleRunners);
            alternativeRunners = List.copyOf(alternativeRunners);
        }
    }

    /** The reviewer has to confirm the approval in a second step, because of this risk; nothing was sent. */
    record ConfirmationRequired(CallRisk risk) implements ApprovalResult {}

    /** The gateway refused the call for these reasons; nothing was sent. */
    record Refused(List<Failure> failures) implements ApprovalResult {
        public Refused {
            failures = List.copyOf(failures);
        }
    }

    /** The given arguments are not valid for this call. */
    record InvalidArguments(String message) implements ApprovalResult {}

    /** The topic has no such proposal. */
    record UnknownProposal() implements ApprovalResult {}
}
