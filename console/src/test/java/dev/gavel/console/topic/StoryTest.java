package dev.gavel.console.topic;

import static dev.gavel.console.topic.Letters.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.console.edit.Difference;
import dev.gavel.gateway.proposal.Outcome;
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
import dev.gavel.gateway.proposal.ProposalEvent.StatusGiven;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.proposal.Sent;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoryTest {
    private static final Sent PROPOSAL = Letters.proposal("helper");

    private static ProposalView view(ProposalState state, Guidance guidance, ProposalEvent... more) {
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
                guidance,
                Stream.concat(Stream.of(new Proposed(PROPOSAL, NOON.plusSeconds(900))), Stream.of(more))
                        .map(event -> new Step(NOON, event))
                        .toList());
    }

    private static Guidance guidance(List<String> here, List<String> away, Prospect... ways) {
        return new Guidance(
                "open",
                "",
                NOON,
                here.stream()
                        .map(id -> new Guidance.Holding(new Person(id), "reviewer", NOON))
                        .toList(),
                parties(away),
                "Do what is next.",
                List.of(ways),
                Optional.of(new Guidance.Expectation(NOON.plusSeconds(900), "it expires")));
    }

    private static List<Party> parties(List<String> ids) {
        return ids.stream().<Party>map(Person::new).toList();
    }

    private static Prospect way(String to, boolean you, String... who) {
        return new Prospect(to, parties(List.of(who)), "", you, List.of(), Optional.empty());
    }

    private static List<String> words(String reader, ProposalEvent event) {
        return Story.of(view(ProposalState.OPEN, guidance(List.of(), List.of()), event), reader).steps().stream()
                .map(Story.Line::words)
                .toList();
    }

    private static String step(ProposalEvent event) {
        return words("bob", event).getLast();
    }

    @Test
    void everyStepIsASentence() {
        assertThat(words("bob", new Expired()))
                .containsExactly("helper proposed it.", "It expired: nobody decided it in time.");
        assertThat(step(new Fulfilled(Letters.request("alice", "notes.txt"), false, NOON)))
                .isEqualTo("alice approved it, to be run by files.");
        assertThat(step(new Answered(Letters.response("'result':{}"), false)))
                .isEqualTo("files answered it: it succeeded.");
        assertThat(step(new Answered(Letters.response("'error':{'code':1,'message':'no'}"), true)))
                .isEqualTo("files answered it, late: it failed.");
        assertThat(step(new Rejected("alice", "x", "resource_limit", null, null)))
                .isEqualTo("alice rejected it: resource limit.");
        assertThat(step(new Withdrawn("helper", "x", "changed my mind", null)))
                .isEqualTo("helper withdrew it: changed my mind.");
        assertThat(step(new Withdrawn("helper", "x", null, null))).isEqualTo("helper withdrew it.");
        assertThat(step(new StatusGiven("alice", "x", "considering", null, null)))
                .isEqualTo("alice is considering it.");
        assertThat(step(new StatusGiven("alice", "x", "asleep", null, null))).isEqualTo("alice says 'asleep' of it.");
        assertThat(step(new ClosedByRejections(List.of()))).isEqualTo("It is closed: it was rejected.");
        assertThat(step(new OutcomeUnknown(OutcomeUnknown.Why.ADDRESSEE_LEFT)))
                .isEqualTo("Whether it was done is unknown: who was to run it left before answering.");
        assertThat(step(new Unreachable(List.of("alice", "bob"))))
                .isEqualTo("Nobody is here who could decide it; alice or you could.");
        assertThat(step(new Unreachable(List.of())))
                .isEqualTo("Nobody is here who could decide it, and nobody in this topic may.");
        assertThat(step(new Reachable(List.of("alice")))).isEqualTo("Somebody is here who could decide it: alice.");
        assertThat(step(new Forwarded()))
                .isEqualTo("What came of it was handed on to its proposer, who had called again.");
        assertThat(step(new NotForwarded("gone")))
                .isEqualTo("What came of it was not handed on to its proposer: gone.");
    }

    @Test
    void thatThoseWhoCouldDecideComeAndGoIsOneLine() {
        Unreachable gone = new Unreachable(List.of("alice"));
        Reachable back = new Reachable(List.of("alice"));
        Story story = Story.of(
                view(
                        ProposalState.OPEN,
                        guidance(List.of(), List.of()),
                        gone,
                        back,
                        gone,
                        new StatusGiven("alice", "x", "queued", null, null),
                        back,
                        gone,
                        new Unreachable(List.of()),
                        back),
                "bob");
        assertThat(story.steps())
                .extracting(Story.Line::words)
                .containsExactly(
                        "helper proposed it.",
                        "Those who could decide it came and went (2 times).",
                        "alice has queued it.",
                        "Those who could decide it came and went.",
                        "Nobody is here who could decide it, and nobody in this topic may.",
                        "Somebody is here who could decide it: alice.");
    }

    @Test
    void whatTheReaderDidSaysYou() {
        assertThat(words("alice", new StatusGiven("alice", "x", "queued", null, null)))
                .endsWith("You have queued it.");
        assertThat(words("helper", new Expired())).startsWith("You proposed it.");
    }

    @Test
    void whatOthersWriteHidesNothing() {
        assertThat(step(new Rejected("al\u202eice", "x", "no\u200b\nway", null, null)))
                .isEqualTo("al\\u202eice rejected it: no\\u200b\\nway.");
        Story story = Story.of(
                view(
                        ProposalState.OPEN,
                        guidance(List.of(), List.of()),
                        new StatusGiven("alice", "x", "queued", "one\ntwo\u202e", null)),
                "bob");
        assertThat(story.steps().getLast().quote()).contains("one\ntwo\\u202e");
    }

    @Test
    void otherArgumentsAreShownAsTheyDiffer() {
        Story story = Story.of(
                view(
                        ProposalState.FULFILLED,
                        guidance(List.of(), List.of()),
                        new Fulfilled(Letters.request("alice", "old.txt"), true, NOON)),
                "bob");
        assertThat(story.steps().getLast().words())
                .isEqualTo("alice approved it with other arguments, to be run by files.");
        assertThat(story.steps().getLast().difference().orElseThrow().changes())
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.where()).contains("path");
                    assertThat(change.what()).isEqualTo(Difference.What.CHANGED);
                    assertThat(change.lines().toString()).contains("notes.txt", "old.txt");
                });
    }

    @Test
    void aReviewerIsToldOfTheButtonsAndEverybodyWhoMay() {
        Story story = Story.of(
                view(
                        ProposalState.OPEN,
                        guidance(
                                List.of("alice"),
                                List.of(),
                                way("fulfilled", true, "alice", "bob"),
                                way("rejected", true, "alice"),
                                way("withdrawn", false, "helper"))),
                "alice");
        assertThat(story.next().words()).isEqualTo("Read what is to be called, then approve or reject it above.");
        assertThat(story.next().act()).contains(new Story.Act("you", NOON));
        assertThat(story.next().ways())
                .containsExactly(
                        new Story.Way("May approve", "you or bob", true),
                        new Story.Way("May reject", "you", true),
                        new Story.Way("May withdraw", "helper", false));
        assertThat(story.next().until()).contains(new Story.Until(NOON.plusSeconds(900), "it expires"));
    }

    @Test
    void everybodyElseIsToldWhoseItIsToDecide() {
        Guidance guidance =
                guidance(List.of(), List.of("alice"), way("fulfilled", false, "alice"), way("rejected", true, "bob"));
        assertThat(Story.of(view(ProposalState.OPEN, guidance), "bob").next().words())
                .isEqualTo("If you object, reject it above. It is up to alice to approve it.");
        assertThat(Story.of(view(ProposalState.OPEN, guidance), "bob").next().away())
                .contains("alice");
        assertThat(Story.of(view(ProposalState.OPEN, guidance), "helper").next().words())
                .isEqualTo("Do what is next.");
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    void howItStandsIsAWord(Outcome outcome) {
        ProposalView open = view(ProposalState.OPEN, guidance(List.of(), List.of()));
        ProposalView ended = new ProposalView(
                open.id(),
                open.from(),
                open.to(),
                open.kind(),
                open.payload(),
                ProposalState.FULFILLED,
                Optional.of(outcome),
                open.reasons(),
                open.expiresAt(),
                open.couldRun(),
                open.guidance(),
                open.timeline());
        assertThat(Story.of(open, "bob").state()).isEqualTo("open");
        assertThat(Story.of(ended, "bob").state())
                .isEqualTo(
                        switch (outcome) {
                            case PENDING -> "approved, running";
                            case SUCCEEDED -> "succeeded";
                            case FAILED -> "failed";
                            case UNKNOWN -> "outcome unknown";
                        });
    }
}
