package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.history.Evidence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("\"The SEP will be revisited in the future.\"")
class SeedRevisitTest {
    private static final String QUESTION = "Has the trigger been met (streams land)? If not, say so in a comment."
            + " Move the SEP back to review when the date is reached or the trigger is met.";

    private static SepScenario deferredBy(Evidence... conditions) {
        List<Evidence> evidence = new ArrayList<>(List.of(conditions));
        evidence.add(new Evidence("reason", "Other work comes first."));
        return SepScenario.inState(ShippedProcessFixtures.SEP_1286, "in-review")
                .decided("deferred")
                .move(ShippedProcessFixtures.CORA, "deferred", evidence.toArray(Evidence[]::new));
    }

    private static final Evidence TRIGGER = new Evidence("trigger", "streams land");

    private static List<PersonOrGroup> recipients(SepScenario sepScenario) {
        return sepScenario.dueActions().stream()
                .filter(ClockAction.Reminder.class::isInstance)
                .flatMap(action -> ((ClockAction.Reminder) action).recipients().stream())
                .toList();
    }

    @Test
    void theSponsorIsAskedWhetherTheTriggerHasBeenMetUntilTheSponsorActs() {
        SepScenario deferred = deferredBy(TRIGGER);
        assertThat(deferred.onDay(179).dueActions()).isEmpty();
        assertThat(deferred.onDay(180).dueActions())
                .singleElement()
                .isInstanceOfSatisfying(ClockAction.Reminder.class, reminder -> {
                    assertThat(reminder.recipients()).containsExactly(new Person("sam"));
                    assertThat(reminder.text()).isEqualTo(QUESTION);
                });
        SepScenario asked = deferred.onDay(180).performDueActions();
        assertThat(asked.onDay(193).dueActions()).isEmpty();
        assertThat(recipients(asked.onDay(194))).containsExactly(new Person("sam"));
        SepScenario answered = asked.onDay(195).comment(ShippedProcessFixtures.SAM);
        assertThat(answered.onDay(195 + 179).dueActions()).isEmpty();
        assertThat(recipients(answered.onDay(195 + 180)))
                .as("an answer of 'not yet' is no end of it")
                .containsExactly(new Person("sam"));
    }

    @Test
    void aQuestionThatTheSponsorLeavesUnansweredIsEscalated() {
        SepScenario asked = deferredBy(TRIGGER).onDay(256).performDueActions();
        assertThat(asked.onDay(270).dueActions())
                .filteredOn(ClockAction.Escalation.class::isInstance)
                .singleElement()
                .isInstanceOfSatisfying(
                        ClockAction.Escalation.class,
                        escalation -> assertThat(escalation.role()).isEqualTo("core-maintainer"));
    }

    @Test
    void withoutASponsorTheQuestionReachesTheMaintainersInTurn() {
        SepScenario vacant = deferredBy(TRIGGER)
                .onDay(10)
                .perform(new LifecycleCommand.StepDown(ShippedProcessFixtures.SAM, "sponsor"));
        Set<PersonOrGroup> reached = new HashSet<>();
        List<String> texts = new ArrayList<>();
        for (int day = 10; day < 210; day++) {
            SepScenario morning = vacant.onDay(day);
            reached.addAll(recipients(morning));
            morning.dueActions().forEach(action -> texts.add(action.text()));
            vacant = morning.performDueActions();
        }
        reached.remove(new Person("ada"));
        assertThat(reached)
                .containsExactlyInAnyOrder(
                        new Person("sam"),
                        new Person("mo"),
                        new Person("cora"),
                        new Person("carl"),
                        new Person("cleo"),
                        new Person("chet"));
        assertThat(texts)
                .contains("Has the trigger been met (streams land)? If not, say so in a comment."
                        + " The SEP has no sponsor. Sponsor it, or explain in a comment why it should not have one.");
    }

    @Test
    void aDeferralWithADateIsRevisitedOnThatDateAndAgainUntilTheSponsorMovesIt() {
        SepScenario deferred = deferredBy(TRIGGER, new Evidence("revisit", "2026-03-06"));
        SepScenario before = deferred.onDay(59).performDueActions();
        assertThat(before.history()).isEqualTo(deferred.history());
        SepScenario reminded = deferred.onDay(60).performDueActions();
        assertThat(reminded.snapshot().reminderHistory().pings())
                .singleElement()
                .satisfies(ping -> assertThat(ping.clock()).isEqualTo("revisit"));
        assertThat(recipients(reminded.onDay(74))).containsExactly(new Person("sam"));
        assertThat(recipients(
                        reminded.onDay(73).comment(ShippedProcessFixtures.SAM).onDay(86)))
                .as("a sponsor who acts is left alone for two weeks")
                .isEmpty();
        assertThat(recipients(
                        reminded.onDay(73).comment(ShippedProcessFixtures.SAM).onDay(87)))
                .containsExactly(new Person("sam"));
        assertThat(deferred.onDay(59).dueActions()).isEmpty();
    }

    @Test
    void aDateGivenLaterReplacesTheQuestion() {
        SepScenario dated = deferredBy(TRIGGER)
                .move(ShippedProcessFixtures.CORA, "in-review", new Evidence("reason", "A date was agreed."))
                .decided("deferred")
                .move(
                        ShippedProcessFixtures.CORA,
                        "deferred",
                        new Evidence("reason", "A date was agreed."),
                        new Evidence("revisit", "2027-01-05"));
        assertThat(dated.onDay(364).dueActions()).isEmpty();
        assertThat(dated.onDay(365).dueActions()).extracting(ClockAction::clock).containsExactly("revisit");
    }
}
