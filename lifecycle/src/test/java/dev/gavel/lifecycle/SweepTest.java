package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.DUG;
import static dev.gavel.lifecycle.GardenProcess.EVE;
import static dev.gavel.lifecycle.GardenProcess.MIA;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.attach;
import static dev.gavel.lifecycle.GardenProcess.move;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static List<PersonOrGroup> people(String... logins) {
        return List.copyOf(List.of(logins).stream().map(Person::new).toList());
    }

    @Test
    void nobodyIsRemindedBeforeItsTime() {
        assertThat(GardenProcess.in("idea").onDay(13).dueActions()).isEmpty();
    }

    @Test
    void aFirstAnswerIsAskedOfEverybodyWhoCouldGiveIt() {
        assertThat(GardenProcess.in("idea").onDay(14).dueActions())
                .containsExactly(new ClockAction.Reminder(
                        "first-word",
                        Duration.ofDays(14),
                        people("mo", "mia", "sam", "sue", "sol"),
                        "No member has answered yet. Become its mentor, or say what is missing."));
    }

    @Test
    void aGroupWhosePeopleAreNotKnownIsRemindedAsAGroup() {
        LifecycleScenario unknown =
                GardenProcess.in("idea").withFacts(ExternalFacts.none()).onDay(14);
        assertThat(((ClockAction.Reminder) unknown.dueActions().getFirst()).recipients())
                .containsExactly(new RoleGroup("member"));
        assertThat(unknown.performDueActions().dueActions()).isEmpty();
        assertThat(unknown.performDueActions()
                        .withFacts(GardenProcess.KNOWN)
                        .onDay(15)
                        .dueActions())
                .as("people reminded as one of the group are left alone too")
                .isEmpty();
    }

    @Test
    void anAnswerStopsTheClockThatAsksForOneButNotTheProposersOwn() {
        assertThat(GardenProcess.in("idea")
                        .onDay(3)
                        .perform(new LifecycleCommand.Comment(MIA, "Hm."))
                        .onDay(14)
                        .dueActions())
                .isEmpty();
        Actor both = Actor.of("ada", "member");
        assertThat(GardenProcess.in("idea")
                        .onDay(3)
                        .perform(new LifecycleCommand.Comment(both, "Nobody?"))
                        .onDay(14)
                        .dueActions())
                .hasSize(1);
    }

    @Test
    void aReminderSaysWhatHappensNextAndWhen() {
        assertThat(GardenProcess.in("idea")
                        .onDay(2)
                        .perform(new LifecycleCommand.Comment(MIA, "Hm."))
                        .onDay(46)
                        .dueActions())
                .containsExactly(new ClockAction.Reminder(
                        "mentor-wanted",
                        Duration.ofDays(46),
                        people("ada"),
                        "It lies fallow from 2026-04-30."
                                + " Win a member as your mentor; it lies fallow on 2026-04-30."));
    }

    @Test
    void aStepLateReplacesTheOnesBeforeIt() {
        LifecycleScenario late = GardenProcess.in("idea")
                .onDay(2)
                .perform(new LifecycleCommand.Comment(MIA, "Hm."))
                .onDay(50);
        assertThat(late.dueActions()).extracting(ClockAction::delay).containsExactly(Duration.ofDays(46));
        assertThat(late.performDueActions().onDay(59).dueActions()).isEmpty();
    }

    @Test
    void aMoveIsMadeWhenItsTimeAndItsNeedsAreThere() {
        LifecycleScenario idle = GardenProcess.in("idea").onDay(60);
        assertThat(idle.dueActions())
                .containsExactly(
                        new ClockAction.AutoMove("mentor-wanted", Duration.ofDays(60), "fallow", "it lies fallow"));
        LifecycleScenario fallow = idle.performDueActions();
        assertThat(fallow.state()).isEqualTo("fallow");
        assertThat(fallow.history().events().getLast().by()).isEqualTo(Actor.system());
        LifecycleScenario active =
                GardenProcess.in("idea").onDay(50).perform(new LifecycleCommand.Comment(ADA, "Anybody?"));
        assertThat(active.onDay(60).dueActions()).noneMatch(ClockAction.AutoMove.class::isInstance);
        assertThat(active.onDay(64).dueActions())
                .allMatch(ClockAction.AutoMove.class::isInstance)
                .hasSize(1);
    }

    @Test
    void theCoolDownNeverHoldsBackAMove() {
        LifecycleScenario pinged = GardenProcess.in("idea").onDay(59).performDueActions();
        assertThat(pinged.snapshot().reminderHistory().lastSentTo(ADA.person())).contains(GardenProcess.day(59));
        assertThat(pinged.onDay(60).dueActions())
                .allMatch(ClockAction.AutoMove.class::isInstance)
                .hasSize(1);
    }

    @Test
    void aWokenProposalHasItsWholeTimeAgain() {
        LifecycleScenario woken = GardenProcess.in("idea")
                .onDay(60)
                .performDueActions()
                .onDay(200)
                .perform(move(ADA, "idea"));
        assertThat(woken.onDay(214).dueActions()).noneMatch(ClockAction.AutoMove.class::isInstance);
        assertThat(woken.onDay(260).dueActions())
                .allMatch(ClockAction.AutoMove.class::isInstance)
                .hasSize(1);
    }

    @Test
    void whoeverMustActIsRemindedAndTheirActivityResetsTheClock() {
        LifecycleScenario digging = GardenProcess.in("digging");
        assertThat(digging.onDay(14).dueActions())
                .containsExactly(new ClockAction.Reminder(
                        "keep-digging", Duration.ofDays(14), people("ada"), "Dig the bed, and say when it is dug."));
        assertThat(digging.onDay(10)
                        .perform(new LifecycleCommand.Comment(ADA, "Half done."))
                        .onDay(23)
                        .dueActions())
                .isEmpty();
    }

    @Test
    void aBystandersActivityResetsNothing() {
        LifecycleScenario digging = GardenProcess.in("digging")
                .onDay(10)
                .perform(new LifecycleCommand.Comment(EVE, "Nice."))
                .perform(new LifecycleCommand.Comment(MO, "Go on."))
                .perform(new LifecycleCommand.Comment(SAM, "Indeed."));
        assertThat(digging.onDay(14).dueActions()).hasSize(1);
    }

    @Test
    void theClockOfWhoeverMustActKnowsThemInAnyCase() {
        LifecycleScenario digging = GardenProcess.in("digging")
                .onDay(10)
                .perform(new LifecycleCommand.Comment(Actor.of("ADA"), "Half done."));
        assertThat(digging.onDay(14).dueActions()).isEmpty();
    }

    @Test
    void theClockStartsAnewForWhoeverHasTheTurnNext() {
        LifecycleScenario dug = GardenProcess.in("digging").onDay(10).perform(attach(ADA, DUG));
        assertThat(dug.onDay(23).dueActions()).isEmpty();
        assertThat(((ClockAction.Reminder) dug.onDay(24).dueActions().getFirst()).recipients())
                .isEqualTo(people("mo"));
        LifecycleScenario vacant = dug.onDay(20).perform(new LifecycleCommand.StepDown(MO, "mentor"));
        assertThat(vacant.onDay(33).dueActions()).isEmpty();
        assertThat(vacant.onDay(34).dueActions())
                .containsExactly(new ClockAction.Reminder(
                        "keep-digging",
                        Duration.ofDays(14),
                        people("mo", "mia", "sam", "sue", "sol"),
                        "The idea has no mentor. Become its mentor."));
    }

    @Test
    void silenceIsEscalatedOnceUntilTheClockStartsAnew() {
        LifecycleScenario silent =
                GardenProcess.in("digging").onDay(14).performDueActions().onDay(40);
        assertThat(silent.dueActions())
                .containsExactly(
                        new ClockAction.Escalation(
                                "keep-digging", Duration.ofDays(40), "steward", "Ask ada and mo what delays them."),
                        new ClockAction.Reminder(
                                "keep-digging",
                                Duration.ofDays(14),
                                people("ada"),
                                "Dig the bed, and say when it is dug."));
        LifecycleScenario escalated = silent.performDueActions();
        assertThat(escalated.onDay(100).dueActions()).noneMatch(ClockAction.Escalation.class::isInstance);
        LifecycleScenario again = escalated.onDay(100).perform(new LifecycleCommand.Comment(ADA, "Back."));
        assertThat(again.onDay(140).dueActions()).extracting(ClockAction::delay).contains(Duration.ofDays(40));
    }

    @Test
    void aVacantRoleHasAClockOfItsOwn() {
        LifecycleScenario council = GardenProcess.in("council");
        assertThat(council.onDay(27).dueActions()).isEmpty();
        LifecycleScenario vacant = council.onDay(3).perform(new LifecycleCommand.StepDown(MO, "mentor"));
        assertThat(vacant.onDay(22).dueActions()).isEmpty();
        assertThat(vacant.onDay(23).dueActions()).extracting(ClockAction::clock).containsExactly("no-mentor");
    }

    @Test
    void aDateThatWasGivenIsAClockAndWithoutOneNothingIsDue() {
        LifecycleScenario council = GardenProcess.in("council");
        LifecycleScenario shelvable = GardenProcess.ruled(council, "shelved");
        LifecycleScenario dated = shelvable.perform(move(SAM, "shelved", REASON, GardenProcess.season(50)));
        assertThat(dated.onDay(49).dueActions()).isEmpty();
        assertThat(dated.onDay(50).dueActions()).extracting(ClockAction::clock).containsExactly("season");
        LifecycleScenario omen = shelvable.perform(move(SAM, "shelved", REASON, new Evidence("omen", "swallows")));
        assertThat(omen.onDay(199).dueActions()).isEmpty();
        assertThat(omen.onDay(500).dueActions())
                .as("a clock that runs only without the date")
                .extracting(ClockAction::clock)
                .containsExactly("omen");
        assertThat(omen.onDay(500).performDueActions().onDay(900).dueActions())
                .as("a step that is never repeated")
                .isEmpty();
    }

    @Test
    void aHoldersLastActivityStartsAClock() {
        LifecycleScenario growing =
                GardenProcess.in("growing").onDay(10).perform(new LifecycleCommand.Comment(ADA, "They flower."));
        assertThat(growing.onDay(39).dueActions()).isEmpty();
        assertThat(growing.onDay(40).dueActions())
                .extracting(ClockAction::clock)
                .containsExactly("harvest");
    }

    @Test
    void aPersonIsLeftAloneForAWhileAfterAReminder() {
        // Mia receives a reminder on day 14 as a member; as the mentor she receives none before day 28.
        LifecycleScenario taken = GardenProcess.in("idea")
                .onDay(14)
                .performDueActions()
                .perform(move(MIA, "digging"))
                .perform(attach(ADA, DUG));
        assertThat(taken.onDay(27).dueActions()).isEmpty();
        assertThat(taken.onDay(28).dueActions()).hasSize(1);
    }

    @Test
    void whatIsNotDueIsNotDone() {
        LifecycleScenario idea = GardenProcess.in("idea");
        ClockAction ping = idea.onDay(14).dueActions().getFirst();
        assertThat(idea.onDay(13)
                        .expectRefused(new LifecycleCommand.PerformClockAction(ping))
                        .code())
                .isEqualTo("not-due");
        LifecycleScenario done = idea.onDay(14).perform(new LifecycleCommand.PerformClockAction(ping));
        assertThat(done.expectRefused(new LifecycleCommand.PerformClockAction(ping))
                        .code())
                .isEqualTo("not-due");
    }

    @Test
    void aReminderIsNobodysActivity() {
        LifecycleScenario pinged = GardenProcess.in("digging").onDay(14).performDueActions();
        assertThat(pinged.snapshot().lastActivityByPerson())
                .isEqualTo(GardenProcess.in("digging").snapshot().lastActivityByPerson());
    }

    @Test
    void aYearOfSilenceIsSweptDayByDay() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("idea");
        List<String> log = new ArrayList<>();
        for (int day = 0; day < 365; day++) {
            LifecycleScenario before = lifecycleScenario.onDay(day);
            LifecycleScenario after = before.performDueActions();
            int number = day;
            after.history().events().stream()
                    .skip(before.history().events().size())
                    .map(event -> switch (event) {
                        case LifecycleEvent.Pinged e -> number + " " + e.clock() + " " + e.recipients();
                        case LifecycleEvent.Moved e -> number + " " + e.to();
                        default -> number + " " + event;
                    })
                    .forEach(log::add);
            lifecycleScenario = after;
        }
        assertThat(log)
                .containsExactly(
                        "14 first-word [mo, mia, sam, sue, sol]",
                        "28 first-word [mo, mia, sam, sue, sol]",
                        "30 mentor-wanted [ada]",
                        "42 first-word [mo, mia, sam, sue, sol]",
                        "46 mentor-wanted [ada]",
                        "56 first-word [mo, mia, sam, sue, sol]",
                        "60 fallow");
    }
}
