package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.mcpx.RawPayload;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The forms in which an envelope with secret arguments is delivered: with markers to most members, and with the values
 * to the members that know or need them. Immutable.
 *
 * @param redacted the envelope with markers, for all other members
 * @param byMember the envelope for its sender, for the participants that run the call, and for the proposer
 */
public record SecretEnvelopeVariants(StoredEnvelope redacted, Map<String, StoredEnvelope> byMember) {
    public SecretEnvelopeVariants {
        byMember = Map.copyOf(byMember);
    }

    /**
     * Returns the forms of the envelope that an event carries; empty if the envelope has no secret arguments.
     *
     * @param proposer the member that proposed the call
     * @param addedSecrets patterns of secret arguments in addition to those of the event
     * @param proposedPayload reads the payload as proposed
     */
    public static Optional<SecretEnvelopeVariants> of(
            ProposalEvent event,
            String proposer,
            SecretArgumentPatterns addedSecrets,
            Supplier<Optional<RawPayload>> proposedPayload) {
        return switch (event) {
            case Proposed proposed -> ofProposal(proposed, proposed.secrets().union(addedSecrets));
            case Fulfilled fulfilled ->
                ofApproval(fulfilled, proposer, fulfilled.secrets().union(addedSecrets), proposedPayload);
            default -> Optional.empty();
        };
    }

    private static Optional<SecretEnvelopeVariants> ofProposal(Proposed proposed, SecretArgumentPatterns secrets) {
        return secrets.hasSecrets(proposed.payload())
                ? Optional.of(new SecretEnvelopeVariants(
                        proposed.redacted(secrets).storedEnvelope(),
                        Map.of(proposed.actor(), proposed.storedEnvelope())))
                : Optional.empty();
    }

    private static Optional<SecretEnvelopeVariants> ofApproval(
            Fulfilled fulfilled,
            String proposer,
            SecretArgumentPatterns secrets,
            Supplier<Optional<RawPayload>> proposedPayload) {
        if (!secrets.hasSecrets(fulfilled.payload())) {
            return Optional.empty();
        }
        StoredEnvelope withValues = fulfilled.storedEnvelope();
        Optional<RawPayload> proposed = proposedPayload.get();
        RawPayload redacted = secrets.redact(fulfilled.payload(), proposed.orElse(null));
        Map<String, StoredEnvelope> byMember = new HashMap<>();
        // A secret that the reviewer edited is the reviewer's, not the proposer's.
        boolean proposedSecrets = proposed.isPresent() && redacted.equals(secrets.redact(fulfilled.payload()));
        if (proposedSecrets) {
            byMember.put(proposer, withValues);
        }
        // The sender may have approved the call without seeing its secrets.
        byMember.put(fulfilled.actor(), fulfilled.sentEnvelope());
        withValues.to().forEach(runner -> byMember.put(runner, withValues));
        return Optional.of(new SecretEnvelopeVariants(withValues.withPayload(redacted), byMember));
    }
}
