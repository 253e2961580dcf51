package dev.gavel.lifecycle.shipped;

import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.ADA;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CARL;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CHET;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CLEO;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.CORA;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.EVE;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.MO;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.SAM;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.linkEvidence;
import static dev.gavel.lifecycle.shipped.ShippedProcessFixtures.textEvidence;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests complete lifecycles of SEPs under the shipped processes. */
class ShippedSepLifecycleTest {
    static Stream<LifecycleEngine> both() {
        return Stream.of(ShippedProcessFixtures.SEP_1286, ShippedProcessFixtures.MCP_2026);
    }

    private static SepScenario submitted(LifecycleEngine lifecycleEngine) {
        return SepScenario.start(lifecycleEngine)
                .perform(new LifecycleCommand.Submit(
                        ADA, List.of(), Map.of("title", "Streams"), List.of(linkEvidence("discussion"))));
    }

    private static LifecycleCommand vote(Actor by, BallotChoice ballotChoice) {
        return new LifecycleCommand.Vote(by, ballotChoice, ballotChoice == BallotChoice.CONCERN ? "It leaks." : "");
    }

    private static LifecycleCommand sponsors(Actor by) {
        return new LifecycleCommand.TakeRole(by, "sponsor", List.of());
    }

    private static SepScenario reviewed(LifecycleEngine lifecycleEngine) {
        return SepScenario.inState(lifecycleEngine, "in-review")
                .perform(new LifecycleCommand.Attach(ADA, List.of(linkEvidence("prototype"))));
    }

    @Test
    void theSixStepsOfSep1286LeadToFinal() {
        SepScenario end = submitted(ShippedProcessFixtures.SEP_1286)
                .perform(sponsors(SAM))
                .attach(SAM, linkEvidence("goals"))
                .confirm(CORA, "goals")
                .move(SAM, "provisional")
                .move(SAM, "prototyping", linkEvidence("prototype"))
                .perform(new LifecycleCommand.Attach(ADA, List.of(textEvidence("ready"))))
                .move(SAM, "in-review", textEvidence("review"))
                .perform(vote(CORA, BallotChoice.YES))
                .perform(vote(CARL, BallotChoice.YES))
                .move(CORA, "accepted")
                .perform(new LifecycleCommand.Attach(ADA, List.of(linkEvidence("reference-implementation"))))
                .move(SAM, "final", linkEvidence("conformance"), textEvidence("merged"));
        assertThat(end.guidance(ADA).mustAct()).isEmpty();
        assertThat(end.guidance(ADA).nextStep()).isEqualTo("Nothing to do. The SEP can only be superseded.");
    }

    @Test
    void theShorterWayOfMcp2026LeadsToFinal() {
        assertThat(submitted(ShippedProcessFixtures.MCP_2026)
                        .perform(sponsors(SAM))
                        .move(SAM, "in-review")
                        .move(SAM, "draft", textEvidence("changes"))
                        .move(SAM, "in-review")
                        .decided("accepted")
                        .move(CORA, "accepted", linkEvidence("prototype"))
                        .move(
                                SAM,
                                "final",
                                linkEvidence("reference-implementation"),
                                textEvidence("merged"),
                                textEvidence("exemption"))
                        .state())
                .isEqualTo("final");
    }

    @ParameterizedTest
    @MethodSource("both")
    void anyoneMaySubmitWithATitleAnAbstractAndAMotivation(LifecycleEngine lifecycleEngine) {
        for (Actor actor : List.of(ADA, MO, CORA, EVE)) {
            SepScenario nothing = SepScenario.start(lifecycleEngine);
            LifecycleCommand submit = new LifecycleCommand.Submit(actor, List.of(), Map.of(), List.of());
            assertThat(nothing.perform(submit).state()).isEqualTo("proposal");
            for (String fact : List.of("titled", "abstract", "motivation")) {
                assertThat(nothing.withFacts(ShippedProcessFixtures.ALL_FACTS_HOLD.withUnmetFact(
                                        fact, "the " + fact + " part is missing"))
                                .expectRefused(submit)
                                .message())
                        .isEqualTo("Cannot submit the document: the " + fact + " part is missing.");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aTypeThatIsNotSaidIsStandardsTrack(LifecycleEngine lifecycleEngine) {
        SepScenario untyped = submitted(lifecycleEngine).perform(sponsors(SAM));
        SepScenario accepted = new SepScenario(
                lifecycleEngine,
                untyped.history()
                        .append(List.of(new LifecycleEvent.Moved(
                                ShippedProcessFixtures.START, CORA, "draft", "accepted", List.of()))),
                untyped.externalFacts(),
                untyped.now());
        assertThat(accepted.expectMoveRefused(
                                SAM, "final", linkEvidence("reference-implementation"), textEvidence("merged"))
                        .message())
                .contains("conformance evidence");
    }

    @ParameterizedTest
    @MethodSource("both")
    void aVoteCarriesWithHalfOfThemAMajorityAndNoOpenConcern(LifecycleEngine lifecycleEngine) {
        SepScenario one = reviewed(lifecycleEngine).perform(vote(CORA, BallotChoice.YES));
        assertThat(one.expectMoveRefused(CORA, "accepted").message())
                .contains("1 yes, 0 no, 0 abstaining; 1 voted, 2 needed");
        assertThat(one.perform(vote(CARL, BallotChoice.ABSTAIN))
                        .move(CORA, "accepted")
                        .state())
                .isEqualTo("accepted");
        assertThat(one.perform(vote(CARL, BallotChoice.NO))
                        .expectMoveRefused(CORA, "accepted")
                        .message())
                .contains("1 yes, 1 no");
        SepScenario concerned = one.perform(vote(CARL, BallotChoice.YES)).perform(vote(CLEO, BallotChoice.CONCERN));
        assertThat(concerned.expectMoveRefused(CORA, "accepted").message()).contains("open concern of cleo");
        SepScenario settled = concerned.perform(vote(Actor.of("CLEO", "core-maintainer"), BallotChoice.YES));
        assertThat(settled.move(CORA, "accepted").history().events().getLast())
                .isInstanceOfSatisfying(
                        LifecycleEvent.Moved.class,
                        moved -> assertThat(moved.evidence())
                                .containsExactly(
                                        new Evidence("tally", "3 yes, 0 no, 0 abstaining; 3 voted, 2 needed")));
        for (Actor other : List.of(ADA, SAM, MO, EVE)) {
            assertThat(one.expectRefused(vote(other, BallotChoice.YES)).message())
                    .isEqualTo("Only a core maintainer can vote.");
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aHoldParksTheDecisionAndLosesNoVote(LifecycleEngine lifecycleEngine) {
        SepScenario held = reviewed(lifecycleEngine)
                .perform(vote(CORA, BallotChoice.YES))
                .perform(vote(CARL, BallotChoice.YES))
                .perform(new LifecycleCommand.Hold(CHET, "the lawyers read it"));
        assertThat(held.expectMoveRefused(CORA, "accepted").message())
                .isEqualTo("The decision has been on hold since 2026-01-05 (the lawyers read it)."
                        + " Only a core maintainer can resume it.");
        assertThat(held.expectMoveRefused(CORA, "rejected", textEvidence("rationale"))
                        .code())
                .isEqualTo("hold");
        assertThat(held.onDay(300).dueActions()).isEmpty();
        assertThat(held.perform(new LifecycleCommand.Release(CLEO, ""))
                        .move(CORA, "accepted")
                        .state())
                .isEqualTo("accepted");
        assertThat(held.expectRefused(new LifecycleCommand.Release(SAM, "")).code())
                .isEqualTo("not-allowed");
    }

    @ParameterizedTest
    @MethodSource("both")
    void minutesAreALinkAndDecideNothing(LifecycleEngine lifecycleEngine) {
        SepScenario review = reviewed(lifecycleEngine).attach(SAM, linkEvidence("minutes"));
        assertThat(review.expectMoveRefused(CORA, "accepted", linkEvidence("minutes"))
                        .message())
                .contains("the recorded decision");
        assertThat(review.expectMoveRefused(CORA, "accepted", new Evidence("minutes", "x"))
                        .message())
                .isEqualTo("'x' is not valid for 'minutes'. Use a link that begins with http:// or https://.");
    }

    @ParameterizedTest
    @MethodSource("both")
    void onlyACoreMaintainerRecordsADecision(LifecycleEngine lifecycleEngine) {
        assertThat(reviewed(lifecycleEngine)
                        .expectMoveRefused(SAM, "accepted", ShippedProcessFixtures.decision("accepted"))
                        .message())
                .startsWith("Only a core maintainer can move this proposal to `accepted`.");
        assertThat(reviewed(lifecycleEngine)
                        .expectRefused(
                                new LifecycleCommand.Attach(SAM, List.of(ShippedProcessFixtures.decision("accepted"))))
                        .message())
                .isEqualTo("Only a core maintainer can give 'decision'.");
    }

    @ParameterizedTest
    @MethodSource("both")
    void evidenceOnceAttachedStaysForLaterMoves(LifecycleEngine lifecycleEngine) {
        SepScenario attached = reviewed(lifecycleEngine)
                .perform(new LifecycleCommand.Attach(
                        ADA, List.of(linkEvidence("reference-implementation"), linkEvidence("conformance"))))
                .decided("accepted")
                .move(CORA, "accepted")
                .move(SAM, "final", textEvidence("merged"));
        assertThat(attached.state()).isEqualTo("final");
        assertThat(reviewed(lifecycleEngine)
                        .expectRefused(new LifecycleCommand.Attach(ADA, List.of(new Evidence("prototype", "soon"))))
                        .message())
                .isEqualTo("'soon' is not valid for 'prototype'. Use a link that begins with http:// or https://.");
    }

    @ParameterizedTest
    @MethodSource("both")
    void whenASponsorStepsDownTheStateStaysAndTheMoveIsTheMaintainers(LifecycleEngine lifecycleEngine) {
        for (String state : lifecycleEngine.processDefinition().states().keySet()) {
            if (!lifecycleEngine
                    .processDefinition()
                    .state(state)
                    .requiredRoles()
                    .contains("sponsor")) {
                continue;
            }
            SepScenario vacant = SepScenario.inState(lifecycleEngine, state)
                    .onDay(40)
                    .perform(new LifecycleCommand.StepDown(SAM, "sponsor"));
            assertThat(vacant.state()).isEqualTo(state);
            assertThat(vacant.guidance(MO).mustAct())
                    .containsExactly(
                            new Assignment(new RoleGroup("maintainer"), "maintainer", ShippedProcessFixtures.day(40)));
            assertThat(vacant.guidance(MO).nextStep())
                    .isEqualTo(
                            "The SEP has no sponsor. Sponsor it, or explain in a comment why it should not have one.");
            assertThat(vacant.guidance(ADA).nextStep()).startsWith("The SEP has no sponsor.");
            assertThat(vacant.expectRefused(sponsors(EVE)).message())
                    .isEqualTo("Only a maintainer can take the role 'sponsor'.");
            for (Actor maintainer : List.of(MO, CORA)) {
                SepScenario taken = vacant.onDay(50).perform(sponsors(maintainer));
                assertThat(taken.state()).isEqualTo(state);
                assertThat(taken.snapshot().holders().people("sponsor")).containsExactly(maintainer.person());
            }
            assertThat(SepScenario.inState(lifecycleEngine, state)
                            .expectRefused(sponsors(MO))
                            .message())
                    .isEqualTo("The role 'sponsor' is not vacant: the sponsor (sam) must step down first.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"in-review", "deferred", "accepted"})
    void whereNobodysTurnHasAClockAVacantPlaceHasOne(String state) {
        SepScenario vacant = SepScenario.inState(ShippedProcessFixtures.SEP_1286, state)
                .onDay(10)
                .perform(new LifecycleCommand.StepDown(SAM, "sponsor"));
        assertThat(vacant.onDay(23).dueActions()).isEmpty();
        assertThat(vacant.onDay(24).dueActions())
                .singleElement()
                .satisfies(clockAction -> assertThat(clockAction.text())
                        .isEqualTo("The SEP has no sponsor. Sponsor it, or explain in a comment why it should"
                                + " not have one."));
        assertThat(vacant.onDay(15).perform(sponsors(MO)).onDay(24).dueActions())
                .isEmpty();
    }

    @Test
    void aCoreMaintainerIsToldMoreThanAMaintainer() {
        assertThat(SepScenario.inState(ShippedProcessFixtures.SEP_1286, "proposal")
                        .guidance(CORA)
                        .nextStep())
                .isEqualTo("Sponsor the SEP, or reject it with feedback.");
    }

    @Test
    void theClockOfWhoeverMustActStartsAnewWhenASponsorStepsDown() {
        SepScenario vacant = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "draft")
                .onDay(10)
                .perform(new LifecycleCommand.StepDown(SAM, "sponsor"));
        assertThat(vacant.onDay(23).dueActions()).isEmpty();
        assertThat(vacant.onDay(24).dueActions())
                .singleElement()
                .satisfies(clockAction -> assertThat(clockAction)
                        .isInstanceOfSatisfying(
                                ClockAction.Reminder.class,
                                reminder -> assertThat(reminder.recipients())
                                        .containsExactly(new Person("cora"), new Person("sam"))));
        assertThat(vacant.onDay(100).dueActions()).anyMatch(ClockAction.Escalation.class::isInstance);
        SepScenario draft = SepScenario.inState(ShippedProcessFixtures.MCP_2026, "draft")
                .onDay(10)
                .perform(new LifecycleCommand.StepDown(SAM, "sponsor"));
        assertThat(draft.onDay(99).dueActions()).isEmpty();
        assertThat(draft.onDay(100).dueActions())
                .extracting(clockAction -> ((ClockAction.Reminder) clockAction).recipients())
                .containsExactlyInAnyOrder(List.of(new Person("ada")), List.of(new Person("cora"), new Person("sam")));
    }

    @ParameterizedTest
    @MethodSource("both")
    void ownershipIsTransferredAndTheFirstAuthorStaysUnlessTheyLeave(LifecycleEngine lifecycleEngine) {
        SepScenario sepScenario = SepScenario.inState(lifecycleEngine, "draft");
        Person eve = EVE.person();
        assertThat(sepScenario
                        .perform(new LifecycleCommand.TransferRole(ADA, "author", eve, true))
                        .snapshot()
                        .proposers())
                .containsExactly(eve, ADA.person());
        SepScenario left = sepScenario.perform(new LifecycleCommand.TransferRole(ADA, "author", eve, false));
        assertThat(left.snapshot().proposers()).containsExactly(eve);
        assertThat(left.move(EVE, "withdrawn", textEvidence("reason")).state()).isEqualTo("withdrawn");
        assertThat(left.expectMoveRefused(ADA, "withdrawn", textEvidence("reason"))
                        .message())
                .isEqualTo("Only the author (eve) can move this proposal to `withdrawn`.");
        assertThat(sepScenario
                        .expectRefused(new LifecycleCommand.TransferRole(SAM, "author", eve, true))
                        .message())
                .isEqualTo("Only the author (ada) can transfer the role 'author'.");
        assertThat(sepScenario
                        .expectRefused(new LifecycleCommand.StepDown(ADA, "author"))
                        .message())
                .contains("Transfer it to another person first.");
    }

    @ParameterizedTest
    @MethodSource("both")
    void aDormantSepIsWokenByItsAuthorOrByASponsor(LifecycleEngine lifecycleEngine) {
        SepScenario dormant = submitted(lifecycleEngine).onDay(200).performDueActions();
        assertThat(dormant.state()).isEqualTo("dormant");
        assertThat(dormant.onDay(2000).dueActions()).isEmpty();
        assertThat(dormant.guidance(ADA).nextStep())
                .isEqualTo("Reactivate the SEP with a note when you want to continue.");
        assertThat(dormant.guidance(MO).nextStep()).isEqualTo("Sponsor the SEP if you want to continue it.");
        SepScenario woken = dormant.onDay(300).move(ADA, "proposal", textEvidence("note"));
        assertThat(woken.onDay(300 + 179).dueActions()).noneMatch(ClockAction.AutoMove.class::isInstance);
        assertThat(woken.onDay(300 + 180).performDueActions().state()).isEqualTo("dormant");
        SepScenario sponsored = dormant.onDay(300).perform(sponsors(MO));
        assertThat(sponsored.state()).isEqualTo("draft");
        assertThat(sponsored.snapshot().holders().people("sponsor")).containsExactly(MO.person());
    }

    @ParameterizedTest
    @MethodSource("both")
    void aSponsorWhoLetsItSleepIsItsSponsorNoMore(LifecycleEngine lifecycleEngine) {
        SepScenario dormant =
                SepScenario.inState(lifecycleEngine, "draft").move(SAM, "dormant", textEvidence("reason"));
        assertThat(dormant.snapshot().holders().people("sponsor")).isEmpty();
        assertThat(dormant.perform(sponsors(MO)).state()).isEqualTo("draft");
    }

    @Test
    void aPersonIsRemindedOfOneSepAtMostOnceInTwoWeeks() {
        // Sam receives a reminder on day 14 as a maintainer and sponsors it; as the sponsor he receives none before day
        // 28.
        SepScenario taken = submitted(ShippedProcessFixtures.SEP_1286)
                .onDay(14)
                .performDueActions()
                .onDay(14)
                .perform(sponsors(SAM));
        assertThat(taken.onDay(28)
                        .atInstant(ShippedProcessFixtures.day(28).minusSeconds(1))
                        .dueActions())
                .isEmpty();
        assertThat(taken.onDay(28).dueActions()).hasSize(1);
        SepScenario late = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "draft")
                .perform(new LifecycleCommand.StepDown(SAM, "sponsor"))
                .onDay(95);
        assertThat(late.dueActions()).hasSize(2);
        assertThat(late.dueActions().stream()
                        .filter(ClockAction.Reminder.class::isInstance)
                        .flatMap(clockAction -> ((ClockAction.Reminder) clockAction).recipients().stream()))
                .as("core maintainers hear that it is theirs too, not both")
                .containsExactly(new Person("sam"), new Person("mo"));
        assertThat(late.performDueActions().onDay(108).dueActions()).isEmpty();
    }

    @Test
    void aReminderThatIsDueSoonerWaitsUntilTwoWeeksAreOver() {
        SepScenario late = submitted(ShippedProcessFixtures.SEP_1286)
                .onDay(160)
                .performDueActions()
                .comment(MO);
        assertThat(late.snapshot().reminderHistory().lastSentTo(ADA.person()))
                .contains(ShippedProcessFixtures.day(160));
        assertThat(late.onDay(166).dueActions()).isEmpty();
        assertThat(late.atInstant(ShippedProcessFixtures.day(174).minusSeconds(1))
                        .dueActions())
                .isEmpty();
        assertThat(late.onDay(174).dueActions())
                .extracting(ClockAction::clock)
                .containsExactlyInAnyOrder("unsponsored", "sponsor");
    }

    @Test
    void thePersonIsLeftAloneInWhateverRoleAndByWhateverClock() {
        // Cora decides it and, since Sam stepped down, sponsors it too.
        SepScenario deferred = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "in-review")
                .perform(new LifecycleCommand.StepDown(SAM, "sponsor"))
                .perform(sponsors(CORA))
                .onDay(28)
                .performDueActions()
                .decided("deferred")
                .move(CARL, "deferred", textEvidence("reason"), new Evidence("revisit", "2026-02-05"));
        assertThat(deferred.onDay(32).dueActions()).isEmpty();
        assertThat(deferred.atInstant(ShippedProcessFixtures.day(42).minusSeconds(1))
                        .dueActions())
                .isEmpty();
        assertThat(deferred.onDay(42).dueActions()).hasSize(1);
        assertThat(deferred.perform(new LifecycleCommand.StepDown(Actor.of("CORA", "core-maintainer"), "sponsor"))
                        .perform(sponsors(MO))
                        .onDay(32)
                        .dueActions())
                .as("Mo was not reminded before")
                .hasSize(1);
    }

    @Test
    void theCoolDownHoldsBackNoMove() {
        SepScenario pinged = submitted(ShippedProcessFixtures.SEP_1286)
                .onDay(1)
                .comment(MO)
                .onDay(179)
                .performDueActions();
        assertThat(pinged.snapshot().reminderHistory().lastSentTo(ADA.person()))
                .contains(ShippedProcessFixtures.day(179));
        assertThat(pinged.onDay(180).performDueActions().state()).isEqualTo("dormant");
    }

    @Test
    void aDeferredSepSaysWhatItWaitsFor() {
        SepScenario review = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "in-review");
        SepScenario dated = review.decided("deferred")
                .move(CORA, "deferred", textEvidence("reason"), new Evidence("revisit", "2026-09-01"));
        assertThat(dated.guidance(ADA).status())
                .isEqualTo("deferred since 2026-01-05: the decision is postponed"
                        + " (date to revisit: 2026-09-01; trigger: none yet).");
        SepScenario again = dated.move(SAM, "in-review", textEvidence("reason"))
                .decided("deferred")
                .move(CORA, "deferred", textEvidence("reason"), new Evidence("trigger", "streams land"));
        assertThat(again.guidance(ADA).status())
                .as("an earlier date is past")
                .endsWith("(date to revisit: none yet; trigger: streams land).");
        assertThat(again.onDay(179).dueActions()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void wordsOfDocumentsMeanStates(LifecycleEngine lifecycleEngine) {
        assertThat(lifecycleEngine.processDefinition().resolveState("Draft", role -> false))
                .contains("proposal");
        assertThat(lifecycleEngine.processDefinition().resolveState("DRAFT", Set.of("sponsor")::contains))
                .contains("draft");
        assertThat(lifecycleEngine.processDefinition().resolveState("Approved", role -> true))
                .contains("accepted");
        assertThat(lifecycleEngine.processDefinition().resolveState("Accepted with Changes", role -> true))
                .contains("accepted");
        assertThat(lifecycleEngine.processDefinition().resolveState("In-Review", role -> true))
                .contains("in-review");
        assertThat(lifecycleEngine.processDefinition().resolveState("TBD", role -> true))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("both")
    void aSepIsDecidedOnAsItIs(LifecycleEngine lifecycleEngine) {
        Map<String, String> other = Map.of("type", "Process");
        for (String state : lifecycleEngine.processDefinition().states().keySet()) {
            SepScenario sepScenario = SepScenario.inState(lifecycleEngine, state);
            switch (state) {
                case "final" ->
                    assertThat(sepScenario
                                    .expectRefused(new LifecycleCommand.Edit(
                                            ADA, Map.of("title", "Else"), Set.of(), Set.of(), false))
                                    .message())
                            .isEqualTo("This proposal is `final` and can no longer be edited."
                                    + " It can only move to `superseded`.");
                case "in-review", "accepted" -> {
                    assertThat(sepScenario
                                    .expectRefused(new LifecycleCommand.Edit(ADA, other, Set.of(), Set.of(), false))
                                    .message())
                            .startsWith("Cannot change 'type' from Standards Track to Process in the state `" + state
                                    + "`: the ");
                    if (state.equals("in-review")) {
                        sepScenario.perform(new LifecycleCommand.Edit(
                                ADA, Map.of("title", "Else", "type", "standards track"), Set.of(), Set.of(), false));
                    }
                }
                case "rejected", "withdrawn", "superseded" ->
                    assertThat(sepScenario
                                    .expectRefused(new LifecycleCommand.Edit(ADA, Map.of(), Set.of(), Set.of(), false))
                                    .code())
                            .isEqualTo("ended");
                default ->
                    assertThat(sepScenario
                                    .perform(new LifecycleCommand.Edit(ADA, other, Set.of(), Set.of(), false))
                                    .snapshot()
                                    .attributes())
                            .containsEntry("type", "Process");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("both")
    void aCoreMaintainerWhoHasVotedIsToldWhatIsNext(LifecycleEngine lifecycleEngine) {
        SepScenario one = reviewed(lifecycleEngine).perform(vote(CORA, BallotChoice.YES));
        assertThat(one.guidance(CORA).nextStep()).startsWith("You have voted. Ask the others to vote");
        assertThat(one.guidance(CARL).nextStep()).isEqualTo("Vote, or raise a concern and give the reason.");
        SepScenario two = one.perform(vote(CARL, BallotChoice.YES));
        for (Actor actor : List.of(CORA, CLEO)) {
            assertThat(two.guidance(actor).nextStep()).startsWith("The vote has carried. Move the SEP to accepted");
        }
        assertThat(two.guidance(ADA).nextStep()).isEqualTo("Answer the questions of the core maintainers.");
    }
}
