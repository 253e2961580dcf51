package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.SyntaxVersion;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A stored envelope to deliver, with its additional recipients and the ids of the proposals for which it succeeded.
 *
 * @param storedEnvelope the envelope, with the recipients it was resolved to; none is a broadcast
 * @param additionalRecipients who is sent it besides, in whatever mode: those whose proposals it concerns
 * @param proposalIds the correlationIds to deliver it with: those that succeeded
 */
public record RoutedEnvelope(
        StoredEnvelope storedEnvelope, Set<String> additionalRecipients, List<String> proposalIds) {
    public RoutedEnvelope {
        additionalRecipients = Set.copyOf(additionalRecipients);
        proposalIds = List.copyOf(proposalIds);
    }

    /** Besides those it names, an envelope reaches the proposers of what it is about; its sender gets the echo. */
    static RoutedEnvelope of(StoredEnvelope storedEnvelope, List<ProposalSnapshot> concerned, List<String> about) {
        return new RoutedEnvelope(
                storedEnvelope,
                concerned.stream()
                        .map(ProposalSnapshot::proposer)
                        .filter(proposer -> !proposer.equals(storedEnvelope.from()))
                        .collect(Collectors.toUnmodifiableSet()),
                about);
    }

    /** The bytes to send a receiver of that spelling. */
    public byte[] encode(SyntaxVersion syntaxVersion) {
        return storedEnvelope.withProposalIds(proposalIds).encode(syntaxVersion);
    }

    /** Whether it goes to a participant who is only sent what is meant for them. */
    public boolean concerns(String participant) {
        return storedEnvelope.to().isEmpty()
                || storedEnvelope.to().contains(participant)
                || additionalRecipients.contains(participant);
    }
}
