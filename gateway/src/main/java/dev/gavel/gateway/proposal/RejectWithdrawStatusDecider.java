package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.ExtractedPayloadFields;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.proposal.RejectionReason;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides what a rejection, withdrawal or status envelope does to each of the proposals that the envelope names. */
record RejectWithdrawStatusDecider(
        ProposalSettings settings, CapabilitiesByMember capabilitiesByMember, AdmittedEnvelope admitted) {
    /** How often one member may reject a proposal: every event is stored, and read again at every decision. */
    private static final int MAX_REJECTIONS = 10;

    /** How often one member may report a status on a proposal, for the same reason. */
    private static final int MAX_STATUSES = 200;

    /**
     * The number of characters that one envelope may add in all: its reason and note are stored with every proposal it
     * names.
     */
    private static final int MAX_CHARACTERS = 256 * 1024;

    ProposalDeciderResult decide(Function<String, Optional<ProposalSnapshot>> lookUp) {
        if (characterCount() > MAX_CHARACTERS) {
            return new ProposalDeciderResult.Refused(List.of(new ProposalRefusal(
                    admitted.envelope()
                            .refuse(
                                    EnvelopeErrorCode.TOO_LARGE,
                                    "The reason and note are too long for so many proposals. Shorten them, or name"
                                            + " fewer proposals in one envelope."),
                    Optional.empty(),
                    Optional.empty())));
        }
        List<ProposalSnapshot> applied = new ArrayList<>();
        List<UncommittedProposalEvent> uncommittedProposalEvents = new ArrayList<>();
        List<ProposalNotice> notices = new ArrayList<>();
        List<ProposalRefusal> proposalRefusals = new ArrayList<>();
        List<RejectionEffect> rejectionEffects = new ArrayList<>();
        StoredEnvelope storedEnvelope = StoredEnvelope.of(admitted);
        for (String id : new LinkedHashSet<>(admitted.envelope().correlationIds())) {
            Optional<ProposalSnapshot> found = lookUp.apply(id);
            Optional<ProposalRefusal> proposalRefusal =
                    found.isEmpty() ? Optional.of(ProposalRefusal.unknown(admitted, id)) : error(found.get());
            if (proposalRefusal.isPresent()) {
                proposalRefusals.add(proposalRefusal.get());
                continue;
            }
            ProposalSnapshot proposalSnapshot = found.orElseThrow();
            List<ProposalEvent> events = events(proposalSnapshot, applied.isEmpty() ? storedEnvelope : null);
            for (ProposalEvent event : events) {
                uncommittedProposalEvents.add(new UncommittedProposalEvent(id, event));
                ProposalNotice.of(id, proposalSnapshot.proposer(), event).ifPresent(notices::add);
            }
            if (admitted.envelope().category() == KindCategory.REJECT) {
                rejectionEffects.add(effect(proposalSnapshot.withEvents(events.stream()
                        .map(event -> new ProposalTimelineEntry(admitted.receivedAt(), event))
                        .toList())));
            }
            applied.add(proposalSnapshot);
        }
        if (applied.isEmpty()) {
            return new ProposalDeciderResult.Refused(proposalRefusals);
        }
        RoutedEnvelope routedEnvelope = RoutedEnvelope.of(
                storedEnvelope,
                applied,
                applied.stream().map(ProposalSnapshot::id).toList());
        return new ProposalDeciderResult.Accepted(
                uncommittedProposalEvents, Optional.of(routedEnvelope), notices, proposalRefusals, rejectionEffects);
    }

    /** Decides on an envelope that was decided before. */
    ProposalDeciderResult decideDuplicate(
            StoredEnvelope earlierCount, Function<String, Optional<ProposalSnapshot>> lookUp) {
        List<String> applied = new ArrayList<>();
        List<ProposalRefusal> proposalRefusals = new ArrayList<>();
        List<RejectionEffect> rejectionEffects = new ArrayList<>();
        for (String id : new LinkedHashSet<>(admitted.envelope().correlationIds())) {
            Optional<ProposalSnapshot> found = lookUp.apply(id);
            if (found.filter(this::wasAppliedTo).isPresent()) {
                applied.add(id);
                if (admitted.envelope().category() == KindCategory.REJECT) {
                    rejectionEffects.add(effect(found.orElseThrow()));
                }
            } else {
                // The original reason for the refusal is not stored, so the error describes the current state.
                proposalRefusals.add(found.flatMap(this::error).orElseGet(() -> ProposalRefusal.unknown(admitted, id)));
            }
        }
        return new ProposalDeciderResult.Duplicate(
                earlierCount.withProposalIds(applied), proposalRefusals, rejectionEffects);
    }

    private boolean wasAppliedTo(ProposalSnapshot proposalSnapshot) {
        String id = admitted.envelope().id();
        return proposalSnapshot.timeline().stream()
                .anyMatch(proposalTimelineEntry ->
                        id.equals(proposalTimelineEntry.event().envelopeId()));
    }

    private Optional<ProposalRefusal> error(ProposalSnapshot proposalSnapshot) {
        ProposalState state = proposalSnapshot.stateAt(admitted.receivedAt());
        if (state != ProposalState.OPEN) {
            return Optional.of(ProposalRefusal.about(
                    proposalSnapshot,
                    admitted,
                    EnvelopeErrorCode.PROPOSAL_CLOSED,
                    "The proposal is closed (" + state.label()
                            + "), so it can no longer be withdrawn, rejected or given a status."));
        }
        if (admitted.envelope().category() == KindCategory.WITHDRAW
                && !admitted.from().equals(proposalSnapshot.proposer())) {
            return Optional.of(ProposalRefusal.about(
                    proposalSnapshot,
                    admitted,
                    EnvelopeErrorCode.NOT_PROPOSER,
                    "Only the proposer, " + capabilitiesByMember.names().of(proposalSnapshot.proposer())
                            + ", can withdraw the proposal."
                            + " You can reject it with mcpx.reject.proposal if your capabilities allow it."));
        }
        long earlierCount = proposalSnapshot.timeline().stream()
                .filter(this::isSameKindOfUpdate)
                .count();
        if (earlierCount >= (admitted.envelope().category() == KindCategory.STATUS ? MAX_STATUSES : MAX_REJECTIONS)) {
            return Optional.of(ProposalRefusal.about(
                    proposalSnapshot,
                    admitted,
                    EnvelopeErrorCode.RATE_LIMITED,
                    "You have already sent " + earlierCount
                            + " envelopes of this kind about the proposal, which is the limit."));
        }
        return Optional.empty();
    }

    private boolean isSameKindOfUpdate(ProposalTimelineEntry proposalTimelineEntry) {
        return proposalTimelineEntry.event().actor().equals(admitted.from())
                && switch (proposalTimelineEntry.event()) {
                    case StatusReported _ -> admitted.envelope().category() == KindCategory.STATUS;
                    case Rejected _ -> admitted.envelope().category() == KindCategory.REJECT;
                    default -> false;
                };
    }

    private long characterCount() {
        ExtractedPayloadFields fields = admitted.envelope().payloadFields();
        long each = (long) length(fields.reason()) + length(fields.note());
        return each * admitted.envelope().correlationIds().size();
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private List<ProposalEvent> events(ProposalSnapshot proposalSnapshot, @Nullable StoredEnvelope storedEnvelope) {
        Envelope envelope = admitted.envelope();
        ExtractedPayloadFields fields = envelope.payloadFields();
        String by = admitted.from();
        return switch (envelope.category()) {
            case WITHDRAW -> List.of(new Withdrawn(by, envelope.id(), fields.reason(), storedEnvelope));
            case STATUS ->
                List.of(new StatusReported(
                        by, envelope.id(), Objects.requireNonNull(fields.status()), fields.note(), storedEnvelope));
            case REJECT -> {
                String reason = Objects.requireNonNullElse(fields.reason(), "unspecified");
                yield rejectionEvents(
                        proposalSnapshot, new Rejected(by, envelope.id(), reason, fields.note(), storedEnvelope));
            }
            case REQUEST, RESPONSE, PROPOSAL, CHAT, SYSTEM, OTHER ->
                throw new IllegalArgumentException(
                        envelope.kind() + " does not withdraw, reject or report on a proposal");
        };
    }

    private List<ProposalEvent> rejectionEvents(ProposalSnapshot proposalSnapshot, Rejected rejected) {
        List<SystemMessage.Rejection> reasons = Stream.concat(
                        proposalSnapshot.rejections().stream(),
                        Stream.of(new SystemMessage.Rejection(rejected.actor(), rejected.reason(), rejected.note())))
                .toList();
        return closesProposal(proposalSnapshot, rejected, reasons)
                ? List.of(rejected, new ClosedByRejections(reasons))
                : List.of(rejected);
    }

    private boolean closesProposal(
            ProposalSnapshot proposalSnapshot, Rejected rejected, List<SystemMessage.Rejection> reasons) {
        EligibleReviewers eligibleReviewers = EligibleReviewers.of(proposalSnapshot, capabilitiesByMember);
        boolean veto = settings.rejectionPolicy() == ProposalSettings.RejectionPolicy.VETO
                && !RejectionReason.isAbstention(rejected.reason());
        if (veto && eligibleReviewers.includes(rejected.actor())) {
            return true;
        }
        Set<String> rejecters =
                reasons.stream().map(SystemMessage.Rejection::from).collect(Collectors.toSet());
        // Rejections of other members close nothing, so the rejection that completes the set must be a voter's.
        return eligibleReviewers.voters().contains(rejected.actor())
                && rejecters.containsAll(eligibleReviewers.voters());
    }

    /**
     * Describes what the sender's rejection did.
     *
     * @param after the proposal after the rejection
     */
    private RejectionEffect effect(ProposalSnapshot after) {
        String id = after.id();
        ProposalState state = after.stateAt(admitted.receivedAt());
        if (state == ProposalState.REJECTED) {
            return new RejectionEffect(id, RejectionEffect.Result.CLOSED, List.of(), "rejected");
        }
        EligibleReviewers eligibleReviewers = EligibleReviewers.of(after, capabilitiesByMember);
        boolean abstention = RejectionReason.isAbstention(
                Objects.requireNonNullElse(admitted.envelope().payloadFields().reason(), ""));
        RejectionEffect.Result result = abstention
                ? RejectionEffect.Result.ABSTAINED
                : counts(eligibleReviewers) ? RejectionEffect.Result.VOTED : RejectionEffect.Result.NOT_COUNTED;
        if (state != ProposalState.OPEN) {
            return new RejectionEffect(
                    id, result, List.of(), "recorded, but the proposal had already ended (" + state.label() + ")");
        }
        Set<String> rejecters = ProposalStatusDescriber.rejecters(after);
        List<String> awaitedMembers = result == RejectionEffect.Result.VOTED
                ? eligibleReviewers.voters().stream()
                        .filter(voter -> !rejecters.contains(voter))
                        .toList()
                : eligibleReviewers.pendingReviewers(rejecters);
        MemberNames names = new ProposalDecider(settings, capabilitiesByMember).namesFor(after, admitted.from());
        return new RejectionEffect(id, result, names.ids(awaitedMembers), openText(result, awaitedMembers, names));
    }

    /** Whether the sender's rejection has weight: as a veto or, with {@code rejection: all}, as a vote. */
    private boolean counts(EligibleReviewers eligibleReviewers) {
        return settings.rejectionPolicy() == ProposalSettings.RejectionPolicy.VETO
                ? eligibleReviewers.includes(admitted.from())
                : eligibleReviewers.voters().contains(admitted.from());
    }

    private static String openText(RejectionEffect.Result result, List<String> awaitedMembers, MemberNames names) {
        String waiting = awaitedMembers.isEmpty()
                ? "no reviewer is left to decide"
                : "it waits for " + names.joinWithOr(awaitedMembers);
        return switch (result) {
            case CLOSED -> throw new IllegalArgumentException("a closed proposal is not open");
            case ABSTAINED -> "abstention recorded; the proposal stays open: " + waiting;
            case VOTED ->
                "recorded; the proposal stays open until every reviewer has rejected it; still missing: "
                        + names.joinWithAnd(awaitedMembers);
            case NOT_COUNTED ->
                "recorded; the proposal stays open: only members who could approve it can close it"
                        + (awaitedMembers.isEmpty() ? "" : "; " + waiting);
        };
    }
}
