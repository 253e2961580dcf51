package dev.gavel.gateway;

import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;

/** The result of approving a proposal: the call was sent, or why it was not. */
public sealed interface ApprovalResult {
    /**
     * The call was sent.
     *
     * @param requestId the id of the envelope that makes the call
     * @param runner the member that is to run the call
     */
    record Sent(String requestId, String runner) implements ApprovalResult {}

    /**
     * The reviewer has to choose the member that runs the call, or to choose another one because the named member
     * cannot run it.
     *
     * @param possibleRunners the present members that can run the call; empty if there are none
     */
    record RunnerChoiceRequired(List<String> possibleRunners) implements ApprovalResult {
        public RunnerChoiceRequired {
            possibleRunners = List.copyOf(possibleRunners);
        }
    }

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
