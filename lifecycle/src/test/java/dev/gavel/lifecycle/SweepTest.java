package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.DUG;
import static dev.gavel.lifecycle.Garden.EVE;
import static dev.gavel.lifecycle.Garden.MIA;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.attach;
import static dev.gavel.lifecycle.Garden.move;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
    private static List<Party> people(String... logins) {
        return List.copyOf(List.of(logins).stream().map(Person::new).toList());
    }

    @Test
    void nobodyIsRemindedBeforeItsTime() {
        assertThat(Garden.in("idea").on(13).due()).isEmpty();
    }

    @Test
    void aFirstAnswerIsAskedOfEverybodyWhoCouldGiveIt() {
        assertThat(Garden.in("idea").on(14).due())
                .containsExactly(new Due.Ping(
                        "first-word",
                        Duration.ofDays(14),
                        people("mo", "mia", "sam", "sue", "sol"),
                        "Nobody has said a word yet. Become its mentor, or say what is missing."));
    }

    @Test
    void aGroupWhosePeopleAreNotKnownIsRemindedAsAGroup() {
        Story unknown = Garden.in("idea").given(Circumstances.unknown()).on(14);
        assertThat(((Due.Ping) unknown.due().getFirst()).whom()).containsExactly(new Group("member"));
        assertThat(unknown.sweep().due()).isEmpty();
        assertThat(unknown.sweep().given(Garden.KNOWN).on(15).due())
                .as("people reminded as one of the group are left alone too")
                .isEmpty();
    }

    @Test
    void anAnswerStopsTheClockThatAsksForOneButNotTheProposersOwn() {
        assertThat(Garden.in("idea")
                        .on(3)
                        .does(new Command.Comment(MIA, "Hm."))
                        .on(14)
                        .due())
                .isEmpty();
        Actor both = Actor.of("ada", "member");
        assertThat(Garden.in("idea")
                        .on(3)
                        .does(new Command.Comment(both, "Nobody?"))
                        .on(14)
                        .due())
                .hasSize(1);
    }

    @Test
    void aReminderSaysWhatHappensNextAndWhen() {
        assertThat(Garden.in("idea")
                        .on(2)
                        .does(new Command.Comment(MIA, "Hm."))
                        .on(46)
                        .due())
                .containsExactly(new Due.Ping(
                        "mentor-wanted",
                        Duration.ofDays(46),
                        people("ada"),
                        "It lies fallow from 2026-04-30."
                                + " Win a member as your mentor; it lies fallow on 2026-04-30."));
    }

    @Test
    void aStepLateReplacesTheOnesBeforeIt() {
        Story late =
                Garden.in("idea").on(2).does(new Command.Comment(MIA, "Hm.")).on(50);
        assertThat(late.due()).extracting(Due::after).containsExactly(Duration.ofDays(46));
        assertThat(late.sweep().on(59).due()).isEmpty();
    }

    @Test
    void aMoveIsMadeWhenItsTimeAndItsNeedsAreThere() {
        Story idle = Garden.in("idea").on(60);
        assertThat(idle.due())
                .containsExactly(new Due.Go("mentor-wanted", Duration.ofDays(60), "fallow", "it lies fallow"));
        Story fallow = idle.sweep();
        assertThat(fallow.state()).isEqualTo("fallow");
        assertThat(fallow.history().events().getLast().by()).isEqualTo(Actor.system());
        Story active = Garden.in("idea").on(50).does(new Command.Comment(ADA, "Anybody?"));
        assertThat(active.on(60).due()).noneMatch(Due.Go.class::isInstance);
        assertThat(active.on(64).due()).allMatch(Due.Go.class::isInstance).hasSize(1);
    }

    @Test
    void theCoolDownNeverHoldsBackAMove() {
        Story pinged = Garden.in("idea").on(59).sweep();
        assertThat(pinged.standing().reminders().lastTo(ADA.person())).contains(Garden.day(59));
        assertThat(pinged.on(60).due()).allMatch(Due.Go.class::isInstance).hasSize(1);
    }

    @Test
    void aWokenProposalHasItsWholeTimeAgain() {
        Story woken = Garden.in("idea").on(60).sweep().on(200).does(move(ADA, "idea"));
        assertThat(woken.on(214).due()).noneMatch(Due.Go.class::isInstance);
        assertThat(woken.on(260).due()).allMatch(Due.Go.class::isInstance).hasSize(1);
    }

    @Test
    void whoeverMustActIsRemindedAndTheirActivityResetsTheClock() {
        Story digging = Garden.in("digging");
        assertThat(digging.on(14).due())
                .containsExactly(new Due.Ping(
                        "keep-digging", Duration.ofDays(14), people("ada"), "Dig the bed, and say when it is dug."));
        assertThat(digging.on(10)
                        .does(new Command.Comment(ADA, "Half done."))
                        .on(23)
                        .due())
                .isEmpty();
    }

    @Test
    void aBystandersActivityResetsNothing() {
        Story digging = Garden.in("digging")
                .on(10)
                .does(new Command.Comment(EVE, "Nice."))
                .does(new Command.Comment(MO, "Go on."))
                .does(new Command.Comment(SAM, "Indeed."));
        assertThat(digging.on(14).due()).hasSize(1);
    }

    @Test
    void theClockOfWhoeverMustActKnowsThemInAnyCase() {
        Story digging = Garden.in("digging").on(10).does(new Command.Comment(Actor.of("ADA"), "Half done."));
        assertThat(digging.on(14).due()).isEmpty();
    }

    @Test
    void theClockStartsAnewForWhoeverHasTheTurnNext() {
        Story dug = Garden.in("digging").on(10).does(attach(ADA, DUG));
        assertThat(dug.on(23).due()).isEmpty();
        assertThat(((Due.Ping) dug.on(24).due().getFirst()).whom()).isEqualTo(people("mo"));
        Story vacant = dug.on(20).does(new Command.StepDown(MO, "mentor"));
        assertThat(vacant.on(33).due()).isEmpty();
        assertThat(vacant.on(34).due())
                .containsExactly(new Due.Ping(
                        "keep-digging",
                        Duration.ofDays(14),
                        people("mo", "mia", "sam", "sue", "sol"),
                        "It has no mentor any more. Become its mentor."));
    }

    @Test
    void silenceIsEscalatedOnceUntilTheClockStartsAnew() {
        Story silent = Garden.in("digging").on(14).sweep().on(40);
        assertThat(silent.due())
                .containsExactly(new Due.Escalation(
                        "keep-digging", Duration.ofDays(40), "steward", "See what keeps ada and mo."));
        Story escalated = silent.sweep();
        assertThat(escalated.on(100).due()).isEmpty();
        Story again = escalated.on(100).does(new Command.Comment(ADA, "Back."));
        assertThat(again.on(140).due()).extracting(Due::after).contains(Duration.ofDays(40));
    }

    @Test
    void aVacantRoleHasAClockOfItsOwn() {
        Story council = Garden.in("council");
        assertThat(council.on(27).due()).isEmpty();
        Story vacant = council.on(3).does(new Command.StepDown(MO, "mentor"));
        assertThat(vacant.on(22).due()).isEmpty();
        assertThat(vacant.on(23).due()).extracting(Due::clock).containsExactly("no-mentor");
    }

    @Test
    void aDateThatWasGivenIsAClockAndWithoutOneNothingIsDue() {
        Story council = Garden.in("council");
        Story dated = council.does(move(SAM, "shelved", REASON, Garden.season(50)));
        assertThat(dated.on(49).due()).isEmpty();
        assertThat(dated.on(50).due()).extracting(Due::clock).containsExactly("season");
        Story omen = council.does(move(SAM, "shelved", REASON, new Evidence("omen", "swallows")));
        assertThat(omen.on(500).due()).isEmpty();
    }

    @Test
    void aHoldersLastActivityStartsAClock() {
        Story growing = Garden.in("growing").on(10).does(new Command.Comment(ADA, "They flower."));
        assertThat(growing.on(39).due()).isEmpty();
        assertThat(growing.on(40).due()).extracting(Due::clock).containsExactly("harvest");
    }

    @Test
    void aPersonIsLeftAloneForAWhileAfterAReminder() {
        // Mia hears of the idea on day 14 as a member; as its mentor she is not due again before day 28.
        Story taken =
                Garden.in("idea").on(14).sweep().does(move(MIA, "digging")).does(attach(ADA, DUG));
        assertThat(taken.on(27).due()).isEmpty();
        assertThat(taken.on(28).due()).hasSize(1);
    }

    @Test
    void whatIsNotDueIsNotDone() {
        Story idea = Garden.in("idea");
        Due ping = idea.on(14).due().getFirst();
        assertThat(idea.on(13).refused(new Command.Carry(ping)).code()).isEqualTo("not-due");
        Story done = idea.on(14).does(new Command.Carry(ping));
        assertThat(done.refused(new Command.Carry(ping)).code()).isEqualTo("not-due");
    }

    @Test
    void aReminderIsNobodysActivity() {
        Story pinged = Garden.in("digging").on(14).sweep();
        assertThat(pinged.standing().activity())
                .isEqualTo(Garden.in("digging").standing().activity());
    }

    @Test
    void aYearOfSilenceIsSweptDayByDay() {
        Story story = Garden.in("idea");
        List<String> log = new ArrayList<>();
        for (int day = 0; day < 365; day++) {
            Story before = story.on(day);
            Story after = before.sweep();
            int number = day;
            after.history().events().stream()
                    .skip(before.history().events().size())
                    .map(event -> switch (event) {
                        case Event.Pinged e -> number + " " + e.clock() + " " + e.whom();
                        case Event.Moved e -> number + " " + e.to();
                        default -> number + " " + event;
                    })
                    .forEach(log::add);
            story = after;
        }
        assertThat(log)
                .containsExactly(
                        "14 first-word [mo, mia, sam, sue, sol]",
                        "30 mentor-wanted [ada]",
                        "46 mentor-wanted [ada]",
                        "60 fallow");
    }
}
