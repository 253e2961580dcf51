package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

class ReminderChoiceTest {
    private static final SepScenario PROPOSAL = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "proposal");

    private static ClockAction.Reminder reminder(SepScenario sepScenario, ToIntFunction<Person> load) {
        return (ClockAction.Reminder) ShippedProcessFixtures.SEP_1286
                .dueActions(sepScenario.history(), sepScenario.externalFacts(), sepScenario.now(), load)
                .getFirst();
    }

    private static ToIntFunction<Person> loads(Map<String, Integer> loads) {
        return person -> loads.getOrDefault(person.login(), 10);
    }

    @Test
    void theTwoMaintainersWithTheSmallestLoadAreReminded() {
        assertThat(reminder(PROPOSAL.onDay(14), loads(Map.of("mo", 3, "cleo", 2, "sam", 4)))
                        .recipients())
                .containsExactly(new Person("cleo"), new Person("mo"));
    }

    @Test
    void peopleWhoWereRemindedInVainAreFollowedByOthersWhateverTheirLoad() {
        ToIntFunction<Person> load = loads(Map.of("mo", 0, "cleo", 0, "sam", 90, "chet", 91, "cora", 99, "carl", 99));
        SepScenario sepScenario = PROPOSAL;
        List<Set<PersonOrGroup>> rounds = new ArrayList<>();
        for (int day = 14; day <= 56; day += 14) {
            ClockAction.Reminder reminder = reminder(sepScenario.onDay(day), load);
            rounds.add(new HashSet<>(reminder.recipients()));
            sepScenario = sepScenario.onDay(day).perform(new LifecycleCommand.PerformClockAction(reminder));
        }
        assertThat(rounds)
                .containsExactly(
                        Set.of(new Person("mo"), new Person("cleo")),
                        Set.of(new Person("sam"), new Person("chet")),
                        Set.of(new Person("cora"), new Person("carl")),
                        Set.of(new Person("mo"), new Person("cleo")));
    }

    @Test
    void equalLoadsAreSpreadOverProposals() {
        Set<Set<PersonOrGroup>> choices = new HashSet<>();
        for (int minute = 0; minute < 30; minute++) {
            SepScenario sepScenario = SepScenario.start(ShippedProcessFixtures.SEP_1286)
                    .atInstant(ShippedProcessFixtures.START.plusSeconds(60L * minute))
                    .perform(new LifecycleCommand.Submit(ShippedProcessFixtures.ADA, List.of(), Map.of(), List.of()));
            choices.add(new HashSet<>(reminder(sepScenario.onDay(15), _ -> 0).recipients()));
        }
        assertThat(choices.size()).isGreaterThan(5);
    }

    @Test
    void anAuthorWhoIsAMaintainerIsNotAskedToSponsorTheirOwn() {
        SepScenario own = SepScenario.start(ShippedProcessFixtures.SEP_1286)
                .perform(new LifecycleCommand.Submit(ShippedProcessFixtures.MO, List.of(), Map.of(), List.of()));
        assertThat(reminder(own.onDay(14), loads(Map.of("mo", 0))).recipients())
                .hasSize(2)
                .doesNotContain(new Person("mo"));
    }

    @Test
    void aSecondSweepWithOtherLoadsRemindsNoOneElse() {
        SepScenario due = PROPOSAL.onDay(14);
        ClockAction one = reminder(due, loads(Map.of("mo", 0, "cleo", 0)));
        ClockAction other = reminder(due, loads(Map.of("sam", 0, "cora", 0)));
        assertThat(one.isSameAction(other)).isFalse();
        SepScenario first = due.perform(new LifecycleCommand.PerformClockAction(one));
        assertThat(first.expectRefused(new LifecycleCommand.PerformClockAction(other))
                        .code())
                .isEqualTo("not-due");
        SepScenario second = due.perform(new LifecycleCommand.PerformClockAction(other));
        assertThat(second.snapshot().reminderHistory().pings().getLast().recipients())
                .as("the choice is in the event")
                .containsExactlyInAnyOrder(new Person("sam"), new Person("cora"));
    }

    @Test
    void peopleWhomTheStepCouldNotChooseAreNotReminded() {
        SepScenario due = PROPOSAL.onDay(14);
        ClockAction.Reminder chosen = reminder(due, _ -> 0);
        for (List<PersonOrGroup> recipients : List.<List<PersonOrGroup>>of(
                List.of(new Person("eve"), new Person("mo")),
                List.of(new Person("mo")),
                List.of(new Person("mo"), new Person("sam"), new Person("cora")))) {
            assertThat(due.expectRefused(new LifecycleCommand.PerformClockAction(new ClockAction.Reminder(
                                    chosen.clock(), chosen.delay(), recipients, chosen.text())))
                            .code())
                    .isEqualTo("not-due");
        }
    }

    @Test
    void aMaintainerWhoRespondsEndsTheRemindersForTwoWeeks() {
        SepScenario responded =
                PROPOSAL.onDay(14).performDueActions().onDay(20).comment(Actor.of("cora", "core-maintainer"));
        assertThat(responded.onDay(33).dueActions()).isEmpty();
        assertThat(responded.onDay(34).dueActions())
                .extracting(ClockAction::clock)
                .containsExactly("unsponsored");
    }

    @Test
    void votersWhoHaveVotedAreRemindedOnlyWhenAllHave() {
        SepScenario voted = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "in-review")
                .perform(vote(ShippedProcessFixtures.CORA))
                .perform(vote(ShippedProcessFixtures.CARL));
        assertThat(reminder(voted.onDay(28), _ -> 0).recipients())
                .containsExactly(new Person("cleo"), new Person("chet"));
        SepScenario all = voted.perform(vote(ShippedProcessFixtures.CLEO)).perform(vote(ShippedProcessFixtures.CHET));
        assertThat(reminder(all.onDay(28), _ -> 0).recipients()).hasSize(4);
    }

    private static LifecycleCommand vote(Actor actor) {
        return new LifecycleCommand.Vote(actor, dev.gavel.lifecycle.history.BallotChoice.YES, "");
    }
}
