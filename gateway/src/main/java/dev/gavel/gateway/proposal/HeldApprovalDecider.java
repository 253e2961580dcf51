package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
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
import java.util.function.Predicate;

/**
 * Decides whether an approval that was given while the caller was disconnected takes effect when the caller calls again.
 * Since then, the reviewer may have lost its rights, and the participant that runs the call may have changed its tool.
 *
 * @param presenceSnapshot the members that are connected now
 * @param tools the tools of the topic now
 * @param isAccessEnded whether the reviewer of a held approval has no access any more
 */
record HeldApprovalDecider(
        CapabilitiesByMember members,
        Duration answerTimeout,
        PresenceSnapshot presenceSnapshot,
        TopicTools tools,
        Predicate<ApprovalHeld> isAccessEnded) {
    /** Returns the events that follow. */
    List<ProposalEvent> decide(ProposalSnapshot proposalSnapshot, ApprovalHeld held, Instant now) {
        Optional<String> problem = isAccessEnded.test(held)
                ? Optional.of("the reviewer no longer has access")
                : problem(proposalSnapshot, held.approval());
        if (problem.isPresent()) {
            return List.of(new HeldApprovalDropped(problem.get()));
        }
        Fulfilled fulfilled = held.approval().withAnswerDeadline(now.plus(answerTimeout));
        return fulfilled.revealsSecretsToRunner()
                ? List.of(new SecretsRevealed(fulfilled.actor()), fulfilled)
                : List.of(fulfilled);
    }

    /** The reasons name no reviewer: the proposer reads them, and may not be told who decides. */
    private Optional<String> problem(ProposalSnapshot proposalSnapshot, Fulfilled approval) {
        List<String> runners = approval.storedEnvelope().to();
        if (!members.maySend(approval.actor(), proposalSnapshot.callKind(), approval.payload())) {
            return Optional.of("the reviewer is no longer allowed to make this call");
        }
        if (!presenceSnapshot.anyPresent(runners)) {
            return Optional.of(SafeText.line(String.join(", ", runners)) + " is not connected");
        }
        return TopicTools.toolOf(proposalSnapshot.callKind())
                .flatMap(tool -> runners.stream()
                        .flatMap(runner -> definitionProblem(runner, tool, approval).stream())
                        .findFirst());
    }

    private Optional<String> definitionProblem(String runner, String tool, Fulfilled approval) {
        List<String> approved = approval.storedEnvelope().envelope().definitionDigests();
        Optional<ToolDefinition> current = tools.find(runner, tool);
        String subject = "the definition of " + SafeText.line(tool) + " on " + SafeText.line(runner);
        if (!approved.isEmpty() && current.isEmpty() && !tools.isLoaded(runner)) {
            return Optional.of(subject + " is not known yet");
        }
        if (!approved.isEmpty()
                && !approved.contains(current.map(ToolDefinition::digest).orElse(ToolDefinition.UNLISTED))) {
            return Optional.of(subject + " changed since the approval");
        }
        return tools.stopsDirectCalls(runner, tool) && !members.mayApproveDefinition(approval.actor())
                ? Optional.of(subject + " changed, and the reviewer may no longer approve changed definitions")
                : Optional.empty();
    }
}
