package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.mcpx.EnvelopeErrorCode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Applies a topic's proposal rules: decides which events follow when an envelope arrives, time passes or a member's
 * presence changes. Stateless. The caller looks the proposals up, appends the events of a {@link
 * ProposalDeciderResult.Accepted} before anything is published, and ensures that no other decision on the same
 * proposals runs meanwhile. Thread-safe.
 */
public record ProposalDecider(ProposalSettings settings, CapabilitiesByMember capabilitiesByMember) {
    /** Returns the members that could decide a proposal. */
    public EligibleReviewers eligibleReviewers(ProposalSnapshot proposalSnapshot) {
        return EligibleReviewers.of(proposalSnapshot, capabilitiesByMember);
    }

    /**
     * Decides on an envelope whose id is already in the ledger: echoes it if it is the same envelope again, otherwise
     * refuses it.
     */
    public ProposalDeciderResult decideDuplicate(
            StoredEnvelope before,
            AdmittedEnvelope admittedEnvelope,
            Function<String, Optional<ProposalSnapshot>> lookUp) {
        if (!before.isResentAs(admittedEnvelope)) {
            return new ProposalDeciderResult.Refused(List.of(new ProposalRefusal(
                    admittedEnvelope
                            .envelope()
                            .refuse(
                                    EnvelopeErrorCode.DUPLICATE_ID,
                                    "The id '" + before.id()
                                            + "' was already used for another envelope in this topic. Send this"
                                            + " envelope with a new id."),
                    Optional.empty(),
                    Optional.empty())));
        }
        return switch (admittedEnvelope.envelope().category()) {
            case WITHDRAW, REJECT, STATUS ->
                new RejectWithdrawStatusDecider(settings, capabilitiesByMember, admittedEnvelope)
                        .decideDuplicate(before, lookUp);
            case PROPOSAL, REQUEST, RESPONSE, CHAT, SYSTEM, OTHER ->
                new ProposalDeciderResult.Duplicate(before, List.of());
        };
    }

    /** Decides on a {@code mcp.proposal}. */
    public ProposalDeciderResult decideProposal(AdmittedEnvelope admittedEnvelope, PresenceSnapshot presenceSnapshot) {
        StoredEnvelope storedEnvelope = StoredEnvelope.of(admittedEnvelope);
        Proposed proposed = new Proposed(
                storedEnvelope,
                settings.expiry(admittedEnvelope.envelope().payloadFields().ttl(), admittedEnvelope.receivedAt()));
        ProposalSnapshot proposalSnapshot = ProposalSnapshot.create(proposed, admittedEnvelope.receivedAt());
        List<ProposalEvent> events = new ArrayList<>(2);
        events.add(proposed);
        new ProposalReachabilityDecider(proposalSnapshot, eligibleReviewers(proposalSnapshot), presenceSnapshot)
                .decideAt(admittedEnvelope.receivedAt())
                .ifPresent(events::add);
        return accept(proposalSnapshot, events, Optional.of(RoutedEnvelope.of(storedEnvelope, List.of(), List.of())));
    }

    /**
     * Decides on a {@code mcp.request} whose correlationId names a proposal.
     *
     * @param found that proposal, if it exists
     */
    public ProposalDeciderResult decideFulfilment(
            AdmittedEnvelope admittedEnvelope, Optional<ProposalSnapshot> found, PresenceSnapshot presenceSnapshot) {
        return new ProposalApprovalDecider(settings, admittedEnvelope, presenceSnapshot).decide(found);
    }

    /** Decides on a {@code mcp.response} to the request that fulfilled this proposal. */
    public ProposalDeciderResult decideResponse(AdmittedEnvelope admittedEnvelope, ProposalSnapshot proposalSnapshot) {
        return new FulfilmentResponseDecider(admittedEnvelope).decide(proposalSnapshot);
    }

    /**
     * Decides on a {@code mcpx.withdraw}, {@code .reject} or {@code .status.proposal}, about one proposal or several.
     */
    public ProposalDeciderResult decideUpdate(
            AdmittedEnvelope admittedEnvelope, Function<String, Optional<ProposalSnapshot>> lookUp) {
        return new RejectWithdrawStatusDecider(settings, capabilitiesByMember, admittedEnvelope).decide(lookUp);
    }

    /** Applies the expiry or answer timeout that is due by now; see {@link ProposalSnapshot#dueAt}. */
    public ProposalDeciderResult decideTimeout(ProposalSnapshot proposalSnapshot, Instant now) {
        if (proposalSnapshot.dueAt().filter(due -> !now.isBefore(due)).isEmpty()) {
            return new ProposalDeciderResult.Unchanged();
        }
        ProposalEvent event = proposalSnapshot.isOpen()
                ? new Expired()
                : new OutcomeUnknown(OutcomeUnknown.Reason.ANSWER_TIME_PASSED);
        return accept(proposalSnapshot, List.of(event), Optional.empty());
    }

    /** Decides whether the members' presence or absence changes the proposal by now. */
    public ProposalDeciderResult applyPresence(
            ProposalSnapshot proposalSnapshot,
            EligibleReviewers eligibleReviewers,
            PresenceSnapshot presenceSnapshot,
            Instant now) {
        return new ProposalReachabilityDecider(proposalSnapshot, eligibleReviewers, presenceSnapshot)
                .decideAt(now)
                .map(event -> accept(proposalSnapshot, List.of(event), Optional.empty()))
                .orElseGet(ProposalDeciderResult.Unchanged::new);
    }

    /**
     * When to call {@link #applyPresence} for the proposal if presence does not change until then: when a grace period
     * ends.
     */
    public Optional<Instant> presenceDueAt(
            ProposalSnapshot proposalSnapshot, EligibleReviewers eligibleReviewers, PresenceSnapshot presenceSnapshot) {
        return new ProposalReachabilityDecider(proposalSnapshot, eligibleReviewers, presenceSnapshot).dueAt();
    }

    /**
     * Records that a proposal's result is forwarded to its proposer, if the proposal has a result and it was not
     * forwarded before.
     */
    public ProposalDeciderResult markForwarded(ProposalSnapshot proposalSnapshot) {
        return proposalSnapshot.isOpen()
                        || proposalSnapshot
                                .outcome()
                                .filter(FulfilmentOutcome.PENDING::equals)
                                .isPresent()
                        || proposalSnapshot.isForwarded()
                ? new ProposalDeciderResult.Unchanged()
                : accept(proposalSnapshot, List.of(new Forwarded()), Optional.empty());
    }

    /** Records that a proposal's result was not forwarded, because the proposer had stopped waiting. */
    public ProposalDeciderResult markNotForwarded(ProposalSnapshot proposalSnapshot, String reason) {
        return proposalSnapshot.isOpen()
                ? new ProposalDeciderResult.Unchanged()
                : accept(proposalSnapshot, List.of(new NotForwarded(reason)), Optional.empty());
    }

    static ProposalDeciderResult accept(
            ProposalSnapshot proposalSnapshot, List<ProposalEvent> events, Optional<RoutedEnvelope> routedEnvelope) {
        return new ProposalDeciderResult.Accepted(
                events.stream()
                        .map(event -> new UncommittedProposalEvent(proposalSnapshot.id(), event))
                        .toList(),
                routedEnvelope,
                events.stream()
                        .flatMap(event ->
                                ProposalNotice.of(proposalSnapshot.id(), proposalSnapshot.proposer(), event).stream())
                        .toList(),
                List.of());
    }
}
