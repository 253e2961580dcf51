package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.DUG;
import static dev.gavel.lifecycle.Garden.EVE;
import static dev.gavel.lifecycle.Garden.MIA;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.PLAN;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.SUE;
import static dev.gavel.lifecycle.Garden.attach;
import static dev.gavel.lifecycle.Garden.day;
import static dev.gavel.lifecycle.Garden.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Guidance.Expectation;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.answer.Prospect;
import dev.gavel.lifecycle.answer.Requirement;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuidanceTest {
    @Test
    void theStatusIsTheStateSinceWhenInASentence() {
        Guidance guidance =
                Garden.in("idea").on(3).does(move(MO, "digging")).on(9).guidance(EVE);
        assertThat(guidance.state()).isEqualTo("digging");
        assertThat(guidance.since()).isEqualTo(day(3));
        assertThat(guidance.status()).isEqualTo("digging since 2026-03-04: mo helps ada to dig.");
        assertThat(Garden.in("growing").guidance(EVE).status())
                .isEqualTo("growing since 2026-03-01: beans grows, in a roof bed.");
    }

    @Test
    void theNextStepIsWrittenForItsReader() {
        Story idea = Garden.in("idea");
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
        assertThat(Garden.in("digging").guidance(EVE).nextStep())
                .isEqualTo("Nothing for you to do now: it is up to ada.");
        assertThat(Garden.in("gone").guidance(ADA).nextStep()).isEqualTo("Nothing to do: it is gone.");
    }

    @Test
    void aTurnPassesOnWhenItsEvidenceIsThere() {
        Story digging = Garden.in("digging");
        assertThat(digging.guidance(MO).mustAct()).containsExactly(new Holding(ADA.person(), "gardener", day(0)));
        assertThat(digging.guidance(MO).waitingOn()).containsExactly(MO.person());
        Story dug = digging.on(8).does(attach(ADA, DUG));
        assertThat(dug.guidance(MO).mustAct()).containsExactly(new Holding(MO.person(), "mentor", day(8)));
        assertThat(dug.guidance(MO).waitingOn())
                .as("nobody waits on whoever must act")
                .isEmpty();
        assertThat(dug.guidance(MO).nextStep()).isEqualTo("Look at the bed and take it to the council.");
    }

    @Test
    void whoeverHasHadTheirTurnIsToldThatItIsAnothersNow() {
        Story dug = Garden.in("digging").does(attach(ADA, DUG));
        assertThat(dug.guidance(ADA).nextStep()).isEqualTo("Nothing for you to do now: it is up to mo.");
    }

    @Test
    void aTurnGoesOnAnewWhenAVacancyInItsWayIsFilled() {
        Story filled = Garden.in("digging")
                .on(4)
                .does(new Command.StepDown(MO, "mentor"))
                .on(60)
                .does(new Command.Take(MIA, "mentor", List.of()));
        assertThat(filled.guidance(ADA).mustAct()).containsExactly(new Holding(ADA.person(), "gardener", day(60)));
        assertThat(filled.due()).isEmpty();
    }

    @Test
    void whoeverTakesOverHoldsItFromThenOn() {
        Story taken = Garden.in("shelved")
                .on(4)
                .does(new Command.StepDown(MO, "mentor"))
                .on(6)
                .does(new Command.Take(MIA, "mentor", List.of()));
        assertThat(taken.guidance(MIA).mustAct()).containsExactly(new Holding(MIA.person(), "mentor", day(6)));
    }

    @Test
    void somebodyAskedIsWaitedOnUntilTheyDoAnything() {
        Story asked = Garden.in("digging").on(1).does(new Command.Ask(ADA, new Person("Eve"), "How deep?"));
        assertThat(asked.guidance(ADA).waitingOn()).containsExactly(MO.person(), EVE.person());
        assertThat(asked.guidance(EVE).nextStep()).isEqualTo("ada asks you: How deep?");
        Story answered = asked.on(2).does(new Command.Comment(EVE, "A spade."));
        assertThat(answered.guidance(ADA).waitingOn()).containsExactly(MO.person());
    }

    @Test
    void oneOfThoseWhoMustActWhoIsAskedByNameMustAct() {
        Story asked = Garden.in("idea").on(1).does(new Command.Ask(ADA, new Person("mia"), "Will you?"));
        assertThat(asked.guidance(ADA).mustAct())
                .containsExactly(
                        new Holding(new Group("member"), "member", day(0)),
                        new Holding(MIA.person(), "member", day(1)));
        assertThat(asked.guidance(ADA).waitingOn()).isEmpty();
        assertThat(asked.guidance(MIA).nextStep())
                .isEqualTo("ada asks you: Will you? Become its mentor, or say what is missing.");
    }

    @Test
    void toAdvanceListsEveryMoveWithItsEvidenceTickedOrNot() {
        Guidance guidance = Garden.in("digging").does(attach(ADA, PLAN)).guidance(MO);
        assertThat(guidance.toAdvance()).extracting(Prospect::to).containsExactly("council", "fallow", "gone");
        Prospect council = guidance.toAdvance().getFirst();
        assertThat(council.possible()).isTrue();
        assertThat(council.requirements())
                .containsExactly(
                        new Requirement("the hose reaches the bed", true, "it is so", List.of()),
                        new Requirement("a plan of the bed", true, PLAN.value(), List.of("plan")));
        assertThat(guidance.toAdvance().getLast().youMay()).isFalse();
    }

    @Test
    void whatIsExpectedIsTheNextThingAClockSays() {
        Story idea = Garden.in("idea");
        assertThat(idea.guidance(ADA).expected()).contains(new Expectation(day(14), "a member will be reminded"));
        Story answered = idea.on(2).does(new Command.Comment(MIA, "Beans!"));
        assertThat(answered.guidance(ADA).expected()).contains(new Expectation(day(30), "ada will be reminded"));
        assertThat(answered.on(47).guidance(ADA).expected()).contains(new Expectation(day(60), "it lies fallow"));
    }

    @Test
    void aMoveByTimeIsExpectedWhenAllItsTimesHaveCome() {
        Story active = Garden.in("idea").on(55).does(new Command.Comment(ADA, "Anybody?"));
        assertThat(active.on(58).guidance(ADA).expected()).contains(new Expectation(day(69), "it lies fallow"));
    }

    @Test
    void aMoveByTimeIsExpectedOnlyIfNobodyMustDoAnythingForIt() {
        Lifecycle changed = Garden.with(
                "[{vacant: mentor, for: 60 d}, {idle: gardener, for: 14 d}]",
                "[{any: [{idle: gardener, for: 70 d}, reason]}, {evidence: plan, when: {bed: ground}}]");
        Story roof = Garden.in("idea").on(65);
        assertThat(changed.guidance(roof.history(), ADA, Garden.KNOWN, roof.now())
                        .expected())
                .contains(new Expectation(day(70), "it lies fallow"));
        Story ground = new Story().does(Garden.submit(ADA, Map.of())).on(65);
        assertThat(changed.guidance(ground.history(), ADA, Garden.KNOWN, ground.now())
                        .expected())
                .contains(new Expectation(day(46), "ada will be reminded"));
    }

    @Test
    void whatIsOverdueIsStillShown() {
        assertThat(Garden.in("council").on(40).guidance(SAM).expected())
                .contains(new Expectation(day(28), "a steward will be reminded"));
    }

    @Test
    void nothingIsExpectedWhereNoClockRuns() {
        assertThat(Garden.in("thriving").guidance(ADA).expected()).isEqualTo(Optional.empty());
        assertThat(Garden.in("thriving").guidance(ADA).mustAct()).isEmpty();
    }

    @Test
    void anEscalationMakesARoleActTooUntilWhoeverShouldHaveActs() {
        Story escalated = Garden.in("digging").on(40).sweep();
        assertThat(escalated.guidance(SAM).mustAct())
                .containsExactly(
                        new Holding(ADA.person(), "gardener", day(0)),
                        new Holding(new Group("steward"), "steward", day(40)));
        assertThat(escalated.guidance(SUE).nextStep()).isEqualTo("See what keeps ada and mo.");
        Story resumed = escalated.on(41).does(new Command.Comment(ADA, "Sorry, I was ill."));
        assertThat(resumed.guidance(SAM).mustAct()).containsExactly(new Holding(ADA.person(), "gardener", day(0)));
    }

    @Test
    void evidenceIsShownInTexts() {
        assertThat(Garden.in("council")
                        .does(move(SAM, "shelved", REASON, Garden.season(50)))
                        .guidance(ADA)
                        .status())
                .isEqualTo("shelved since 2026-03-01: put off until 2026-04-20.");
    }

    @Test
    void thereIsNoGuidanceBeforeAnythingIsSubmitted() {
        assertThatThrownBy(() -> Garden.LIFECYCLE.guidance(History.empty(), ADA, Garden.KNOWN, day(0)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
