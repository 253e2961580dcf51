package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.EVE;
import static dev.gavel.lifecycle.Garden.MIA;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.move;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Group;
import dev.gavel.lifecycle.people.Person;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RolesTest {
    private static final Person BO = new Person("bo");

    private static Command take(Actor by, String role) {
        return new Command.Take(by, role, List.of());
    }

    @Test
    void takingARoleIsTheMoveThatTakesItWhereTheStateHasOne() {
        Story story = Garden.in("idea").does(take(MIA, "mentor"));
        assertThat(story.state()).isEqualTo("digging");
        assertThat(story.standing().holders().people("mentor")).containsExactly(MIA.person());
    }

    @Test
    void aVacantRoleCanBeTakenInAnyOpenState() {
        for (String state : List.of("digging", "council", "shelved", "growing")) {
            Story vacant = Garden.in(state).does(new Command.StepDown(MO, "mentor"));
            Story taken = vacant.does(take(MIA, "mentor"));
            assertThat(taken.state()).isEqualTo(state);
            assertThat(taken.standing().holders().people("mentor")).containsExactly(MIA.person());
        }
        Story settled = Garden.in("thriving").does(new Command.StepDown(MO, "mentor"));
        assertThat(settled.refused(take(MIA, "mentor")).code()).isEqualTo("role");
    }

    @Test
    void aRoleForOneThatIsHeldCannotBeTaken() {
        assertThat(Garden.in("digging").refused(take(MIA, "mentor")).message())
                .isEqualTo("the mentor (mo) holds it; it can be taken once they step down.");
    }

    @Test
    void aRoleIsTakenOnlyByThoseItIsTakenFrom() {
        Story vacant = Garden.in("digging").does(new Command.StepDown(MO, "mentor"));
        assertThat(vacant.refused(take(EVE, "mentor")).message()).isEqualTo("Only a member may take 'mentor'.");
        assertThat(vacant.does(take(SAM, "mentor")).standing().holders().people("mentor"))
                .as("a steward is a member too")
                .containsExactly(SAM.person());
    }

    @Test
    void steppingDownLeavesTheStateAndMakesItTheMoveOfThoseWhoMayTakeOver() {
        Story vacant = Garden.in("digging").on(20).does(new Command.StepDown(MO, "mentor"));
        assertThat(vacant.state()).isEqualTo("digging");
        assertThat(vacant.guidance(MIA).mustAct())
                .containsExactly(new Holding(new Group("member"), "member", Garden.day(20)));
        assertThat(vacant.guidance(MIA).nextStep()).isEqualTo("It has no mentor any more. Become its mentor.");
        assertThat(vacant.guidance(ADA).nextStep()).startsWith("Find a member who becomes your mentor");
    }

    @Test
    void onlyAHolderStepsDown() {
        assertThat(Garden.in("digging")
                        .refused(new Command.StepDown(MIA, "mentor"))
                        .whoMay())
                .containsExactly(MO.person());
    }

    @Test
    void aProposalIsAlwaysSomebodys() {
        assertThat(Garden.in("idea")
                        .refused(new Command.StepDown(ADA, "gardener"))
                        .message())
                .contains("transfer it to somebody first");
        Story both = Garden.in("idea").does(new Command.Transfer(ADA, "gardener", BO, true));
        assertThat(both.does(new Command.StepDown(ADA, "gardener")).standing().proposers())
                .containsExactly(BO);
    }

    @Test
    void aTransferPutsTheHeirFirstAndTheFirstStaysUnlessTheySayOtherwise() {
        Story idea = Garden.in("idea");
        assertThat(idea.does(new Command.Transfer(ADA, "gardener", BO, true))
                        .standing()
                        .proposers())
                .containsExactly(BO, ADA.person());
        assertThat(idea.does(new Command.Transfer(ADA, "gardener", BO, false))
                        .standing()
                        .proposers())
                .containsExactly(BO);
        assertThat(idea.refused(new Command.Transfer(EVE, "gardener", BO, false))
                        .code())
                .isEqualTo("not-allowed");
        assertThat(Garden.in("digging")
                        .refused(new Command.Transfer(MO, "mentor", MIA.person(), false))
                        .message())
                .isEqualTo("'mentor' cannot be handed on.");
    }

    @Test
    void loginsCompareWithoutCase() {
        Story story = Garden.in("digging");
        assertThat(story.does(move(Actor.of("ADA"), "gone", REASON)).state()).isEqualTo("gone");
        assertThat(story.does(new Command.StepDown(Actor.of("Mo"), "mentor"))
                        .standing()
                        .holders()
                        .people("mentor"))
                .isEmpty();
    }

    @Test
    void aRoleNobodyKnowsIsRefusedWithWhatWasMeant() {
        assertThat(Garden.in("digging").refused(take(MIA, "mentro")).message())
                .isEqualTo("No role called 'mentro' is held in a proposal; did you mean 'mentor'?");
    }

    @Test
    void aTakenRoleTakesOverFromWhoeverHeldItWhenAMoveSaysSo() {
        Story fallow = Garden.in("idea").on(100).does(move(SAM, "fallow"));
        Story woken = fallow.does(take(MIA, "mentor"));
        assertThat(woken.state()).isEqualTo("digging");
        assertThat(woken.standing().holders().people("mentor")).containsExactly(MIA.person());
    }

    @Test
    void aRoleForOneIsHandedOnOnlyToThoseItIsTakenFrom() {
        Lifecycle lenient = Garden.with("from: member\n", "from: member\n    transfer: yes\n");
        Story digging = Garden.in("digging");
        assertThat(decide(lenient, digging, new Command.Transfer(MO, "mentor", MIA.person(), false)))
                .isInstanceOf(Decision.Accepted.class);
        assertThat(decide(lenient, digging, new Command.Transfer(MO, "mentor", EVE.person(), false)))
                .isEqualTo(Decision.refused(Refusal.of("role", "eve is not known as a member.")));
        assertThat(decide(lenient, digging, new Command.Transfer(MO, "mentor", MIA.person(), true)))
                .isEqualTo(Decision.refused(Refusal.of("role", "Only one can be the mentor at a time.")));
        assertThat(decide(lenient, digging, new Command.Transfer(MO, "mentor", new Person("Mo"), false)))
                .isEqualTo(Decision.refused(Refusal.of("role", "It is yours already.")));
    }

    private static Decision<Event> decide(Lifecycle lifecycle, Story story, Command command) {
        return lifecycle.decide(story.history(), command, story.circumstances(), story.now());
    }

    @Test
    void whoeverMayHoldARoleNoLongerDoesNothingWithItAndIsNotInTheWay() {
        Story demoted = Garden.in("digging").given(Garden.KNOWN.withMembers("member", "mia"));
        Actor mo = Actor.of("mo");
        assertThat(demoted.refused(move(mo, "council", Garden.PLAN)).code()).isEqualTo("not-allowed");
        assertThat(demoted.refused(new Command.Edit(mo, Map.of())).code()).isEqualTo("not-allowed");
        Story taken = demoted.does(take(MIA, "mentor"));
        assertThat(taken.standing().holders().people("mentor")).containsExactly(MIA.person());
        assertThat(Garden.in("digging")
                        .given(Circumstances.unknown().withFact("reachable"))
                        .does(move(mo, "council", Garden.PLAN))
                        .state())
                .as("where nobody knows who is a member, the history counts")
                .isEqualTo("council");
    }
}
