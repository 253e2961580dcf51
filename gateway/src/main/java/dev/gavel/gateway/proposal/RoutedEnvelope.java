package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.EnvelopeSyntax;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A stored envelope ready for delivery, with the proposers who also receive it and the ids of the proposals that it
 * affected.
 *
 * @param storedEnvelope the envelope, with its resolved recipients; a broadcast if there are none
 * @param additionalRecipients further recipients in any subscription mode: the proposers of the proposals it concerns
 * @param proposalIds the correlationIds to deliver it with: those that succeeded
 */
public record RoutedEnvelope(
        StoredEnvelope storedEnvelope, Set<String> additionalRecipients, List<String> proposalIds) {
    public RoutedEnvelope {
        additionalRecipients = Set.copyOf(additionalRecipients);
        proposalIds = List.copyOf(proposalIds);
    }

    /** Adds the proposers of the named proposals as recipients; the sender is left out because it gets the echo. */
    static RoutedEnvelope of(
            StoredEnvelope storedEnvelope, List<ProposalSnapshot> proposals, List<String> proposalIds) {
        return new RoutedEnvelope(
                storedEnvelope,
                proposals.stream()
                        .map(ProposalSnapshot::proposer)
                        .filter(proposer -> !proposer.equals(storedEnvelope.from()))
                        .collect(Collectors.toUnmodifiableSet()),
                proposalIds);
    }

    /** Returns the bytes for a receiver of that syntax. */
    public byte[] encode(EnvelopeSyntax syntaxVersion) {
        return storedEnvelope.withProposalIds(proposalIds).encode(syntaxVersion);
    }

    /** Whether it is delivered to a participant that only receives envelopes addressed to it. */
    public boolean concerns(String participant) {
        return storedEnvelope.to().isEmpty()
                || storedEnvelope.to().contains(participant)
                || additionalRecipients.contains(participant);
    }
}
