package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.GardenProcess.ADA;
import static dev.gavel.lifecycle.GardenProcess.DUG;
import static dev.gavel.lifecycle.GardenProcess.EVE;
import static dev.gavel.lifecycle.GardenProcess.HARVEST;
import static dev.gavel.lifecycle.GardenProcess.MIA;
import static dev.gavel.lifecycle.GardenProcess.MO;
import static dev.gavel.lifecycle.GardenProcess.NED;
import static dev.gavel.lifecycle.GardenProcess.PLAN;
import static dev.gavel.lifecycle.GardenProcess.REASON;
import static dev.gavel.lifecycle.GardenProcess.SAM;
import static dev.gavel.lifecycle.GardenProcess.SEEDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests every combination of state, role and target: allowed if the table lists it, otherwise refused with a reason.
 */
class MovesTest {
    private static final Map<String, Actor> ROLES = Map.of(
            "gardener",
            ADA,
            "mentor",
            MO,
            "member",
            MIA,
            "steward",
            SAM,
            "neighbour",
            NED,
            "stranger",
            EVE,
            "system",
            Actor.system());

    /** Source state, target state and allowed roles; the mentor, if there is one, is Mo. */
    private static final String TABLE = """
            idea      digging    mentor member steward
            idea      composted  steward
            idea      fallow     steward system
            idea      gone       gardener
            digging   council    mentor steward
            digging   fallow     mentor steward
            digging   gone       gardener
            council   growing    steward
            council   shelved    steward
            council   digging    mentor
            council   composted  steward
            council   fallow     mentor steward
            council   gone       gardener
            shelved   council    mentor steward
            shelved   growing    steward
            shelved   fallow     mentor steward
            shelved   gone       gardener
            growing   thriving   gardener neighbour
            fallow    idea       gardener
            fallow    digging    mentor member steward
            fallow    gone       gardener
            """;

    static Stream<Arguments> everyStateAndRole() {
        return GardenProcess.PROCESS.states().keySet().stream()
                .flatMap(state -> ROLES.keySet().stream().sorted().map(role -> Arguments.of(state, role)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everyStateAndRole")
    void aMoveIsMadeByWhomTheTableNamesAndNobodyElse(String state, String role) {
        Actor actor = ROLES.getOrDefault(role, EVE);
        // Late enough for every clock, with everything that any move requires.
        LifecycleScenario lifecycleScenario = GardenProcess.in(state).onDay(100);
        if (!GardenProcess.PROCESS.state(state).isEnd()) {
            lifecycleScenario =
                    lifecycleScenario.perform(attach(PLAN, SEEDS, HARVEST)).onDay(200);
        }
        for (String target : GardenProcess.PROCESS.states().keySet()) {
            boolean allowed = mayMove(state, target).contains(role);
            LifecycleScenario prepared =
                    GardenProcess.PROCESS.decisionTargets(state, "ruling").contains(target)
                            ? GardenProcess.ruled(lifecycleScenario, target)
                            : lifecycleScenario;
            LifecycleCommandResult<LifecycleEvent> lifecycleCommandResult =
                    prepared.decide(new LifecycleCommand.MoveTo(actor, target, evidence(role)));
            assertThat(lifecycleCommandResult instanceof LifecycleCommandResult.Accepted<LifecycleEvent>)
                    .as("%s to %s by %s: %s", state, target, role, lifecycleCommandResult)
                    .isEqualTo(allowed);
            assertThat(lifecycleScenario.explain(actor, target).actorMay())
                    .as("explaining %s to %s to %s", state, target, role)
                    .isEqualTo(allowed);
            if (lifecycleCommandResult instanceof LifecycleCommandResult.Refused<LifecycleEvent> refused) {
                assertThat(refused.refusal().message()).isNotBlank();
                assertThat(refused.refusal().code()).isIn("not-allowed", "no-such-move", "ended");
                assertThat(refused.refusal().whoMay().isEmpty())
                        .isEqualTo(mayMove(state, target).isEmpty());
            }
        }
    }

    @Test
    void theTableHasEveryMoveOfTheProcess() {
        Set<String> ofProcess = new TreeSet<>();
        GardenProcess.PROCESS
                .moveDefinitions()
                .forEach(moveDefinition ->
                        moveDefinition.from().forEach(from -> ofProcess.add(from + " " + moveDefinition.to())));
        assertThat(TABLE.lines().map(row -> row.split(" +", -1)).map(row -> row[0] + " " + row[1]))
                .containsExactlyInAnyOrderElementsOf(ofProcess);
    }

    @Test
    void aMoveThatTakesARoleMakesTheMoverItsHolder() {
        assertThat(GardenProcess.in("digging").snapshot().holders().people("mentor"))
                .containsExactly(new Person("MO"));
    }

    @Test
    void aMoveThatDropsARoleLeavesItVacant() {
        assertThat(GardenProcess.in("fallow").snapshot().holders().people("mentor"))
                .isEmpty();
    }

    @Test
    void aStateMayBeNamedInAnyCaseAndByAnotherWord() {
        assertThat(GardenProcess.in("idea")
                        .perform(GardenProcess.move(MO, "DIGGING"))
                        .state())
                .isEqualTo("digging");
        assertThat(GardenProcess.ruled(GardenProcess.in("council"), "Planted")
                        .perform(GardenProcess.move(SAM, "Planted", SEEDS))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void aSubmissionBeginsAProposalOfItsSubmitterAndTheOthers() {
        LifecycleScenario lifecycleScenario = new LifecycleScenario()
                .perform(new LifecycleCommand.Submit(
                        ADA, List.of(new Person("bo"), new Person("Ada")), Map.of("bed", "ROOF"), List.of()));
        assertThat(lifecycleScenario.state()).isEqualTo("idea");
        assertThat(lifecycleScenario.snapshot().proposers()).containsExactly(new Person("ada"), new Person("bo"));
        assertThat(lifecycleScenario.snapshot().attributes()).isEqualTo(Map.of("bed", "roof"));
    }

    @Test
    void whatIsOnlyAdvisedIsMentionedAndStopsNothing() {
        LifecycleCommand bare = GardenProcess.submit(ADA, Map.of());
        assertThat(new LifecycleScenario().expectAccepted(bare).advice())
                .containsExactly(
                        "Recommended: a link to the discussion (talk: a link that begins with http:// or https://).");
        LifecycleCommand talkedOver = new LifecycleCommand.Submit(
                ADA, List.of(), Map.of(), List.of(new Evidence("talk", "https://garden.example/talk")));
        assertThat(new LifecycleScenario().expectAccepted(talkedOver).advice()).isEmpty();
    }

    private static LifecycleCommand attach(Evidence... evidence) {
        return GardenProcess.attach(NED, evidence);
    }

    private static List<Evidence> evidence(String role) {
        if (role.equals("system")) {
            return List.of();
        }
        List<Evidence> all = new ArrayList<>(List.of(REASON, GardenProcess.season(300)));
        if (role.equals("gardener")) {
            all.add(DUG);
        }
        return all;
    }

    private static List<String> mayMove(String from, String to) {
        return TABLE.lines()
                .map(row -> List.of(row.split(" +", -1)))
                .filter(row -> row.get(0).equals(from) && row.get(1).equals(to))
                .flatMap(row -> row.subList(2, row.size()).stream())
                .toList();
    }
}
