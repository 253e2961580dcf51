package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
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
     * Returns the members that could run the call: those that are present, may respond to it and did not propose it. Of
     * these, it returns the first group that is not empty: those that offer the call and are in the proposal's {@code
     * to}; those that offer it; those in {@code to}; all except the reader. Empty once the proposal is no longer open.
     */
    public List<String> possibleRunners() {
        if (state() != ProposalState.OPEN) {
            return List.of();
        }
        Kind responseKind = proposalSnapshot.callKind().withOperation("response");
        List<String> capable = capabilitiesByMember.capabilitiesByMember().keySet().stream()
                .filter(presenceSnapshot::isPresent)
                .filter(id ->
                        !id.equals(proposalSnapshot.proposer()) && capabilitiesByMember.maySendKind(id, responseKind))
                .toList();
        List<String> offering = capable.stream().filter(offers).toList();
        List<String> candidates = offering.isEmpty() ? capable : offering;
        List<String> addressed =
                candidates.stream().filter(proposalSnapshot.to()::contains).toList();
        if (!addressed.isEmpty()) {
            return addressed;
        }
        return offering.isEmpty()
                ? capable.stream().filter(id -> !id.equals(viewerId)).toList()
                : offering;
    }

    /**
     * Assesses the call as these members would run it. Empty once the proposal is no longer open.
     *
     * @param fullPayload the payload with its secret arguments
     */
    Optional<CallRisk> risk(List<String> runners, RawPayload fullPayload) {
        if (state() != ProposalState.OPEN) {
            return Optional.empty();
        }
        Json params = params(fullPayload);
        return Optional.of(CallRiskAssessor.assess(
                proposalSnapshot.callKind(),
                params,
                proposalSnapshot.payload().equals(fullPayload) ? params : params(proposalSnapshot.payload()),
                proposalSnapshot.id(),
                runners.stream().flatMap(runner -> tool.apply(runner).stream()).toList()));
    }

    private static Json params(RawPayload payload) {
        return Json.parse(payload.toString()).orElseGet(Json::object).at("params");
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
        return state() == ProposalState.OPEN
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
        moveEligibilities.add(
                reviewers.couldFulfil().isEmpty()
                        ? MoveEligibility.blocked(
                                ProposalState.FULFILLED.label(),
                                "No member of this topic is allowed to approve this call.")
                        : move(ProposalState.FULFILLED, reviewers.couldFulfil()));
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
            return Optional.of(new Deadline(proposalSnapshot.expiresAt(), "it expires"));
        }
        Fulfilment fulfilment = proposalSnapshot.fulfilment();
        return fulfilment != null && fulfilment.outcome() == FulfilmentOutcome.PENDING
                ? Optional.of(
                        new Deadline(fulfilment.fulfilled().answerDeadline(), "its result is recorded as unknown"))
                : Optional.empty();
    }
}
