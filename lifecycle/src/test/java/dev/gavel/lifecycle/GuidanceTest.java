package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.DUG;
import static dev.gavel.lifecycle.GardenProcess.EVE;
import static dev.gavel.lifecycle.GardenProcess.MIA;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.PLAN;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.SUE;
import static dev.gavel.lifecycle.GardenProcess.attach;
import static dev.gavel.lifecycle.GardenProcess.day;
import static dev.gavel.lifecycle.GardenProcess.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleGuidance.Deadline;
import dev.gavel.lifecycle.result.MoveEligibility;
import dev.gavel.lifecycle.result.RequirementStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuidanceTest {
    @Test
    void theStatusIsTheStateSinceWhenInASentence() {
        LifecycleGuidance guidance = GardenProcess.in("idea")
                .onDay(3)
                .perform(move(MO, "digging"))
                .onDay(9)
                .guidance(EVE);
        assertThat(guidance.state()).isEqualTo("digging");
        assertThat(guidance.since()).isEqualTo(day(3));
        assertThat(guidance.status()).isEqualTo("digging since 2026-03-04: mo helps ada to dig.");
        assertThat(GardenProcess.in("growing").guidance(EVE).status())
                .isEqualTo("growing since 2026-03-01: beans grows, in a roof bed.");
    }

    @Test
    void theNextStepIsWrittenForItsReader() {
        LifecycleScenario idea = GardenProcess.in("idea");
        assertThat(idea.guidance(MO).nextStep()).isEqualTo("Become its mentor, or say what is missing.");
        assertThat(idea.guidance(SAM).nextStep())
                .as("a steward is a member too")
                .isEqualTo("Become its mentor, or say what is missing.");
        assertThat(idea.guidance(ADA).nextStep())
                .isEqualTo("Win a member as your mentor; a member will be reminded on 2026-03-15.");
        assertThat(idea.guidance(EVE).nextStep()).isEqualTo("Say whether you would eat it.");
    }

    @Test
    void aReaderNothingIsWrittenForIsToldWhoseMoveItIs() {
        assertThat(GardenProcess.in("digging").guidance(EVE).nextStep())
                .isEqualTo("Nothing to do now: waiting for ada.");
        assertThat(GardenProcess.in("gone").guidance(ADA).nextStep())
                .isEqualTo("Nothing to do: this proposal is gone.");
    }

    @Test
    void aTurnPassesOnWhenItsEvidenceIsThere() {
        LifecycleScenario digging = GardenProcess.in("digging");
        assertThat(digging.guidance(MO).mustAct()).containsExactly(new Assignment(ADA.person(), "gardener", day(0)));
        assertThat(digging.guidance(MO).waitingOn()).containsExactly(MO.person());
        LifecycleScenario dug = digging.onDay(8).perform(attach(ADA, DUG));
        assertThat(dug.guidance(MO).mustAct()).containsExactly(new Assignment(MO.person(), "mentor", day(8)));
        assertThat(dug.guidance(MO).waitingOn())
                .as("nobody waits on whoever must act")
                .isEmpty();
        assertThat(dug.guidance(MO).nextStep()).isEqualTo("Look at the bed and take it to the council.");
    }

    @Test
    void whoeverHasHadTheirTurnIsToldThatItIsAnothersNow() {
        LifecycleScenario dug = GardenProcess.in("digging").perform(attach(ADA, DUG));
        assertThat(dug.guidance(ADA).nextStep()).isEqualTo("Nothing to do now: waiting for mo.");
    }

    @Test
    void aTurnGoesOnAnewWhenAVacancyInItsWayIsFilled() {
        LifecycleScenario filled = GardenProcess.in("digging")
                .onDay(4)
                .perform(new LifecycleCommand.StepDown(MO, "mentor"))
                .onDay(60)
                .perform(new LifecycleCommand.TakeRole(MIA, "mentor", List.of()));
        assertThat(filled.guidance(ADA).mustAct()).containsExactly(new Assignment(ADA.person(), "gardener", day(60)));
        assertThat(filled.dueActions()).isEmpty();
    }

    @Test
    void whoeverTakesOverHoldsItFromThenOn() {
        LifecycleScenario taken = GardenProcess.in("shelved")
                .onDay(4)
                .perform(new LifecycleCommand.StepDown(MO, "mentor"))
                .onDay(6)
                .perform(new LifecycleCommand.TakeRole(MIA, "mentor", List.of()));
        assertThat(taken.guidance(MIA).mustAct()).containsExactly(new Assignment(MIA.person(), "mentor", day(6)));
    }

    @Test
    void somebodyAskedIsWaitedOnUntilTheyDoAnything() {
        LifecycleScenario asked = GardenProcess.in("digging")
                .onDay(1)
                .perform(new LifecycleCommand.Ask(ADA, new Person("Eve"), "How deep?"));
        assertThat(asked.guidance(ADA).waitingOn()).containsExactly(MO.person(), EVE.person());
        assertThat(asked.guidance(EVE).nextStep()).isEqualTo("ada asks you: How deep?");
        LifecycleScenario answered = asked.onDay(2).perform(new LifecycleCommand.Comment(EVE, "A spade."));
        assertThat(answered.guidance(ADA).waitingOn()).containsExactly(MO.person());
    }

    @Test
    void oneOfThoseWhoMustActWhoIsAskedByNameMustAct() {
        LifecycleScenario asked = GardenProcess.in("idea")
                .onDay(1)
                .perform(new LifecycleCommand.Ask(ADA, new Person("mia"), "Will you?"));
        assertThat(asked.guidance(ADA).mustAct())
                .containsExactly(
                        new Assignment(new RoleGroup("member"), "member", day(0)),
                        new Assignment(MIA.person(), "member", day(1)));
        assertThat(asked.guidance(ADA).waitingOn()).isEmpty();
        assertThat(asked.guidance(MIA).nextStep())
                .isEqualTo("ada asks you: Will you? Become its mentor, or say what is missing.");
    }

    @Test
    void toAdvanceListsEveryMoveWithItsEvidenceTickedOrNot() {
        LifecycleGuidance guidance =
                GardenProcess.in("digging").perform(attach(ADA, PLAN)).guidance(MO);
        assertThat(guidance.moves()).extracting(MoveEligibility::to).containsExactly("council", "fallow", "gone");
        MoveEligibility council = guidance.moves().getFirst();
        assertThat(council.isPossible()).isTrue();
        assertThat(council.requirementStatuses())
                .containsExactly(
                        new RequirementStatus("a hose that reaches the bed", true, "met", List.of(), ""),
                        new RequirementStatus("a plan of the bed", true, PLAN.value(), List.of("plan"), ""));
        assertThat(guidance.moves().getLast().actorMay()).isFalse();
    }

    @Test
    void whatIsExpectedIsTheNextThingAClockSays() {
        LifecycleScenario idea = GardenProcess.in("idea");
        assertThat(idea.guidance(ADA).nextDeadline()).contains(new Deadline(day(14), "a member will be reminded"));
        LifecycleScenario answered = idea.onDay(2).perform(new LifecycleCommand.Comment(MIA, "Beans!"));
        assertThat(answered.guidance(ADA).nextDeadline()).contains(new Deadline(day(30), "ada will be reminded"));
        assertThat(answered.onDay(47).guidance(ADA).nextDeadline()).contains(new Deadline(day(60), "it lies fallow"));
    }

    @Test
    void aMoveByTimeIsExpectedWhenAllItsTimesHaveCome() {
        LifecycleScenario active =
                GardenProcess.in("idea").onDay(55).perform(new LifecycleCommand.Comment(ADA, "Anybody?"));
        assertThat(active.onDay(58).guidance(ADA).nextDeadline()).contains(new Deadline(day(69), "it lies fallow"));
    }

    @Test
    void aMoveByTimeIsExpectedOnlyIfNobodyMustDoAnythingForIt() {
        LifecycleEngine changed = GardenProcess.with(
                "[{vacant: mentor, for: 60 d}, {idle: gardener, for: 14 d}]",
                "[{any: [{idle: gardener, for: 70 d}, reason]}, {evidence: plan, when: {bed: ground}}]");
        LifecycleScenario roof = GardenProcess.in("idea").onDay(65);
        assertThat(changed.guidance(roof.history(), ADA, GardenProcess.KNOWN, roof.now())
                        .nextDeadline())
                .contains(new Deadline(day(70), "it lies fallow"));
        LifecycleScenario ground = new LifecycleScenario()
                .perform(GardenProcess.submit(ADA, Map.of()))
                .onDay(65);
        assertThat(changed.guidance(ground.history(), ADA, GardenProcess.KNOWN, ground.now())
                        .nextDeadline())
                .contains(new Deadline(day(46), "ada will be reminded"));
    }

    @Test
    void whatIsOverdueIsStillShown() {
        assertThat(GardenProcess.in("council").onDay(40).guidance(SAM).nextDeadline())
                .contains(new Deadline(day(28), "a steward will be reminded"));
    }

    @Test
    void nothingIsExpectedWhereNoClockRuns() {
        assertThat(GardenProcess.in("thriving").guidance(ADA).nextDeadline()).isEqualTo(Optional.empty());
        assertThat(GardenProcess.in("thriving").guidance(ADA).mustAct()).isEmpty();
    }

    @Test
    void anEscalationMakesARoleActTooUntilWhoeverShouldHaveActs() {
        LifecycleScenario escalated = GardenProcess.in("digging").onDay(40).performDueActions();
        assertThat(escalated.guidance(SAM).mustAct())
                .containsExactly(
                        new Assignment(ADA.person(), "gardener", day(0)),
                        new Assignment(new RoleGroup("steward"), "steward", day(40)));
        assertThat(escalated.guidance(SUE).nextStep()).isEqualTo("Ask ada and mo what delays them.");
        LifecycleScenario resumed = escalated.onDay(41).perform(new LifecycleCommand.Comment(ADA, "Sorry, I was ill."));
        assertThat(resumed.guidance(SAM).mustAct()).containsExactly(new Assignment(ADA.person(), "gardener", day(0)));
    }

    @Test
    void evidenceIsShownInTexts() {
        assertThat(GardenProcess.in("shelved").guidance(ADA).status())
                .isEqualTo("shelved since 2026-03-01: put off until 2026-04-20.");
    }

    @Test
    void thereIsNoGuidanceBeforeAnythingIsSubmitted() {
        assertThatThrownBy(() ->
                        GardenProcess.LIFECYCLE.guidance(LifecycleHistory.empty(), ADA, GardenProcess.KNOWN, day(0)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
