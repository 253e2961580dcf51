package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Builds the guidance that one member sees on a proposal: the proposal's state, who must act and what to do next. A
 * pure function of its components.
 *
 * @param offers whether a participant offers to run the call
 * @param tool returns a participant's definition of the called tool
 * @param viewerId the member for whom the guidance is written
 */
public record ProposalGuidanceBuilder(
        ProposalSnapshot proposalSnapshot,
        EligibleReviewers reviewers,
        CapabilitiesByMember capabilitiesByMember,
        PresenceSnapshot presenceSnapshot,
        Predicate<String> offers,
        Function<String, Optional<ToolDefinition>> tool,
        String viewerId,
        Instant now) {
    public ProposalGuidanceBuilder {
        proposalSnapshot = proposalSnapshot.asOf(now);
    }

    /**
     * Returns the guidance in which only those reviewers can approve the call that may approve the tool's current
     * definition.
     *
     * @param tools the tools of the topic
     */
    public ProposalGuidanceBuilder restrictedBy(TopicTools tools) {
        List<String> runners = selectableRunners();
        boolean stopped = !runners.isEmpty()
                && TopicTools.toolOf(proposalSnapshot.callKind())
                        .filter(name -> runners.stream().allMatch(runner -> tools.stopsDirectCalls(runner, name)))
                        .isPresent();
        return stopped
                ? new ProposalGuidanceBuilder(
                        proposalSnapshot,
                        reviewers.withFulfillers(capabilitiesByMember::mayApproveDefinition),
                        capabilitiesByMember,
                        presenceSnapshot,
                        offers,
                        tool,
                        viewerId,
                        now)
                : this;
    }

    /** Returns the guidance at this time. */
    public LifecycleGuidance guidance() {
        ProposalStatusDescriber statusText =
                new ProposalStatusDescriber(proposalSnapshot, reviewers, presenceSnapshot, names(), now);
        return new LifecycleGuidance(
                state().label(),
                statusText.status(),
                proposalSnapshot.stateSince(),
                mustAct(),
                parties(statusText.awaitedMembers()),
                new ProposalNextStepDescriber(this, statusText).text(),
                moves(),
                nextDeadline());
    }

    /**
     * Returns the members that could run the call: those that are present, may respond to it and did not propose it. If
     * the proposal addresses members that run calls, only those count, even if none of them is present: the call must
     * not run elsewhere unless the reviewer says so. Otherwise, it returns the first group that is not empty: those that
     * offer the call; those in {@code to}; all except the reader. Empty once the proposal is no longer open.
     */
    public List<String> possibleRunners() {
        if (state() != ProposalState.OPEN) {
            return List.of();
        }
        List<String> capable = capableMembers();
        List<String> addressedRunners = addressedRunners();
        List<String> candidates = addressedRunners.isEmpty()
                ? capable
                : capable.stream().filter(addressedRunners::contains).toList();
        List<String> offering = candidates.stream().filter(offers).toList();
        if (!offering.isEmpty() || !addressedRunners.isEmpty()) {
            return offering.isEmpty() ? candidates : offering;
        }
        List<String> addressed =
                capable.stream().filter(proposalSnapshot.to()::contains).toList();
        return addressed.isEmpty()
                ? capable.stream().filter(id -> !id.equals(viewerId)).toList()
                : addressed;
    }

    /**
     * Returns the members that offer the call, if the proposal addresses others that cannot run it now. The call runs on
     * one of these only if the reviewer names it.
     */
    public List<String> alternativeRunners() {
        return state() == ProposalState.OPEN
                        && possibleRunners().isEmpty()
                        && !addressedRunners().isEmpty()
                ? capableMembers().stream().filter(offers).toList()
                : List.of();
    }

    /** Returns the members that the reviewer can choose from: the possible or, if there are none, the alternative ones. */
    public List<String> selectableRunners() {
        List<String> possible = possibleRunners();
        return possible.isEmpty() ? alternativeRunners() : possible;
    }

    /** Returns the present members that may respond to the call and did not propose it. */
    private List<String> capableMembers() {
        return capabilitiesByMember.capabilitiesByMember().keySet().stream()
                .filter(presenceSnapshot::isPresent)
                .filter(id -> !id.equals(proposalSnapshot.proposer())
                        && AddressedRunners.mayRespond(id, proposalSnapshot, capabilitiesByMember))
                .toList();
    }

    private List<String> addressedRunners() {
        return AddressedRunners.of(proposalSnapshot, capabilitiesByMember, offers);
    }

    /** Returns the members that could run a drafted call: the chosen one, or else all that the reviewer can choose. */
    public List<String> runners(ApprovalDraft draft) {
        return draft.runner().map(List::of).orElseGet(this::selectableRunners);
    }

    /**
     * Assesses a drafted call as these members would run it. Empty once the proposal is no longer open.
     *
     * @param fullPayload the payload with its secret arguments
     */
    Optional<CallRisk> risk(RawPayload fullPayload, ApprovalDraft draft) {
        if (state() != ProposalState.OPEN) {
            return Optional.empty();
        }
        CallRisk risk = CallRiskAssessor.assess(
                proposalSnapshot.callKind(),
                draft.fullParams(proposalSnapshot.payload(), fullPayload),
                draft.shownParams(proposalSnapshot.payload()),
                proposalSnapshot.id(),
                runners(draft).stream()
                        .flatMap(runner -> tool.apply(runner).stream())
                        .toList());
        return Optional.of(
                risk.withContextWarnings(runnerWarning(draft).stream().toList()));
    }

    /** Says that the call would not run where the proposer expects it; empty if it would. */
    private Optional<String> runnerWarning(ApprovalDraft draft) {
        if (draft.runner().isPresent()) {
            String runner = draft.runner().get();
            return possibleRunners().contains(runner) || proposalSnapshot.to().contains(runner)
                    ? Optional.empty()
                    : Optional.of(
                            proposalSnapshot.to().isEmpty()
                                    ? SafeText.line(runner) + " does not offer this call"
                                    : "the call is addressed to " + join(proposalSnapshot.to()) + ", but would run on "
                                            + SafeText.line(runner));
        }
        return alternativeRunners().isEmpty()
                ? Optional.empty()
                : Optional.of("the call is addressed to " + join(addressedRunners())
                        + ", which cannot run it now; it would run on another participant");
    }

    private static String join(List<String> ids) {
        return SafeText.line(String.join(" and ", ids));
    }

    /** The names by which the texts call the members. */
    MemberNames names() {
        return capabilitiesByMember.names();
    }

    ProposalState state() {
        return proposalSnapshot.state();
    }

    boolean readerProposed() {
        return viewerId.equals(proposalSnapshot.proposer());
    }

    boolean readerCouldFulfil() {
        return reviewers.couldFulfil().contains(viewerId);
    }

    /** Whether the reader is allowed to make the proposed call. */
    boolean readerMayCall() {
        return capabilitiesByMember.maySend(viewerId, proposalSnapshot.callKind(), proposalSnapshot.payload());
    }

    /** Says why no member can approve the proposal. */
    String noReviewerText() {
        return readerProposed() && readerMayCall()
                ? "You cannot approve your own proposal, and no other member is allowed to approve it."
                : "No member of this topic is allowed to approve this call.";
    }

    boolean readerMayReject() {
        return capabilitiesByMember.mayReject(viewerId);
    }

    /** Returns the present members that have to act next. */
    private List<Assignment> mustAct() {
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        if (fulfilment != null) {
            return fulfilment.outcome() == FulfilmentOutcome.PENDING
                    ? assignments(
                            presenceSnapshot.presentAmong(fulfilment.addressees()),
                            "addressee",
                            fulfilment.outcomeSince())
                    : List.of();
        }
        return state() == ProposalState.OPEN && proposalSnapshot.heldApproval().isEmpty()
                ? assignments(
                        presenceSnapshot.presentAmong(
                                reviewers.pendingReviewers(ProposalStatusDescriber.rejecters(proposalSnapshot))),
                        "reviewer",
                        proposalSnapshot.stateSince())
                : List.of();
    }

    private List<Assignment> assignments(List<String> ids, String role, Instant since) {
        return names().ids(ids).stream()
                .map(id -> new Assignment(new Person(id), role, since))
                .toList();
    }

    private List<PersonOrGroup> parties(Collection<String> ids) {
        return names().ids(ids).stream().<PersonOrGroup>map(Person::new).toList();
    }

    private List<MoveEligibility> moves() {
        if (state() != ProposalState.OPEN) {
            return List.of();
        }
        List<MoveEligibility> moveEligibilities = new ArrayList<>();
        if (proposalSnapshot.heldApproval().isPresent()) {
            moveEligibilities.add(MoveEligibility.blocked(
                    ProposalState.FULFILLED.label(),
                    "The proposal is approved already. The call runs when the caller calls again."));
        } else {
            moveEligibilities.add(
                    reviewers.couldFulfil().isEmpty()
                            ? MoveEligibility.blocked(ProposalState.FULFILLED.label(), noReviewerText())
                            : move(ProposalState.FULFILLED, reviewers.couldFulfil()));
        }
        moveEligibilities.add(move(
                ProposalState.REJECTED,
                capabilitiesByMember.capabilitiesByMember().keySet().stream()
                        .filter(id -> capabilitiesByMember.mayReject(id) && reviewers.includes(id))
                        .toList()));
        moveEligibilities.add(move(ProposalState.WITHDRAWN, List.of(proposalSnapshot.proposer())));
        return moveEligibilities;
    }

    private MoveEligibility move(ProposalState to, Collection<String> memberIds) {
        return new MoveEligibility(
                to.label(),
                parties(memberIds),
                names().joinWithOr(memberIds),
                memberIds.contains(viewerId),
                List.of(),
                Optional.empty());
    }

    private Optional<Deadline> nextDeadline() {
        if (state() == ProposalState.OPEN) {
            return Optional.of(new Deadline(
                    proposalSnapshot.dueAt().orElseThrow(),
                    proposalSnapshot.callerDisconnection().isPresent()
                            ? "it is withdrawn, unless the caller calls again"
                            : "it expires"));
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        return fulfilment != null && fulfilment.outcome() == FulfilmentOutcome.PENDING
                ? Optional.of(
                        new Deadline(fulfilment.fulfilled().answerDeadline(), "its result is recorded as unknown"))
                : Optional.empty();
    }
}
