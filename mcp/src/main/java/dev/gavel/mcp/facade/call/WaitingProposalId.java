package dev.gavel.mcp.facade.call;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates and parses the ids of proposals whose MCP clients wait for the result at a gateway process. Stateless. */
final class WaitingProposalId {
    private static final char PREFIX = 'w';

    /** The prefix in earlier versions, which did not record in the ledger that a waiting client received the result. */
    private static final char EARLIER_PREFIX = 'm';

    /** The id ends with the process at which the client waits. Older ids name no process. */
    private static final Pattern PATTERN =
            Pattern.compile("[" + PREFIX + EARLIER_PREFIX + "]-[0-9a-f]{22}(?:-([0-9A-Za-z]{1,64}))?");

    private WaitingProposalId() {}

    /** Creates an id for a proposal whose caller waits at this process. */
    static String create(TopicCalls topicCalls) {
        return topicCalls.newEnvelopeId(PREFIX) + "-" + topicCalls.processId();
    }

    /**
     * Returns the id of the process at which the caller waited first. Returns an empty string if the proposal's id names
     * no process, and {@code Optional.empty()} if no caller waits.
     */
    static Optional<String> firstProcess(String proposal) {
        Matcher id = PATTERN.matcher(proposal);
        return id.matches() ? Optional.of(Optional.ofNullable(id.group(1)).orElse("")) : Optional.empty();
    }

    /** Whether the ledger shows for this proposal whether its client received the result. */
    static boolean recordsDelivery(String proposal) {
        return proposal.charAt(0) == PREFIX && firstProcess(proposal).isPresent();
    }
}
