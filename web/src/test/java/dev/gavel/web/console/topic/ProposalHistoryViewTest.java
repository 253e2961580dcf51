package dev.gavel.web.console.topic;

import static dev.gavel.web.console.topic.TopicSampleEnvelopes.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.FulfilmentOutcome;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.web.console.json.JsonDiff;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProposalHistoryViewTest {
    private static final StoredEnvelope PROPOSAL = TopicSampleEnvelopes.proposal("helper");

    private static ProposalView view(ProposalState state, LifecycleGuidance guidance, ProposalEvent... more) {
        return new ProposalView(
                "p-1",
                "helper",
                List.of(),
                PROPOSAL.envelope().kind(),
                PROPOSAL.envelope().payload(),
                state,
                Optional.empty(),
                List.of(),
                NOON.plusSeconds(900),
                List.of("files"),
                Optional.empty(),
                guidance,
                Stream.concat(Stream.of(new Proposed(PROPOSAL, NOON.plusSeconds(900))), Stream.of(more))
                        .map(event -> new ProposalTimelineEntry(NOON, event))
                        .toList(),
                MemberNames.IDS);
    }

    private static LifecycleGuidance guidance(List<String> here, List<String> away, MoveEligibility... ways) {
        return new LifecycleGuidance(
                "open",
                "",
                NOON,
                here.stream()
                        .map(id -> new LifecycleGuidance.Assignment(new Person(id), "reviewer", NOON))
                        .toList(),
                parties(away),
                "Do what is next.",
                List.of(ways),
                Optional.of(new LifecycleGuidance.Deadline(NOON.plusSeconds(900), "it expires")));
    }

    private static List<PersonOrGroup> parties(List<String> ids) {
        return ids.stream().<PersonOrGroup>map(Person::new).toList();
    }

    private static MoveEligibility way(String to, boolean you, String... who) {
        return new MoveEligibility(to, parties(List.of(who)), "", you, List.of(), Optional.empty());
    }

    private static List<String> words(String reader, ProposalEvent event) {
        return ProposalHistoryView.of(view(ProposalState.OPEN, guidance(List.of(), List.of()), event), reader)
                .rows()
                .stream()
                .map(ProposalHistoryView.HistoryRow::text)
                .toList();
    }

    private static String step(ProposalEvent event) {
        return words("bob", event).getLast();
    }

    @Test
    void everyStepIsASentence() {
        assertThat(words("bob", new Expired()))
                .containsExactly("helper proposed it.", "It expired: no reviewer decided in time.");
        assertThat(step(new Fulfilled(TopicSampleEnvelopes.request("alice", "notes.txt"), false, NOON)))
                .isEqualTo("alice approved it, to be run by files.");
        assertThat(step(new Answered(TopicSampleEnvelopes.response("'result':{}"), false)))
                .isEqualTo("files reported that it succeeded.");
        assertThat(step(new Answered(TopicSampleEnvelopes.response("'error':{'code':1,'message':'no'}"), true)))
                .isEqualTo("files reported late that it failed.");
        assertThat(step(new Rejected("alice", "x", "resource_limit", null, null)))
                .isEqualTo("alice abstained from deciding it: resource limit.");
        assertThat(step(new Withdrawn("helper", "x", "changed my mind", null)))
                .isEqualTo("helper withdrew it: changed my mind.");
        assertThat(step(new Withdrawn("helper", "x", null, null))).isEqualTo("helper withdrew it.");
        assertThat(step(new StatusReported("alice", "x", "considering", null, null)))
                .isEqualTo("alice is considering it.");
        assertThat(step(new StatusReported("alice", "x", "asleep", null, null)))
                .isEqualTo("alice set the status 'asleep' for it.");
        assertThat(step(new ClosedByRejections(List.of()))).isEqualTo("It was closed because it was rejected.");
        assertThat(step(new OutcomeUnknown(OutcomeUnknown.Reason.ADDRESSEE_LEFT)))
                .isEqualTo("Whether it was executed is unknown: the participant that runs it disconnected before it"
                        + " answered.");
        assertThat(step(new Unreachable(List.of("alice", "bob"))))
                .isEqualTo("It is waiting for alice or you; no reviewer is connected.");
        assertThat(step(new Unreachable(List.of())))
                .isEqualTo("It cannot be decided: no member of this topic is allowed to approve it.");
        assertThat(step(new Reachable(List.of("alice")))).isEqualTo("It can be decided now by alice.");
        assertThat(step(new Forwarded())).isEqualTo("It returned its result to the proposer.");
        assertThat(step(new NotForwarded("gone"))).isEqualTo("It did not return its result to the proposer: gone.");
    }

    @Test
    void thatThoseWhoCouldDecideComeAndGoIsOneLine() {
        Unreachable gone = new Unreachable(List.of("alice"));
        Reachable back = new Reachable(List.of("alice"));
        ProposalHistoryView proposalHistoryView = ProposalHistoryView.of(
                view(
                        ProposalState.OPEN,
                        guidance(List.of(), List.of()),
                        gone,
                        back,
                        gone,
                        new StatusReported("alice", "x", "queued", null, null),
                        back,
                        gone,
                        new Unreachable(List.of()),
                        back),
                "bob");
        assertThat(proposalHistoryView.rows())
                .extracting(ProposalHistoryView.HistoryRow::text)
                .containsExactly(
                        "helper proposed it.",
                        "Reviewers disconnected and reconnected (2 times).",
                        "alice has queued it.",
                        "Reviewers disconnected and reconnected.",
                        "It cannot be decided: no member of this topic is allowed to approve it.",
                        "It can be decided now by alice.");
    }

    @Test
    void whatTheReaderDidSaysYou() {
        assertThat(words("alice", new StatusReported("alice", "x", "queued", null, null)))
                .endsWith("You have queued it.");
        assertThat(words("helper", new Expired())).startsWith("You proposed it.");
    }

    @Test
    void whatOthersWriteHidesNothing() {
        assertThat(step(new Rejected("al\u202eice", "x", "no\u200b\nway", null, null)))
                .isEqualTo("al\\u202eice voted to reject it: no\\u200b\\nway.");
        ProposalHistoryView proposalHistoryView = ProposalHistoryView.of(
                view(
                        ProposalState.OPEN,
                        guidance(List.of(), List.of()),
                        new StatusReported("alice", "x", "queued", "one\ntwo\u202e", null)),
                "bob");
        assertThat(proposalHistoryView.rows().getLast().quote()).contains("one\ntwo\\u202e");
    }

    @Test
    void otherArgumentsAreShownAsTheyDiffer() {
        ProposalHistoryView proposalHistoryView = ProposalHistoryView.of(
                view(
                        ProposalState.FULFILLED,
                        guidance(List.of(), List.of()),
                        new Fulfilled(TopicSampleEnvelopes.request("alice", "old.txt"), true, NOON)),
                "bob");
        assertThat(proposalHistoryView.rows().getLast().text())
                .isEqualTo("alice edited and approved it, to be run by files.");
        assertThat(proposalHistoryView.rows().getLast().jsonDiff().orElseThrow().changes())
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.path()).contains("path");
                    assertThat(change.type()).isEqualTo(JsonDiff.ChangeType.CHANGED);
                    assertThat(change.lines().toString()).contains("notes.txt", "old.txt");
                });
    }

    @Test
    void aReviewerIsToldOfTheButtonsAndEverybodyWhoMay() {
        ProposalHistoryView proposalHistoryView = ProposalHistoryView.of(
                view(
                        ProposalState.OPEN,
                        guidance(
                                List.of("alice"),
                                List.of(),
                                way("fulfilled", true, "alice", "bob"),
                                way("rejected", true, "alice"),
                                way("withdrawn", false, "helper"))),
                "alice");
        assertThat(proposalHistoryView.nextStep().text())
                .isEqualTo("Check the call and its arguments, then approve or reject it above.");
        assertThat(proposalHistoryView.nextStep().requiredActor())
                .contains(new ProposalHistoryView.RequiredActor("you", NOON));
        assertThat(proposalHistoryView.nextStep().moves())
                .containsExactly(
                        new ProposalHistoryView.PossibleMove("Can approve", "you or bob", true),
                        new ProposalHistoryView.PossibleMove("Can reject", "you", true),
                        new ProposalHistoryView.PossibleMove("Can withdraw", "helper", false));
        assertThat(proposalHistoryView.nextStep().deadline())
                .contains(new ProposalHistoryView.Deadline(NOON.plusSeconds(900), "it expires"));
    }

    @Test
    void everybodyElseIsToldWhoseItIsToDecide() {
        LifecycleGuidance guidance =
                guidance(List.of(), List.of("alice"), way("fulfilled", false, "alice"), way("rejected", true, "bob"));
        assertThat(ProposalHistoryView.of(view(ProposalState.OPEN, guidance), "bob")
                        .nextStep()
                        .text())
                .isEqualTo("Only alice can approve it. You can reject it above.");
        assertThat(ProposalHistoryView.of(view(ProposalState.OPEN, guidance), "bob")
                        .nextStep()
                        .absentActors())
                .contains("alice");
        assertThat(ProposalHistoryView.of(view(ProposalState.OPEN, guidance), "helper")
                        .nextStep()
                        .text())
                .isEqualTo("Do what is next.");
    }

    @ParameterizedTest
    @EnumSource(FulfilmentOutcome.class)
    void howItStandsIsAWord(FulfilmentOutcome outcome) {
        ProposalView open = view(ProposalState.OPEN, guidance(List.of(), List.of()));
        ProposalView ended = new ProposalView(
                open.id(),
                open.proposer(),
                open.to(),
                open.kind(),
                open.payload(),
                ProposalState.FULFILLED,
                Optional.of(outcome),
                open.rejections(),
                open.expiresAt(),
                open.possibleRunners(),
                open.risk(),
                open.guidance(),
                open.timeline(),
                MemberNames.IDS);
        assertThat(ProposalHistoryView.of(open, "bob").state()).isEqualTo("open");
        assertThat(ProposalHistoryView.of(ended, "bob").state())
                .isEqualTo(
                        switch (outcome) {
                            case PENDING -> "approved, running";
                            case SUCCEEDED -> "succeeded";
                            case FAILED -> "failed";
                            case UNKNOWN -> "result unknown";
                        });
    }
}
