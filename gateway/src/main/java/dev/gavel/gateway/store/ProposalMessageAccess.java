package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.mcpx.RawPayload;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Looks up which members may read messages about a proposal, and which arguments in these messages are hidden.
 *
 * @param readersByProposal returns the members that may read about a proposal; empty if all members may
 * @param payloadByProposal returns the payload of a proposal, with its secret arguments
 * @param addedSecrets patterns of secret arguments in addition to those that the events contain. They hide the
 *     arguments of proposals that are older than the pattern.
 */
record ProposalMessageAccess(
        Function<String, Optional<Set<String>>> readersByProposal,
        Function<String, Optional<RawPayload>> payloadByProposal,
        SecretArgumentPatterns addedSecrets) {
    /** Returns the members that may read about a proposal; empty if all members may. */
    Optional<Set<String>> readers(String proposalId) {
        return readersByProposal.apply(proposalId);
    }

    /** Returns the payload of a proposal, with its secret arguments. */
    Optional<RawPayload> proposedPayload(String proposalId) {
        return payloadByProposal.apply(proposalId);
    }
}
