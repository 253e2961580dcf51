package dev.gavel.gateway.store;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CallParams;
import dev.gavel.gateway.proposal.JoinableProposalRule;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the proposal that a new proposal repeats, when two processes have received the same call at the same moment:
 * neither had stored its proposal when the other one looked for it. Confined to the ledger writer's thread.
 */
final class EqualProposalFinder {
    /**
     * The maximum age of the proposal. The process itself looked for older ones before it submitted its own proposal.
     * Allows for a process that is suspended in between, and for clocks that differ.
     */
    private static final Duration MAX_AGE = Duration.ofSeconds(30);

    private static final int MAX_CANDIDATES = 16;

    /**
     * How many equal proposals are loaded, the newest first. An equal call joins an earlier one that it can join, so the
     * older ones have ended.
     */
    private static final int MAX_LOADED = 2;

    /** Longer parameters are not compared, because that would delay all other decisions. */
    private static final int MAX_LENGTH = 64 * 1024;

    private static final int MAX_DIGESTS = 4_096;

    /** The digests of recent calls by proposal, so that a call is not parsed again for each later one. */
    private final Map<String, Optional<String>> digests = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<String>> eldest) {
            return size() > MAX_DIGESTS;
        }
    };

    /** Returns a recent proposal of the same call that a client may still wait for. */
    Optional<ProposalStoreResult.EqualProposal> find(
            WriterTaskContext writerTaskContext, ProposalUnitOfWork proposalUnitOfWork, AdmittedEnvelope proposal) {
        Envelope envelope = proposal.envelope();
        Instant since = writerTaskContext.now().minus(MAX_AGE);
        List<SubjectSummary> candidates =
                writerTaskContext.latestSubjects(proposal.from(), false, MAX_CANDIDATES).stream()
                        .filter(summary -> summary.startedAt().isAfter(since)
                                && !summary.state().equals(ProposalState.WITHDRAWN.label())
                                && haveSamePrefix(summary.subject(), envelope.id()))
                        .toList();
        Optional<String> digest =
                candidates.isEmpty() ? Optional.empty() : digest(envelope, proposal.to(), envelope.payload());
        return digest.isEmpty()
                ? Optional.empty()
                : candidates.stream()
                        .filter(summary -> storedDigest(proposalUnitOfWork, summary.subject())
                                .equals(digest))
                        .limit(MAX_LOADED)
                        .filter(summary -> isJoinable(proposalUnitOfWork.separate(), summary.subject(), digest))
                        .findFirst()
                        .map(summary -> new ProposalStoreResult.EqualProposal(summary.subject(), summary.lastSeq()));
    }

    /** The first letter of an id tells how the client waits: only one kind of clients waits for a response. */
    private static boolean haveSamePrefix(String id, String otherId) {
        return id.charAt(0) == otherId.charAt(0);
    }

    /** Returns the digest of a stored call. Reads only its proposal, because its result can be large. */
    private Optional<String> storedDigest(ProposalUnitOfWork proposalUnitOfWork, String id) {
        return digests.computeIfAbsent(
                id,
                _ -> proposalUnitOfWork
                        .eventCausedBy(id)
                        .flatMap(event -> ProposalLedgerMapper.toProposalEvent(event) instanceof Proposed proposed
                                ? digest(proposed)
                                : Optional.empty()));
    }

    /** Whether an equal call joins this proposal. The known digest may be of a proposal that was not stored. */
    private static boolean isJoinable(ProposalUnitOfWork proposalUnitOfWork, String id, Optional<String> digest) {
        try {
            return proposalUnitOfWork
                    .findProposal(id)
                    .filter(found -> JoinableProposalRule.isJoinable(found)
                            && digest(found.proposed()).equals(digest))
                    .isPresent();
        } catch (ProposalUnitOfWork.TooManyBytesException e) {
            return false;
        }
    }

    private static Optional<String> digest(Proposed proposed) {
        StoredEnvelope stored = proposed.storedEnvelope();
        return digest(stored.envelope(), stored.to(), proposed.payload());
    }

    private static Optional<String> digest(Envelope envelope, List<String> to, RawPayload payload) {
        return payload.length() > MAX_LENGTH
                ? Optional.empty()
                : Json.parse(payload.toString())
                        .flatMap(json -> CallParams.canonical(json.at("params").raw()))
                        .map(params -> Sha256.hex(envelope.kindWithContext() + "\n" + to + "\n" + params));
    }
}
