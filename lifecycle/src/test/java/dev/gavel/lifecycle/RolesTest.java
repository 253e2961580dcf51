package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.EVE;
import static dev.gavel.lifecycle.GardenProcess.MIA;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.move;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RolesTest {
    private static final Person BO = new Person("bo");

    private static LifecycleCommand take(Actor by, String role) {
        return new LifecycleCommand.TakeRole(by, role, List.of());
    }

    @Test
    void takingARoleIsTheMoveThatTakesItWhereTheStateHasOne() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("idea").perform(take(MIA, "mentor"));
        assertThat(lifecycleScenario.state()).isEqualTo("digging");
        assertThat(lifecycleScenario.snapshot().holders().people("mentor")).containsExactly(MIA.person());
    }

    @Test
    void aVacantRoleCanBeTakenInAnyOpenState() {
        for (String state : List.of("digging", "council", "shelved", "growing")) {
            LifecycleScenario vacant = GardenProcess.in(state).perform(new LifecycleCommand.StepDown(MO, "mentor"));
            LifecycleScenario taken = vacant.perform(take(MIA, "mentor"));
            assertThat(taken.state()).isEqualTo(state);
            assertThat(taken.snapshot().holders().people("mentor")).containsExactly(MIA.person());
        }
        LifecycleScenario settled = GardenProcess.in("thriving").perform(new LifecycleCommand.StepDown(MO, "mentor"));
        assertThat(settled.expectRefused(take(MIA, "mentor")).code()).isEqualTo("role");
    }

    @Test
    void aRoleForOneThatIsHeldCannotBeTaken() {
        assertThat(GardenProcess.in("digging")
                        .expectRefused(take(MIA, "mentor"))
                        .message())
                .isEqualTo("The role 'mentor' is not vacant: the mentor (mo) must step down first.");
    }

    @Test
    void aRoleIsTakenOnlyByThoseItIsTakenFrom() {
        LifecycleScenario vacant = GardenProcess.in("digging").perform(new LifecycleCommand.StepDown(MO, "mentor"));
        assertThat(vacant.expectRefused(take(EVE, "mentor")).message())
                .isEqualTo("Only a member can take the role 'mentor'.");
        assertThat(vacant.perform(take(SAM, "mentor")).snapshot().holders().people("mentor"))
                .as("a steward is a member too")
                .containsExactly(SAM.person());
    }

    @Test
    void steppingDownLeavesTheStateAndMakesItTheMoveOfThoseWhoMayTakeOver() {
        LifecycleScenario vacant =
                GardenProcess.in("digging").onDay(20).perform(new LifecycleCommand.StepDown(MO, "mentor"));
        assertThat(vacant.state()).isEqualTo("digging");
        assertThat(vacant.guidance(MIA).mustAct())
                .containsExactly(new Assignment(new RoleGroup("member"), "member", GardenProcess.day(20)));
        assertThat(vacant.guidance(MIA).nextStep()).isEqualTo("The idea has no mentor. Become its mentor.");
        assertThat(vacant.guidance(ADA).nextStep()).startsWith("Find a member who becomes your mentor");
    }

    @Test
    void onlyAHolderStepsDown() {
        assertThat(GardenProcess.in("digging")
                        .expectRefused(new LifecycleCommand.StepDown(MIA, "mentor"))
                        .whoMay())
                .containsExactly(MO.person());
    }

    @Test
    void aProposalIsAlwaysSomebodys() {
        assertThat(GardenProcess.in("idea")
                        .expectRefused(new LifecycleCommand.StepDown(ADA, "gardener"))
                        .message())
                .contains("Transfer it to another person first.");
        LifecycleScenario both =
                GardenProcess.in("idea").perform(new LifecycleCommand.TransferRole(ADA, "gardener", BO, true));
        assertThat(both.perform(new LifecycleCommand.StepDown(ADA, "gardener"))
                        .snapshot()
                        .proposers())
                .containsExactly(BO);
    }

    @Test
    void aTransferPutsTheHeirFirstAndTheFirstStaysUnlessTheySayOtherwise() {
        LifecycleScenario idea = GardenProcess.in("idea");
        assertThat(idea.perform(new LifecycleCommand.TransferRole(ADA, "gardener", BO, true))
                        .snapshot()
                        .proposers())
                .containsExactly(BO, ADA.person());
        assertThat(idea.perform(new LifecycleCommand.TransferRole(ADA, "gardener", BO, false))
                        .snapshot()
                        .proposers())
                .containsExactly(BO);
        assertThat(idea.expectRefused(new LifecycleCommand.TransferRole(EVE, "gardener", BO, false))
                        .code())
                .isEqualTo("not-allowed");
        assertThat(GardenProcess.in("digging")
                        .expectRefused(new LifecycleCommand.TransferRole(MO, "mentor", MIA.person(), false))
                        .message())
                .isEqualTo("The role 'mentor' cannot be transferred.");
    }

    @Test
    void loginsCompareWithoutCase() {
        LifecycleScenario lifecycleScenario = GardenProcess.in("digging");
        assertThat(lifecycleScenario
                        .perform(move(Actor.of("ADA"), "gone", REASON))
                        .state())
                .isEqualTo("gone");
        assertThat(lifecycleScenario
                        .perform(new LifecycleCommand.StepDown(Actor.of("Mo"), "mentor"))
                        .snapshot()
                        .holders()
                        .people("mentor"))
                .isEmpty();
    }

    @Test
    void aRoleNobodyKnowsIsRefusedWithWhatWasMeant() {
        assertThat(GardenProcess.in("digging")
                        .expectRefused(take(MIA, "mentro"))
                        .message())
                .isEqualTo("'mentro' is not a role that people hold in a proposal. Did you mean 'mentor'?");
    }

    @Test
    void aTakenRoleTakesOverFromWhoeverHeldItWhenAMoveSaysSo() {
        LifecycleScenario fallow = GardenProcess.in("idea").onDay(100).perform(move(SAM, "fallow"));
        LifecycleScenario woken = fallow.perform(take(MIA, "mentor"));
        assertThat(woken.state()).isEqualTo("digging");
        assertThat(woken.snapshot().holders().people("mentor")).containsExactly(MIA.person());
    }

    @Test
    void aRoleForOneIsHandedOnOnlyToThoseItIsTakenFrom() {
        LifecycleEngine lenient = GardenProcess.with("from: member\n", "from: member\n    transfer: yes\n");
        LifecycleScenario digging = GardenProcess.in("digging");
        assertThat(decide(lenient, digging, new LifecycleCommand.TransferRole(MO, "mentor", MIA.person(), false)))
                .isInstanceOf(LifecycleCommandResult.Accepted.class);
        assertThat(decide(lenient, digging, new LifecycleCommand.TransferRole(MO, "mentor", EVE.person(), false)))
                .isEqualTo(LifecycleCommandResult.refused(
                        LifecycleRefusal.of("role", "eve is not known to be a member.")));
        assertThat(decide(lenient, digging, new LifecycleCommand.TransferRole(MO, "mentor", MIA.person(), true)))
                .isEqualTo(LifecycleCommandResult.refused(
                        LifecycleRefusal.of("role", "Only one person can be the mentor at a time.")));
        assertThat(decide(lenient, digging, new LifecycleCommand.TransferRole(MO, "mentor", new Person("Mo"), false)))
                .isEqualTo(LifecycleCommandResult.refused(
                        LifecycleRefusal.of("role", "You already have the role 'mentor'.")));
    }

    private static LifecycleCommandResult<LifecycleEvent> decide(
            LifecycleEngine lifecycleEngine, LifecycleScenario lifecycleScenario, LifecycleCommand command) {
        return lifecycleEngine.decide(
                lifecycleScenario.history(), command, lifecycleScenario.externalFacts(), lifecycleScenario.now());
    }

    @Test
    void whoeverMayHoldARoleNoLongerDoesNothingWithItAndIsNotInTheWay() {
        LifecycleScenario demoted =
                GardenProcess.in("digging").withFacts(GardenProcess.KNOWN.withMembers("member", "mia"));
        Actor mo = Actor.of("mo");
        assertThat(demoted.expectRefused(move(mo, "council", GardenProcess.PLAN))
                        .code())
                .isEqualTo("not-allowed");
        assertThat(demoted.expectRefused(new LifecycleCommand.Edit(mo, Map.of(), Set.of(), Set.of(), false))
                        .code())
                .isEqualTo("not-allowed");
        LifecycleScenario taken = demoted.perform(take(MIA, "mentor"));
        assertThat(taken.snapshot().holders().people("mentor")).containsExactly(MIA.person());
        assertThat(GardenProcess.in("digging")
                        .withFacts(ExternalFacts.none().withFact("reachable"))
                        .perform(move(mo, "council", GardenProcess.PLAN))
                        .state())
                .as("where nobody knows who is a member, the history counts")
                .isEqualTo("council");
    }
}
