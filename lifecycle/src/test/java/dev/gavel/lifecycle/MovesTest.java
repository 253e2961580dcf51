package dev.gavel.lifecycle;

import static dev.gavel.lifecycle.Garden.ADA;
import static dev.gavel.lifecycle.Garden.DUG;
import static dev.gavel.lifecycle.Garden.EVE;
import static dev.gavel.lifecycle.Garden.HARVEST;
import static dev.gavel.lifecycle.Garden.MIA;
import static dev.gavel.lifecycle.Garden.MO;
import static dev.gavel.lifecycle.Garden.NED;
import static dev.gavel.lifecycle.Garden.PLAN;
import static dev.gavel.lifecycle.Garden.REASON;
import static dev.gavel.lifecycle.Garden.RULING;
import static dev.gavel.lifecycle.Garden.SAM;
import static dev.gavel.lifecycle.Garden.SEEDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Person;
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

/** Every state, every role, every target: allowed where the table says so, refused with a reason everywhere else. */
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

    /** From, to, and who may; in a proposal whose mentor is Mo where it has one. */
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
        return Garden.PROCESS.states().keySet().stream()
                .flatMap(state -> ROLES.keySet().stream().sorted().map(role -> Arguments.of(state, role)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everyStateAndRole")
    void aMoveIsMadeByWhomTheTableNamesAndNobodyElse(String state, String role) {
        Actor actor = ROLES.getOrDefault(role, EVE);
        // Late enough for every clock, with everything there that a move could need.
        Story story = Garden.in(state).on(100);
        if (!Garden.PROCESS.state(state).end()) {
            story = story.does(attach(PLAN, SEEDS, HARVEST)).on(200);
        }
        for (String target : Garden.PROCESS.states().keySet()) {
            boolean allowed = mayMove(state, target).contains(role);
            Decision<Event> decision = story.decide(new Command.MoveTo(actor, target, evidence(role)));
            assertThat(decision instanceof Decision.Accepted<Event>)
                    .as("%s to %s by %s: %s", state, target, role, decision)
                    .isEqualTo(allowed);
            assertThat(story.explain(actor, target).youMay())
                    .as("explaining %s to %s to %s", state, target, role)
                    .isEqualTo(allowed);
            if (decision instanceof Decision.Refused<Event> refused) {
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
        Garden.PROCESS.moves().forEach(move -> move.from().forEach(from -> ofProcess.add(from + " " + move.to())));
        assertThat(TABLE.lines().map(row -> row.split(" +", -1)).map(row -> row[0] + " " + row[1]))
                .containsExactlyInAnyOrderElementsOf(ofProcess);
    }

    @Test
    void aMoveThatTakesARoleMakesTheMoverItsHolder() {
        assertThat(Garden.in("digging").standing().holders().people("mentor")).containsExactly(new Person("MO"));
    }

    @Test
    void aMoveThatDropsARoleLeavesItVacant() {
        assertThat(Garden.in("fallow").standing().holders().people("mentor")).isEmpty();
    }

    @Test
    void aStateMayBeNamedInAnyCaseAndByAnotherWord() {
        assertThat(Garden.in("idea").does(Garden.move(MO, "DIGGING")).state()).isEqualTo("digging");
        assertThat(Garden.in("council")
                        .does(Garden.move(SAM, "Planted", RULING, SEEDS))
                        .state())
                .isEqualTo("growing");
    }

    @Test
    void aSubmissionBeginsAProposalOfItsSubmitterAndTheOthers() {
        Story story = new Story()
                .does(new Command.Submit(
                        ADA, List.of(new Person("bo"), new Person("Ada")), Map.of("bed", "ROOF"), List.of()));
        assertThat(story.state()).isEqualTo("idea");
        assertThat(story.standing().proposers()).containsExactly(new Person("ada"), new Person("bo"));
        assertThat(story.standing().attributes()).isEqualTo(Map.of("bed", "roof"));
    }

    @Test
    void whatIsOnlyAdvisedIsMentionedAndStopsNothing() {
        Command bare = Garden.submit(ADA, Map.of());
        assertThat(new Story().accepted(bare).advice())
                .containsExactly("It would help to have: where it was talked over"
                        + " (talk: a link that begins with http:// or https://).");
        Command talkedOver = new Command.Submit(
                ADA, List.of(), Map.of(), List.of(new Evidence("talk", "https://garden.example/talk")));
        assertThat(new Story().accepted(talkedOver).advice()).isEmpty();
    }

    private static Command attach(Evidence... evidence) {
        return Garden.attach(NED, evidence);
    }

    private static List<Evidence> evidence(String role) {
        if (role.equals("system")) {
            return List.of();
        }
        List<Evidence> all = new ArrayList<>(List.of(REASON, Garden.season(300)));
        if (role.equals("steward")) {
            all.add(RULING);
        }
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
