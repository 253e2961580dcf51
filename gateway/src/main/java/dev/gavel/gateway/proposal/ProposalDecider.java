package dev.gavel.gateway.proposal;

import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.SecretsRevealed;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.tool.EditedArgumentsCheck.ArgumentCheckResult;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.RedactionMarker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Applies a topic's proposal rules: decides which events follow when an envelope arrives, time passes or a member
 * that runs a call leaves. Stateless. The caller looks the proposals up, appends the events of a {@link
 * ProposalDeciderResult.Accepted} before anything is published, and ensures that no other decision on the same
 * proposals runs meanwhile. Thread-safe.
 */
public record ProposalDecider(ProposalSettings settings, CapabilitiesByMember capabilitiesByMember) {
    /** How often one member can have the secrets of a proposal shown: each time is stored. */
    private static final int MAX_REVEALS = 50;

    /** Returns the members that could decide a proposal. */
    public EligibleReviewers eligibleReviewers(ProposalSnapshot proposalSnapshot) {
        return EligibleReviewers.of(proposalSnapshot, capabilitiesByMember);
    }

    /** Returns the members that can read a proposal; empty if all members can. */
    public Optional<Set<String>> readers(ProposalSnapshot proposalSnapshot) {
        if (settings.visibility() == ProposalVisibility.MEMBERS) {
            return Optional.empty();
        }
        Set<String> involved = new LinkedHashSet<>(proposalSnapshot.to());
        involved.add(proposalSnapshot.proposer());
        EligibleReviewers reviewers = eligibleReviewers(proposalSnapshot);
        involved.addAll(reviewers.couldFulfil());
        involved.addAll(reviewers.targets());
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (fulfilment != null) {
            involved.add(fulfilment.fulfilled().storedEnvelope().from());
            involved.addAll(fulfilment.addressees());
        }
        proposalSnapshot
                .heldApproval()
                .ifPresent(held -> involved.add(held.approval().actor()));
        return Optional.of(involved);
    }

    /** Returns the names of all members. */
    public MemberNames names() {
        return capabilitiesByMember.names();
    }

    /** Returns the names by which texts for one reader call the members that a proposal concerns. */
    public MemberNames namesFor(ProposalSnapshot proposalSnapshot, String readerId) {
        MemberNames names = names();
        if (settings.showApprovers() || !readerId.equals(proposalSnapshot.proposer())) {
            return names;
        }
        EligibleReviewers reviewers = eligibleReviewers(proposalSnapshot);
        Set<String> hidden = new HashSet<>(reviewers.couldFulfil());
        hidden.addAll(reviewers.targets());
        for (ProposalTimelineEntry entry : proposalSnapshot.timeline()) {
            switch (entry.event()) {
                case Fulfilled fulfilled -> hidden.add(fulfilled.actor());
                case ApprovalHeld held -> hidden.add(held.actor());
                case Rejected rejected -> hidden.add(rejected.actor());
                case StatusReported reported -> hidden.add(reported.actor());
                case SecretsRevealed revealed -> hidden.add(revealed.actor());
                case Unreachable unreachable -> hidden.addAll(unreachable.missingMembers());
                case Reachable reachable -> hidden.addAll(reachable.couldFulfil());
                default -> {}
            }
        }
        hidden.remove(readerId);
        return names.hiding(hidden);
    }

    /** Returns the patterns of a proposal's secret arguments, including those that its approval added. */
    private SecretArgumentPatterns secrets(ProposalSnapshot proposalSnapshot) {
        SecretArgumentPatterns secrets =
                settings.secrets().union(proposalSnapshot.proposed().secrets());
        for (ProposalTimelineEntry entry : proposalSnapshot.timeline()) {
            if (entry.event() instanceof ApprovalHeld held) {
                secrets = secrets.union(held.approval().secrets());
            }
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        return fulfilment == null
                ? secrets
                : secrets.union(fulfilment.fulfilled().secrets());
    }

    /** Returns a proposal as it may be shown: with markers in place of its secret arguments. */
    public ProposalSnapshot redact(ProposalSnapshot proposalSnapshot) {
        SecretArgumentPatterns secrets = secrets(proposalSnapshot);
        return secrets.isEmpty() ? proposalSnapshot : proposalSnapshot.redacted(secrets);
    }

    /**
     * Returns warnings about hidden arguments that a participant which could run the call does not mark as secret.
     *
     * @param definitions the known definitions of the tool, current and earlier, by all participants
     * @param runners the participants that could run the call
     */
    public List<String> disputedSecretWarnings(
            ProposalSnapshot proposalSnapshot, List<ToolDefinition> definitions, List<String> runners) {
        Map<String, SecretArgumentPatterns> schemas = new HashMap<>();
        definitions.forEach(definition -> schemas.merge(
                definition.participant(),
                SecretArgumentPatterns.ofSchema(definition.inputSchema()),
                SecretArgumentPatterns::union));
        return new DisputedSecretFinder(settings.secrets(), secrets(proposalSnapshot), schemas)
                .warnings(proposalSnapshot.payload(), runners);
    }

    /** Whether a member could answer a call. A participant that is not a configured member counts too. */
    public boolean mayAnswer(String participant, Kind call) {
        return !capabilitiesByMember.capabilitiesByMember().containsKey(participant)
                || capabilitiesByMember.maySendKind(participant, call.withOperation("response"));
    }

    /** Returns the members, named as in texts for one reader. */
    public CapabilitiesByMember membersFor(ProposalSnapshot proposalSnapshot, String readerId) {
        return capabilitiesByMember.withNames(namesFor(proposalSnapshot, readerId));
    }

    /**
     * Decides on an envelope whose id is already in the ledger: echoes it if it is the same envelope again, otherwise
     * refuses it.
     *
     * @param before the earlier envelope, as it was sent
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
                new ProposalDeciderResult.Duplicate(before, List.of(), List.of());
        };
    }

    /** Decides on a {@code mcp.proposal}. */
    public ProposalDeciderResult decideProposal(AdmittedEnvelope admittedEnvelope, TopicTools tools) {
        // A reviewer would take the marker for a value that Gavel does not show.
        if (RedactionMarker.isNamedIn(admittedEnvelope.envelope())) {
            return refuseMarker(admittedEnvelope);
        }
        StoredEnvelope storedEnvelope = StoredEnvelope.of(admittedEnvelope);
        Proposed proposed = new Proposed(
                storedEnvelope,
                settings.expiry(admittedEnvelope.envelope().payloadFields().ttl(), admittedEnvelope.receivedAt()),
                secretsOf(admittedEnvelope),
                TopicTools.toolOf(admittedEnvelope.envelope().kindWithContext())
                        .map(tools::record)
                        .orElse(List.of()));
        ProposalSnapshot proposalSnapshot = ProposalSnapshot.create(proposed, admittedEnvelope.receivedAt());
        return accept(
                proposalSnapshot,
                List.of(proposed),
                Optional.of(RoutedEnvelope.of(storedEnvelope, List.of(), List.of())));
    }

    /** Returns the patterns that the new proposal stores: only if they match one of its arguments. */
    private SecretArgumentPatterns secretsOf(AdmittedEnvelope admittedEnvelope) {
        SecretArgumentPatterns secrets = settings.secrets().union(admittedEnvelope.schemaSecrets());
        return secrets.hasSecrets(admittedEnvelope.envelope().payload()) ? secrets : SecretArgumentPatterns.NONE;
    }

    /**
     * Returns an approval with the secret arguments that its sender was not shown. Empty if the approval has markers in
     * other places.
     */
    private Optional<AdmittedEnvelope> restoreSecrets(
            AdmittedEnvelope admittedEnvelope, Optional<ProposalSnapshot> found) {
        RawPayload payload = admittedEnvelope.envelope().payload();
        return !RedactionMarker.isNamedIn(admittedEnvelope.envelope())
                ? Optional.of(admittedEnvelope)
                : found.flatMap(proposalSnapshot ->
                                secrets(proposalSnapshot).restore(payload, proposalSnapshot.payload()))
                        .map(admittedEnvelope::withRestoredPayload);
    }

    private ProposalDeciderResult refuseMarker(AdmittedEnvelope admittedEnvelope) {
        return new ProposalDeciderResult.Refused(List.of(new ProposalRefusal(
                admittedEnvelope
                        .envelope()
                        .refuse(
                                EnvelopeErrorCode.MALFORMED,
                                "The call contains '" + RedactionMarker.NAME
                                        + "', the marker of a hidden secret value. Only an approval can contain it,"
                                        + " where the proposal has a secret value. Nothing was sent."),
                Optional.empty(),
                Optional.empty())));
    }

    /**
     * Decides on a {@code mcp.request} whose correlationId names a proposal.
     *
     * @param found that proposal, if it exists
     * @param argumentCheckResult the result of an earlier {@link ProposalDeciderResult.ArgumentCheckRequired}
     */
    public ProposalDeciderResult decideFulfilment(
            AdmittedEnvelope admittedEnvelope,
            Optional<ProposalSnapshot> found,
            PresenceSnapshot presenceSnapshot,
            TopicTools tools,
            Optional<ArgumentCheckResult> argumentCheckResult) {
        Optional<ProposalSnapshot> readable =
                found.filter(proposalSnapshot -> mayRead(admittedEnvelope.from(), proposalSnapshot));
        Optional<AdmittedEnvelope> restored = restoreSecrets(admittedEnvelope, readable);
        if (readable.isPresent() && restored.isEmpty()) {
            return refuseMarker(admittedEnvelope);
        }
        AdmittedEnvelope approval = restored.orElse(admittedEnvelope);
        // Admission checked the capabilities against the markers.
        if (!approval.equals(admittedEnvelope)
                && !capabilitiesByMember.maySend(
                        approval.from(),
                        approval.envelope().kindWithContext(),
                        approval.envelope().payload())) {
            return new ProposalDeciderResult.Refused(List.of(new ProposalRefusal(
                    admittedEnvelope
                            .envelope()
                            .refuse(
                                    EnvelopeErrorCode.CAPABILITY_VIOLATION,
                                    "Your capabilities do not allow this call with its secret arguments. Ask an admin"
                                            + " for the capability, or leave the decision to another reviewer."),
                    Optional.empty(),
                    Optional.empty())));
        }
        return new ProposalApprovalDecider(
                        settings, capabilitiesByMember, approval, presenceSnapshot, tools, argumentCheckResult)
                .decide(readable);
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
        return new RejectWithdrawStatusDecider(settings, capabilitiesByMember, admittedEnvelope)
                .decide(id -> lookUp.apply(id)
                        .filter(proposalSnapshot -> mayRead(admittedEnvelope.from(), proposalSnapshot)));
    }

    /** Whether a member can read a proposal. For a member that cannot, the proposal does not exist. */
    private boolean mayRead(String member, ProposalSnapshot proposalSnapshot) {
        return readers(proposalSnapshot)
                .map(readers -> readers.contains(member))
                .orElse(true);
    }

    /** Applies the change that is due by now; see {@link ProposalSnapshot#dueAt}. */
    public ProposalDeciderResult decideTimeout(ProposalSnapshot proposalSnapshot, Instant now) {
        if (proposalSnapshot.dueAt().filter(due -> !now.isBefore(due)).isEmpty()) {
            return new ProposalDeciderResult.Unchanged();
        }
        ProposalEvent event;
        if (!proposalSnapshot.isOpen()) {
            event = new OutcomeUnknown(OutcomeUnknown.Reason.ANSWER_TIME_PASSED);
        } else if (proposalSnapshot.callerDisconnection().isPresent()) {
            event = Withdrawn.CALLER_DID_NOT_RETURN;
        } else {
            event = new Expired();
        }
        return accept(proposalSnapshot, List.of(event), Optional.empty());
    }

    /** Withdraws a proposal, if it is open, because its proposer lost its access to the topic. */
    public ProposalDeciderResult withdrawForEndedAccess(ProposalSnapshot proposalSnapshot, String reason, Instant now) {
        return proposalSnapshot.stateAt(now) == ProposalState.OPEN
                ? accept(proposalSnapshot, List.of(Withdrawn.byGateway(reason)), Optional.empty())
                : new ProposalDeciderResult.Unchanged();
    }

    /**
     * Decides whether the result of an approved call is unknown by now, because the members that were to run the call
     * have left.
     */
    public ProposalDeciderResult decideAbsence(
            ProposalSnapshot proposalSnapshot, PresenceSnapshot presenceSnapshot, Instant now) {
        return absenceDueAt(proposalSnapshot, presenceSnapshot)
                        .filter(due -> !now.isBefore(due))
                        .isPresent()
                ? accept(
                        proposalSnapshot,
                        List.of(new OutcomeUnknown(OutcomeUnknown.Reason.ADDRESSEE_LEFT)),
                        Optional.empty())
                : new ProposalDeciderResult.Unchanged();
    }

    /** When {@link #decideAbsence} changes the proposal if presence does not change until then: at the grace's end. */
    static Optional<Instant> absenceDueAt(ProposalSnapshot proposalSnapshot, PresenceSnapshot presenceSnapshot) {
        return Optional.ofNullable(proposalSnapshot.fulfilment())
                .filter(fulfilment -> fulfilment.outcome() == FulfilmentOutcome.PENDING
                        && !presenceSnapshot.anyPresent(fulfilment.addressees()))
                .map(fulfilment -> presenceSnapshot.graceEnd(fulfilment.addressees()));
    }

    /**
     * Records that a process forwards a proposal's result to its proposer, if the proposal has a result and no process
     * forwarded it before.
     */
    public ProposalDeciderResult markForwarded(ProposalSnapshot proposalSnapshot, String process) {
        return proposalSnapshot.isForwarded()
                ? new ProposalDeciderResult.Unchanged()
                : markAlsoForwarded(proposalSnapshot, process);
    }

    /**
     * Records that a process forwards a proposal's result to its proposer, if the proposal has a result, even if another
     * process forwarded it before.
     */
    public ProposalDeciderResult markAlsoForwarded(ProposalSnapshot proposalSnapshot, String process) {
        return proposalSnapshot.isOpen()
                        || proposalSnapshot
                                .outcome()
                                .filter(FulfilmentOutcome.PENDING::equals)
                                .isPresent()
                        || proposalSnapshot.forwardingProcesses().contains(process)
                ? new ProposalDeciderResult.Unchanged()
                : accept(proposalSnapshot, List.of(new Forwarded(process)), Optional.empty());
    }

    /**
     * Records that the MCP client that made the call waits at this process now, unless the call has ended, or the latest
     * record says so already. A held approval takes effect, or is dropped.
     *
     * @param isAccessEnded whether the reviewer of a held approval has no access any more
     */
    public ProposalDeciderResult recordCallerWaits(
            ProposalSnapshot proposalSnapshot,
            String process,
            PresenceSnapshot presenceSnapshot,
            TopicTools tools,
            Predicate<ApprovalHeld> isAccessEnded,
            Instant now) {
        ProposalSnapshot current = proposalSnapshot.asOf(now);
        CallerWaits callerWaits = new CallerWaits(process);
        boolean recorded = current.timeline().reversed().stream()
                .map(ProposalTimelineEntry::event)
                .filter(event -> event instanceof CallerWaits || event instanceof CallerDisconnected)
                .findFirst()
                .filter(callerWaits::equals)
                .isPresent();
        if (recorded || current.dueAt().isEmpty()) {
            return new ProposalDeciderResult.Unchanged();
        }
        List<ProposalEvent> events = new ArrayList<>(List.of(callerWaits));
        current.heldApproval()
                .map(held -> new HeldApprovalDecider(
                                capabilitiesByMember, settings.answerTimeout(), presenceSnapshot, tools, isAccessEnded)
                        .decide(current, held.event(), now))
                .ifPresent(events::addAll);
        return accept(proposalSnapshot, events, Optional.empty());
    }

    /**
     * Records that the MCP client that made the call lost its connection at this process, and may call again. Changes
     * nothing if the proposal is decided, or if the client waits at another process by now.
     *
     * @param linger how long the client has to call again; empty until the proposal expires
     */
    public ProposalDeciderResult recordCallerDisconnected(
            ProposalSnapshot proposalSnapshot, String process, Optional<Duration> linger, Instant now) {
        boolean waitsElsewhere = proposalSnapshot.timeline().reversed().stream()
                .map(ProposalTimelineEntry::event)
                .filter(CallerWaits.class::isInstance)
                .findFirst()
                .filter(event -> !event.equals(new CallerWaits(process)))
                .isPresent();
        return proposalSnapshot.stateAt(now) != ProposalState.OPEN
                        || waitsElsewhere
                        || proposalSnapshot.callerDisconnection().isPresent()
                ? new ProposalDeciderResult.Unchanged()
                : accept(
                        proposalSnapshot,
                        List.of(new CallerDisconnected(
                                process,
                                linger.map(now::plus)
                                        .filter(deadline -> deadline.isBefore(proposalSnapshot.expiresAt()))
                                        .orElse(null))),
                        Optional.empty());
    }

    /**
     * Records that a member is shown the secret arguments of a proposal. Refused unless the member could approve the
     * proposal.
     */
    public ProposalDeciderResult reveal(ProposalSnapshot proposalSnapshot, String member) {
        long earlier = proposalSnapshot.timeline().stream()
                .filter(entry -> entry.event() instanceof SecretsRevealed revealed
                        && revealed.actor().equals(member))
                .count();
        return eligibleReviewers(proposalSnapshot).couldFulfil().contains(member) && earlier < MAX_REVEALS
                ? accept(proposalSnapshot, List.of(new SecretsRevealed(member)), Optional.empty())
                : new ProposalDeciderResult.Unchanged();
    }

    /**
     * Records that a proposal's result was not forwarded, because the proposer had stopped waiting. Does nothing if it
     * was forwarded: the proposer waited at another process, too.
     */
    public ProposalDeciderResult markNotForwarded(ProposalSnapshot proposalSnapshot, String reason) {
        return proposalSnapshot.isOpen() || proposalSnapshot.isForwarded()
                ? new ProposalDeciderResult.Unchanged()
                : accept(proposalSnapshot, List.of(new NotForwarded(reason)), Optional.empty());
    }

    /** Revokes that a process forwarded a proposal's result: the proposer had stopped waiting there. */
    public ProposalDeciderResult revokeForwarded(ProposalSnapshot proposalSnapshot, String process, String reason) {
        return proposalSnapshot.forwardingProcesses().contains(process)
                ? accept(proposalSnapshot, List.of(new NotForwarded(reason, process)), Optional.empty())
                : new ProposalDeciderResult.Unchanged();
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
                List.of(),
                List.of());
    }
}
