package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides whether an approval that was given while the caller was disconnected takes effect when the caller calls again.
 * Since then, the reviewer may have lost its rights, and the participant that runs the call may have changed its tool.
 *
 * @param presenceSnapshot the members that are connected now
 * @param tools the tools of the topic now
 * @param accessEndReason returns why a member has no access any more; empty if it has
 */
record HeldApprovalDecider(
        CapabilitiesByMember members,
        Duration answerTimeout,
        PresenceSnapshot presenceSnapshot,
        TopicTools tools,
        Function<String, Optional<String>> accessEndReason) {
    /** Returns the events that follow. */
    List<ProposalEvent> decide(ProposalSnapshot proposalSnapshot, Fulfilled approval, Instant now) {
        Optional<String> problem = problem(proposalSnapshot, approval);
        if (problem.isPresent()) {
            return List.of(new HeldApprovalDropped(problem.get()));
        }
        Fulfilled fulfilled = approval.withAnswerDeadline(now.plus(answerTimeout));
        return fulfilled.revealsSecretsToRunner()
                ? List.of(new SecretsRevealed(fulfilled.actor()), fulfilled)
                : List.of(fulfilled);
    }

    private Optional<String> problem(ProposalSnapshot proposalSnapshot, Fulfilled approval) {
        List<String> runners = approval.storedEnvelope().to();
        Optional<String> accessEnd = accessEndReason.apply(approval.actor());
        if (accessEnd.isPresent()) {
            return accessEnd;
        }
        if (!members.maySend(approval.actor(), proposalSnapshot.callKind(), approval.payload())) {
            return Optional.of("the reviewer is not allowed to make this call any more");
        }
        if (!presenceSnapshot.anyPresent(runners)) {
            return Optional.of(SafeText.line(String.join(", ", runners)) + " is not connected");
        }
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .flatMap(tool -> runners.stream()
                        .filter(runner -> isChanged(runner, tool, approval))
                        .findFirst()
                        .map(runner -> "the definition of " + SafeText.line(tool) + " on " + SafeText.line(runner)
                                + " changed since the approval"));
    }

    /** Whether the participant's definition is not one of those that the approval is for. */
    private boolean isChanged(String runner, String tool, Fulfilled approval) {
        List<String> approved = approval.storedEnvelope().envelope().definitionDigests();
        String current = tools.find(runner, tool).map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED);
        return !approved.isEmpty() && !approved.contains(current);
    }
}
