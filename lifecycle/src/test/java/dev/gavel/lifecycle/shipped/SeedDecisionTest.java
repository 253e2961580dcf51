package dev.gavel.lifecycle.shipped;

import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.ADA;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CARL;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CLEO;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CORA;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.LEA;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.MO;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.SAM;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.decision;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.linkEvidence;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.textEvidence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the sentences of SEP-1286 that say who decides, and what must be true when a SEP is accepted and final. */
class SeedDecisionTest {
    static Stream<LifecycleEngine> both() {
        return Stream.of(ShippedProcessFixtures.SEP_1286, ShippedProcessFixtures.MCP_2026);
    }

    private static SepScenario reviewed(LifecycleEngine lifecycleEngine) {
        return SepScenario.inState(lifecycleEngine, "in-review").attach(ADA, linkEvidence("prototype"));
    }

    private static LifecycleCommand vote(Actor by, BallotChoice ballotChoice) {
        return new LifecycleCommand.Vote(by, ballotChoice, "so");
    }

    private static SepScenario carried(SepScenario review) {
        return review.perform(vote(CARL, BallotChoice.YES)).perform(vote(CLEO, BallotChoice.YES));
    }

    private static LifecycleCommand edit(Actor by, String section, boolean editorial) {
        return new LifecycleCommand.Edit(by, Map.of(), Set.of(section), Set.of(), editorial);
    }

    @Nested
    @DisplayName("\"high-level review by maintainers and core maintainers\"")
    class HighLevelReview {
        @Test
        void theGoalsThatAMaintainerLinksNeedTheConfirmationOfACoreMaintainer() {
            SepScenario draft = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "draft");
            assertThat(draft.expectMoveRefused(SAM, "provisional", linkEvidence("goals"))
                            .message())
                    .isEqualTo("Cannot move to `provisional`: 'goals' counts only when a core maintainer other than sam"
                            + " has confirmed it; attach it first, without the move.");
            SepScenario linked = draft.attach(SAM, linkEvidence("goals"));
            assertThat(linked.expectMoveRefused(SAM, "provisional").message())
                    .isEqualTo("Cannot move to `provisional`: 'goals' by sam (https://example.org/goals) waits until a"
                            + " core maintainer other than sam confirms it.");
            for (Actor other : List.of(SAM, MO, ADA, Actor.of("ada", "core-maintainer"))) {
                assertThat(linked.expectRefused(new LifecycleCommand.Confirm(other, "goals", Optional.empty()))
                                .code())
                        .isEqualTo("not-allowed");
            }
            assertThat(linked.guidance(CORA).nextStep())
                    .startsWith("Confirm 'goals' by sam (https://example.org/goals), or comment on what prevents it.");
            assertThat(linked.confirm(CORA, "goals").move(SAM, "provisional").state())
                    .isEqualTo("provisional");
        }

        @Test
        void aCoreMaintainerWhoSponsorsTheSepDoesNotConfirmTheOwnReview() {
            SepScenario linked = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "proposal")
                    .perform(new LifecycleCommand.TakeRole(CORA, "sponsor", List.of()))
                    .attach(CORA, linkEvidence("goals"));
            assertThat(linked.expectRefused(new LifecycleCommand.Confirm(CORA, "goals", Optional.empty()))
                            .message())
                    .isEqualTo("You gave 'goals' yourself. Another person must confirm it: a core maintainer.");
        }
    }

    @Nested
    @DisplayName("\"core maintainers decide\"")
    class CoreMaintainersDecide {
        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void oneCoreMaintainerAloneReachesNoDecision(LifecycleEngine lifecycleEngine) {
            SepScenario review = reviewed(lifecycleEngine)
                    .perform(vote(CORA, BallotChoice.YES))
                    .attach(CORA, decision("accepted"));
            for (Evidence[] evidence : List.of(
                    new Evidence[0], new Evidence[] {decision("accepted")}, new Evidence[] {linkEvidence("minutes")})) {
                assertThat(review.expectMoveRefused(CORA, "accepted", evidence).code())
                        .isEqualTo("missing");
            }
            assertThat(review.expectRefused(new LifecycleCommand.Confirm(CORA, "decision", Optional.empty()))
                            .code())
                    .isEqualTo("not-allowed");
            assertThat(review.confirm(CARL, "decision").move(CORA, "accepted").state())
                    .isEqualTo("accepted");
            assertThat(carried(review).move(CORA, "accepted").state()).isEqualTo("accepted");
        }

        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void aCoreMaintainerDoesNotTakeTheOwnSepFromSubmissionToFinal(LifecycleEngine lifecycleEngine) {
            SepScenario submitted = SepScenario.start(lifecycleEngine)
                    .perform(new LifecycleCommand.Submit(CORA, List.of(), Map.of(), List.of()));
            assertThat(submitted
                            .expectRefused(new LifecycleCommand.TakeRole(CORA, "sponsor", List.of()))
                            .message())
                    .isEqualTo("Only a maintainer (but no person who is the author) can move this proposal to"
                            + " `draft`.");
            SepScenario given = submitted.perform(
                    new LifecycleCommand.TransferRole(CORA, "author", ShippedProcessFixtures.EVE.person(), false));
            assertThat(given.expectRefused(new LifecycleCommand.TakeRole(CORA, "sponsor", List.of()))
                            .code())
                    .isEqualTo("not-allowed");
        }

        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void aLeadMaintainerOverrulesTheVoteWithAConfirmationAndRejectsAlone(LifecycleEngine lifecycleEngine) {
            SepScenario concerned = reviewed(lifecycleEngine).perform(vote(CARL, BallotChoice.CONCERN));
            assertThat(concerned
                            .decided("accepted")
                            .expectMoveRefused(CORA, "accepted")
                            .message())
                    .contains("'decision' cannot overrule the open concern of carl;"
                            + " only a 'decision' given by a lead maintainer can");
            assertThat(concerned
                            .attach(LEA, decision("accepted"))
                            .confirm(CORA, "decision")
                            .move(CORA, "accepted")
                            .state())
                    .isEqualTo("accepted");
            assertThat(carried(reviewed(lifecycleEngine))
                            .move(LEA, "rejected", textEvidence("rationale"))
                            .state())
                    .isEqualTo("rejected");
        }

        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void theVoteAndTheAcceptanceAreAboutOneCompleteText(LifecycleEngine lifecycleEngine) {
            SepScenario voted = carried(reviewed(lifecycleEngine));
            assertThat(voted.perform(edit(ADA, "rationale", false))
                            .expectMoveRefused(CORA, "accepted")
                            .message())
                    .contains("0 yes, 0 no");
            SepScenario incomplete = voted.withFacts(ShippedProcessFixtures.ALL_FACTS_HOLD.withUnmetFact(
                    "complete", "the Rationale section is missing"));
            assertThat(incomplete.expectMoveRefused(CORA, "accepted").message())
                    .isEqualTo("Cannot move to `accepted`: the Rationale section is missing.");
            SepScenario accepted = voted.move(CORA, "accepted");
            assertThat(accepted.expectRefused(edit(ADA, "rationale", false)).message())
                    .isEqualTo("The text is fixed in the state `accepted`, because it was decided on. The sponsor (sam)"
                            + " or a core maintainer can make an edit that does not change the meaning and declare it"
                            + " editorial. For any other change, move this proposal back to `in-review`.");
            assertThat(accepted.expectRefused(edit(ADA, "rationale", true)).code())
                    .isEqualTo("not-allowed");
            accepted.perform(edit(ADA, "reference-implementation", false));
            accepted.perform(edit(SAM, "rationale", true));
            SepScenario back = accepted.move(SAM, "in-review", textEvidence("changes"));
            assertThat(back.perform(edit(ADA, "rationale", false))
                            .expectMoveRefused(CORA, "accepted")
                            .code())
                    .isEqualTo("missing");
        }
    }

    @Nested
    @DisplayName("\"rejected with clear feedback\"")
    class RejectedWithClearFeedback {
        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void anEarlyRejectionNeedsFeedbackAndASecondCoreMaintainer(LifecycleEngine lifecycleEngine) {
            for (String state : List.of("proposal", "draft")) {
                SepScenario sep = SepScenario.inState(lifecycleEngine, state);
                assertThat(sep.expectMoveRefused(CORA, "rejected", textEvidence("feedback"))
                                .message())
                        .contains("the recorded decision is missing");
                assertThat(sep.decided("rejected")
                                .expectMoveRefused(CORA, "rejected")
                                .message())
                        .contains("feedback to the author is missing");
                assertThat(sep.decided("rejected")
                                .move(CORA, "rejected", textEvidence("feedback"))
                                .state())
                        .isEqualTo("rejected");
                assertThat(sep.move(LEA, "rejected", textEvidence("feedback")).state())
                        .isEqualTo("rejected");
                assertThat(sep.expectMoveRefused(LEA, "rejected").message())
                        .contains("feedback to the author is missing");
            }
        }

        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void aRejectionInReviewNeedsALostVoteOrAConfirmedDecisionAndTheRationale(LifecycleEngine lifecycleEngine) {
            SepScenario review = reviewed(lifecycleEngine);
            assertThat(review.expectMoveRefused(CORA, "rejected", textEvidence("rationale"))
                            .code())
                    .isEqualTo("missing");
            SepScenario lost = review.perform(vote(CARL, BallotChoice.NO)).perform(vote(CLEO, BallotChoice.NO));
            for (SepScenario decided : List.of(lost, review.decided("rejected"))) {
                assertThat(decided.expectMoveRefused(CORA, "rejected").message())
                        .contains("the rationale of the decision is missing");
                assertThat(decided.move(CORA, "rejected", textEvidence("rationale"))
                                .state())
                        .isEqualTo("rejected");
            }
        }
    }

    @Nested
    @DisplayName("\"complete after all is merged\"")
    class CompleteAfterAllIsMerged {
        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void finalNeedsTheLinkAndAStatementOfAnotherPersonThanTheAuthor(LifecycleEngine lifecycleEngine) {
            SepScenario accepted =
                    SepScenario.inState(lifecycleEngine, "accepted").attach(ADA, linkEvidence("conformance"));
            assertThat(accepted.expectMoveRefused(SAM, "final", linkEvidence("reference-implementation"))
                            .message())
                    .isEqualTo(
                            "Cannot move to `final`: a statement that all work is merged is missing (merged: text).");
            assertThat(accepted.expectMoveRefused(SAM, "final", textEvidence("merged"))
                            .message())
                    .contains("a link to the complete reference implementation is missing");
            assertThat(accepted.expectRefused(new LifecycleCommand.Attach(
                                    Actor.of("ada", "maintainer"), List.of(textEvidence("merged"))))
                            .message())
                    .isEqualTo("A person who is the author cannot give 'merged'.");
            assertThat(accepted.move(SAM, "final", linkEvidence("reference-implementation"), textEvidence("merged"))
                            .state())
                    .isEqualTo("final");
        }

        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void theDocumentIsStillComplete(LifecycleEngine lifecycleEngine) {
            SepScenario incomplete = SepScenario.inState(lifecycleEngine, "accepted")
                    .withFacts(ShippedProcessFixtures.ALL_FACTS_HOLD.withUnmetFact(
                            "complete", "the Rationale section is missing"));
            assertThat(incomplete.decide(new LifecycleCommand.MoveTo(
                            SAM,
                            "final",
                            List.of(
                                    linkEvidence("reference-implementation"),
                                    linkEvidence("conformance"),
                                    textEvidence("merged")))))
                    .isInstanceOfSatisfying(
                            LifecycleCommandResult.Refused.class,
                            refused -> assertThat(refused.refusal().message())
                                    .isEqualTo("Cannot move to `final`: the Rationale section is missing."));
        }

        @ParameterizedTest
        @MethodSource("dev.gavel.lifecycle.shipped.SeedDecisionTest#both")
        void aLinkIsAnAbsoluteWebAddressWithAHost(LifecycleEngine lifecycleEngine) {
            for (String bad : List.of("x", "example.org/code", "https:///code", "https:code", "file:///code")) {
                assertThat(SepScenario.inState(lifecycleEngine, "accepted")
                                .expectRefused(new LifecycleCommand.Attach(
                                        ADA, List.of(new Evidence("reference-implementation", bad))))
                                .code())
                        .isEqualTo("bad-evidence");
            }
        }
    }
}
