package dev.gavel.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.answer.Decision;
import dev.gavel.lifecycle.answer.Guidance;
import dev.gavel.lifecycle.answer.Guidance.Holding;
import dev.gavel.lifecycle.history.Ballot;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.history.Standing;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds whatever people do, and in whatever order. */
class LifecyclePropertiesTest {
    private static final List<Actor> PEOPLE = List.of(
            Garden.ADA,
            Actor.of("ADA"),
            Garden.MO,
            Garden.MIA,
            Garden.SAM,
            Garden.SUE,
            Garden.SOL,
            Garden.NED,
            Garden.EVE,
            Actor.of("ada", "steward"),
            Actor.system());

    /** Somebody tries something some days later; or, with no command, all that is due is done. */
    record Attempt(int days, List<Command> command) {}

    @Provide
    Arbitrary<List<Attempt>> lives() {
        Arbitrary<Attempt> attempt = Combinators.combine(
                        Arbitraries.of(0, 0, 1, 3, 7, 14, 15, 30, 61),
                        Arbitraries.oneOf(
                                commands().map(List::of),
                                commands().map(List::of),
                                commands().map(List::of),
                                Arbitraries.just(List.<Command>of())))
                .as(Attempt::new);
        return attempt.list().ofMinSize(1).ofMaxSize(60);
    }

    private static Arbitrary<Command> commands() {
        Arbitrary<Actor> by = Arbitraries.of(PEOPLE);
        Arbitrary<String> state = Arbitraries.of(Garden.PROCESS.states().keySet());
        Arbitrary<String> role = Arbitraries.of("mentor", "gardener", "member");
        Arbitrary<Person> person = by.map(Actor::person);
        Arbitrary<List<Evidence>> evidence = Arbitraries.of(
                        Garden.REASON,
                        Garden.PLAN,
                        Garden.SEEDS,
                        Garden.HARVEST,
                        Garden.RULING,
                        Garden.DUG,
                        Garden.season(40),
                        new Evidence("plan", "no link"))
                .list()
                .uniqueElements()
                .ofMaxSize(3);
        Arbitrary<Command> move = Combinators.combine(by, state, evidence).as(Command.MoveTo::new);
        // Moves that have a fair chance, or no life would ever get far.
        Arbitrary<Command> good = Arbitraries.of(
                Garden.move(Garden.MO, "digging"),
                Garden.move(Garden.MO, "council", Garden.PLAN),
                Garden.move(Garden.SAM, "growing", Garden.RULING, Garden.SEEDS),
                Garden.move(Garden.SAM, "shelved", Garden.REASON, Garden.season(90)),
                Garden.move(Garden.ADA, "thriving", Garden.HARVEST),
                Garden.move(Garden.SAM, "fallow", Garden.REASON),
                Garden.move(Garden.ADA, "idea"));
        return Arbitraries.oneOf(
                good,
                move,
                Combinators.combine(by, evidence).as(Command.Attach::new),
                by.map(actor -> new Command.Comment(actor, "Hm.")),
                Combinators.combine(by, person).as((actor, whom) -> new Command.Ask(actor, whom, "Well?")),
                Combinators.combine(by, role).as((actor, what) -> new Command.Take(actor, what, List.of())),
                Combinators.combine(by, role).as(Command.StepDown::new),
                Combinators.combine(by, role, person, Arbitraries.of(true, false))
                        .as(Command.Transfer::new),
                Combinators.combine(by, Arbitraries.of(Ballot.values()))
                        .as((actor, ballot) -> new Command.Vote(actor, ballot, "so")),
                by.map(actor -> new Command.Hold(actor, "frost")),
                by.map(actor -> new Command.Release(actor, "thaw")),
                by.map(actor -> new Command.Edit(actor, Map.of("bed", "raised"))));
    }

    /** Every moment of a life. */
    private static List<Story> live(List<Attempt> attempts) {
        List<Story> moments = new ArrayList<>();
        Story story = Garden.in("idea");
        moments.add(story);
        Instant now = story.now();
        for (Attempt attempt : attempts) {
            now = now.plus(Duration.ofDays(attempt.days()));
            story = new Story(story.history(), story.circumstances(), now);
            if (attempt.command().isEmpty()) {
                story = story.sweep();
            } else if (story.decide(attempt.command().getFirst()) instanceof Decision.Accepted<Event>) {
                story = story.does(attempt.command().getFirst());
            }
            moments.add(story);
        }
        return moments;
    }

    /** The replayed state is held against what each accepted command asked for, not against another replay. */
    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void replayingEventsGivesTheStateThatWasDecidedOn(@ForAll("lives") List<Attempt> attempts) {
        List<Story> moments = live(attempts);
        for (int i = 0; i < attempts.size(); i++) {
            History before = moments.get(i).history();
            History after = moments.get(i + 1).history();
            Standing replayed = History.of(after.events()).standing().orElseThrow();
            boolean accepted = after.events().size() > before.events().size();
            if (accepted && !attempts.get(i).command().isEmpty()) {
                assertDone(attempts.get(i).command().getFirst(), replayed);
            } else if (!accepted) {
                assertThat(replayed).isEqualTo(before.standing().orElseThrow());
            }
        }
    }

    private static void assertDone(Command command, Standing standing) {
        Person by = command.by().person();
        switch (command) {
            case Command.MoveTo move ->
                assertThat(standing.state())
                        .isEqualTo(Garden.PROCESS.stateNamed(move.to()).orElseThrow());
            case Command.Take take ->
                assertThat(standing.holders().holds(by, take.role())).isTrue();
            case Command.StepDown down ->
                assertThat(standing.holders().holds(by, down.role())).isFalse();
            case Command.Transfer transfer -> {
                assertThat(standing.holders().holds(transfer.to(), transfer.role()))
                        .isTrue();
                assertThat(standing.holders().holds(by, transfer.role()))
                        .isEqualTo(transfer.stays() || by.equals(transfer.to()));
            }
            case Command.Vote vote ->
                assertThat(standing.voting().ballots())
                        .hasEntrySatisfying(
                                by, cast -> assertThat(cast.ballot()).isEqualTo(vote.ballot()));
            case Command.Hold _ -> assertThat(standing.voting().hold()).isPresent();
            case Command.Release _ -> assertThat(standing.voting().hold()).isEmpty();
            case Command.Edit edit -> assertThat(standing.attributes()).containsAllEntriesOf(edit.attributes());
            case Command.Submit _, Command.Attach _, Command.Comment _, Command.Ask _, Command.Carry _ ->
                assertThat(standing.state()).isNotEmpty();
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void noSequenceOfCommandsEverLeavesAnEnd(@ForAll("lives") List<Attempt> attempts) {
        String ended = "";
        for (Story story : live(attempts)) {
            if (!ended.isEmpty()) {
                assertThat(story.state()).isEqualTo(ended);
            }
            if (Garden.PROCESS.state(story.state()).end()) {
                ended = story.state();
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void somebodyMustActExactlyWhereAStateIsOpenAndIsToldWhat(@ForAll("lives") List<Attempt> attempts) {
        for (Story story : live(attempts)) {
            State state = Garden.PROCESS.state(story.state());
            for (Circumstances known : List.of(Garden.KNOWN, Circumstances.unknown())) {
                for (Actor reader : PEOPLE) {
                    Guidance guidance = story.given(known).guidance(reader);
                    assertThat(guidance.mustAct().isEmpty()).isEqualTo(!state.open());
                    assertThat(guidance.mustAct())
                            .allSatisfy(
                                    holding -> assertThat(holding.since()).isBetween(guidance.since(), story.now()));
                    assertThat(guidance.mustAct().stream().map(Holding::who)).noneMatch(guidance.waitingOn()::contains);
                    assertThat(guidance.nextStep()).isNotBlank().doesNotContain("{");
                    Scene scene = new Scene(Garden.PROCESS, story.standing(), known, story.now());
                    boolean mine =
                            guidance.mustAct().stream().anyMatch(holding -> new Turns(scene).concerns(holding, reader));
                    if (mine) {
                        assertThat(guidance.nextStep()).doesNotContain("Nothing for you to do");
                    }
                }
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void aProposalIsAlwaysSomebodysAndARoleForOneHeldByOne(@ForAll("lives") List<Attempt> attempts) {
        for (Story story : live(attempts)) {
            assertThat(story.standing().proposers()).isNotEmpty().doesNotHaveDuplicates();
            assertThat(story.standing().holders().people("mentor")).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void explainingAgreesWithTrying(@ForAll("lives") List<Attempt> attempts) {
        Story story = live(attempts).getLast();
        for (Actor actor : PEOPLE) {
            for (String target : Garden.PROCESS.states().keySet()) {
                assertThat(story.explain(actor, target).possible())
                        .isEqualTo(story.decide(Garden.move(actor, target)) instanceof Decision.Accepted<Event>);
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void whatIsDueIsTheSameWheneverAskedAndNoLongerDueOnceDone(@ForAll("lives") List<Attempt> attempts) {
        for (Story story : live(attempts)) {
            List<Due> due = story.due();
            assertThat(story.due()).isEqualTo(due);
            assertThat(story.sweep().due()).noneMatch(left -> due.stream().anyMatch(left::sameAs));
            assertThat(story.sweep().sweep().sweep().due()).isEmpty();
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void nobodyIsRemindedTwiceWithinTheCoolDown(@ForAll("lives") List<Attempt> attempts) {
        List<Story> moments = live(attempts);
        Story swept = moments.getLast();
        for (int day = 0; day < 120; day += 5) {
            swept = new Story(
                            swept.history(), swept.circumstances(), swept.now().plus(Duration.ofDays(5)))
                    .sweep();
        }
        Map<Party, Instant> last = new HashMap<>();
        for (Event event : swept.history().events()) {
            if (event instanceof Event.Pinged ping) {
                assertThat(ping.whom()).doesNotHaveDuplicates();
                for (Party party : ping.whom()) {
                    Instant earlier = last.put(party, ping.at());
                    if (earlier != null) {
                        assertThat(Duration.between(earlier, ping.at()))
                                .isGreaterThanOrEqualTo(Garden.PROCESS.coolDown());
                    }
                }
            }
        }
    }
}
