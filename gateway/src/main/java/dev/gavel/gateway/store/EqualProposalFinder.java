package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CallParams;
import dev.gavel.gateway.proposal.JoinableProposalRule;
import dev.gavel.gateway.proposal.ProposalSnapshot;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Finds the proposal that a new proposal repeats, when two processes have received the same call at the same moment:
 * neither had stored its proposal when the other one looked for it. Used by one writer task.
 */
final class EqualProposalFinder {
    /**
     * The maximum age of the proposal. The process itself looked for older ones before it submitted its own proposal.
     * Allows for a process that is suspended in between, and for clocks that differ.
     */
    private static final Duration MAX_AGE = Duration.ofSeconds(30);

    private static final int MAX_CANDIDATES = 16;

    /** Longer parameters are not compared, because that would delay all other decisions. */
    private static final int MAX_LENGTH = 64 * 1024;

    private final WriterTaskContext writerTaskContext;
    private final ProposalUnitOfWork proposalUnitOfWork;

    EqualProposalFinder(WriterTaskContext writerTaskContext, ProposalUnitOfWork proposalUnitOfWork) {
        this.writerTaskContext = writerTaskContext;
        this.proposalUnitOfWork = proposalUnitOfWork;
    }

    /** Returns the oldest recent proposal of the same call that a client may still wait for. */
    Optional<ProposalStoreResult.EqualProposal> find(AdmittedEnvelope proposal) {
        Envelope envelope = proposal.envelope();
        Instant since = writerTaskContext.now().minus(MAX_AGE);
        List<SubjectSummary> candidates =
                writerTaskContext.latestSubjects(proposal.from(), false, MAX_CANDIDATES).stream()
                        .filter(summary -> summary.startedAt().isAfter(since)
                                && !summary.state().equals(ProposalState.WITHDRAWN.label())
                                && haveSamePrefix(summary.subject(), envelope.id()))
                        .toList();
        Optional<String> params = candidates.isEmpty() ? Optional.empty() : params(envelope.payload());
        return params.isEmpty()
                ? Optional.empty()
                : candidates.reversed().stream()
                        .filter(summary -> proposalUnitOfWork
                                .findProposal(summary.subject())
                                .filter(earlier ->
                                        isEqual(earlier, proposal, params) && JoinableProposalRule.isJoinable(earlier))
                                .isPresent())
                        .findFirst()
                        .map(summary -> new ProposalStoreResult.EqualProposal(summary.subject(), summary.lastSeq()));
    }

    /** The first letter of an id tells how the client waits: only one kind of clients waits for a response. */
    private static boolean haveSamePrefix(String id, String otherId) {
        return id.charAt(0) == otherId.charAt(0);
    }

    private static boolean isEqual(
            ProposalSnapshot earlier, AdmittedEnvelope proposal, Optional<String> canonicalParams) {
        return earlier.callKind().equals(proposal.envelope().kindWithContext().withOperation("request"))
                && earlier.to().equals(proposal.to())
                && params(earlier.payload()).equals(canonicalParams);
    }

    private static Optional<String> params(RawPayload payload) {
        return payload.length() > MAX_LENGTH
                ? Optional.empty()
                : Json.parse(payload.toString())
                        .flatMap(json -> CallParams.canonical(json.at("params").raw()));
    }
}
