package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sponsor who lost the role maintainer, or the last valid token, no longer holds up a SEP. */
class LostRoleTest {
    private static final LifecycleEngine PROCESS = ShippedProcessFixtures.SEP_1286;

    /** Sam is no maintainer any more. */
    private static final ExternalFacts WITHOUT_SAM =
            ShippedProcessFixtures.ALL_FACTS_HOLD.withMembers("maintainer", "mo");

    private static final Actor FORMER_SAM = Actor.of("sam");

    private static SepScenario draft() {
        return SepScenario.inState(PROCESS, "draft");
    }

    @Test
    void theTurnPassesToTheMaintainersAtOnce() {
        SepScenario lost = draft().onDay(80).withFacts(WITHOUT_SAM);
        LifecycleGuidance guidance = lost.guidance(ShippedProcessFixtures.MO);
        assertThat(guidance.mustAct()).singleElement().satisfies(assignment -> {
            assertThat(assignment.party()).isEqualTo(new RoleGroup("maintainer"));
            assertThat(assignment.since()).isEqualTo(ShippedProcessFixtures.day(80));
        });
        assertThat(guidance.nextStep()).startsWith("The SEP has no sponsor. Sponsor it");
        assertThat(lost.guidance(FORMER_SAM).nextStep()).startsWith("Nothing to do now");
        assertThat(lost.guidance(ShippedProcessFixtures.ADA).nextStep())
                .startsWith("The SEP has no sponsor. Ask a maintainer");
    }

    @Test
    void aSweepRecordsTheLossOnceAndTheClocksRestartForTheMaintainers() {
        SepScenario lost = draft().onDay(80).withFacts(WITHOUT_SAM);
        assertThat(lost.dueActions()).singleElement().isInstanceOfSatisfying(ClockAction.RoleLapse.class, lapse -> {
            assertThat(lapse.person()).isEqualTo(new Person("sam"));
            assertThat(lapse.text())
                    .isEqualTo("sam is no longer a maintainer or has no valid token, and so cannot act as"
                            + " the sponsor.");
        });
        SepScenario recorded = lost.performDueActions();
        assertThat(recorded.dueActions()).isEmpty();
        assertThat(recorded.onDay(93).dueActions()).isEmpty();
        assertThat(recorded.onDay(94).dueActions())
                .singleElement()
                .isInstanceOfSatisfying(
                        ClockAction.Reminder.class,
                        reminder -> assertThat(reminder.recipients())
                                .hasSize(2)
                                .doesNotContain(new Person("sam"), new Person("ada")));
        assertThat(recorded.onDay(169).dueActions()).noneMatch(ClockAction.Escalation.class::isInstance);
        assertThat(recorded.onDay(170).dueActions()).anyMatch(ClockAction.Escalation.class::isInstance);
    }

    @Test
    void aSponsorWhoRegainsTheRoleIsTheSponsorAgainAndASecondLossIsRecorded() {
        SepScenario regained = draft().onDay(80)
                .withFacts(WITHOUT_SAM)
                .performDueActions()
                .withFacts(ShippedProcessFixtures.ALL_FACTS_HOLD)
                .onDay(81);
        assertThat(regained.guidance(ShippedProcessFixtures.SAM).mustAct())
                .extracting(LifecycleGuidance.Assignment::party)
                .containsExactly(new Person("sam"));
        SepScenario lostAgain = regained.comment(ShippedProcessFixtures.SAM)
                .withFacts(WITHOUT_SAM)
                .onDay(90);
        assertThat(lostAgain.dueActions()).singleElement().isInstanceOf(ClockAction.RoleLapse.class);
    }

    @Test
    void anotherMaintainerCanSponsorInTheMeantime() {
        SepScenario taken = draft().onDay(80)
                .withFacts(WITHOUT_SAM)
                .performDueActions()
                .perform(new LifecycleCommand.TakeRole(ShippedProcessFixtures.MO, "sponsor", List.of()));
        assertThat(taken.snapshot().holders().people("sponsor")).containsExactly(new Person("mo"));
        assertThat(taken.dueActions()).isEmpty();
    }

    @Test
    void noLossIsRecordedWhileTheMembersAreUnknown() {
        SepScenario offline = draft().onDay(10).withFacts(ExternalFacts.none());
        assertThat(offline.dueActions()).isEmpty();
        assertThat(offline.guidance(FORMER_SAM).mustAct())
                .extracting(LifecycleGuidance.Assignment::party)
                .containsExactly(new Person("sam"));
        assertThat(offline.history().events()).noneMatch(LifecycleEvent.RoleLapsed.class::isInstance);
    }
}
