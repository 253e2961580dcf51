package dev.gavel.gateway;

import dev.gavel.mcpx.SystemMessage.Failure;
import java.util.List;

/** The result of approving a proposal: the call was sent, or why it was not. */
public sealed interface ApprovalResult {
    /**
     * The call is made.
     *
     * @param request the id of the envelope that makes it
     * @param runner who is to run it
     */
    record Sent(String request, String runner) implements ApprovalResult {}

    /**
     * Somebody has to say who is to run it, or to say it anew: whom they named cannot.
     *
     * @param couldRun who is here and could; nobody where it is empty
     */
    record RunnerUnclear(List<String> couldRun) implements ApprovalResult {
        public RunnerUnclear {
            couldRun = List.copyOf(couldRun);
        }
    }

    /** It is not made, for these reasons. */
    record Refused(List<Failure> failures) implements ApprovalResult {
        public Refused {
            failures = List.copyOf(failures);
        }
    }

    /** Such arguments cannot be given. */
    record InvalidArguments(String message) implements ApprovalResult {}

    /** There is no such proposal. */
    record UnknownProposal() implements ApprovalResult {}
}
