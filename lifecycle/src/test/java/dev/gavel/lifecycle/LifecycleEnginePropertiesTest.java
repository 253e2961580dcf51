package dev.gavel.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.history.BallotChoice;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.history.LifecycleSnapshot;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.lifecycle.result.LifecycleCommandResult;
import dev.gavel.lifecycle.result.LifecycleGuidance;
import dev.gavel.lifecycle.result.LifecycleGuidance.Assignment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Property tests of the lifecycle engine: invariants that hold for random sequences of commands. */
class LifecycleEnginePropertiesTest {
    private static final List<Actor> PEOPLE = List.of(
            GardenProcess.ADA,
            Actor.of("ADA"),
            GardenProcess.MO,
            GardenProcess.MIA,
            GardenProcess.SAM,
            GardenProcess.SUE,
            GardenProcess.SOL,
            GardenProcess.NED,
            GardenProcess.EVE,
            Actor.of("ada", "steward"),
            Actor.system());

    /** An attempt of a command some days later; an empty list performs all due actions instead. */
    record Attempt(int days, List<LifecycleCommand> command) {}

    @Provide
    Arbitrary<List<Attempt>> lives() {
        Arbitrary<Attempt> attempt = Combinators.combine(
                        Arbitraries.of(0, 0, 1, 3, 7, 14, 15, 30, 61),
                        Arbitraries.oneOf(
                                commands().map(List::of),
                                commands().map(List::of),
                                commands().map(List::of),
                                Arbitraries.just(List.<LifecycleCommand>of())))
                .as(Attempt::new);
        return attempt.list().ofMinSize(1).ofMaxSize(60);
    }

    private static Arbitrary<LifecycleCommand> commands() {
        Arbitrary<Actor> by = Arbitraries.of(PEOPLE);
        Arbitrary<String> state = Arbitraries.of(GardenProcess.PROCESS.states().keySet());
        Arbitrary<String> role = Arbitraries.of("mentor", "gardener", "member");
        Arbitrary<Person> person = by.map(Actor::person);
        Arbitrary<List<Evidence>> evidence = Arbitraries.of(
                        GardenProcess.REASON,
                        GardenProcess.PLAN,
                        GardenProcess.SEEDS,
                        GardenProcess.HARVEST,
                        GardenProcess.ruling("growing"),
                        GardenProcess.ruling("composted"),
                        GardenProcess.DUG,
                        GardenProcess.season(40),
                        new Evidence("plan", "no link"))
                .list()
                .uniqueElements()
                .ofMaxSize(3);
        Arbitrary<LifecycleCommand> move =
                Combinators.combine(by, state, evidence).as(LifecycleCommand.MoveTo::new);
        // Moves that are likely to be accepted; otherwise proposals would never get far.
        Arbitrary<LifecycleCommand> good = Arbitraries.of(
                GardenProcess.move(GardenProcess.MO, "digging"),
                GardenProcess.move(GardenProcess.MO, "council", GardenProcess.PLAN),
                GardenProcess.attach(GardenProcess.SUE, GardenProcess.ruling("growing"), GardenProcess.SEEDS),
                GardenProcess.attach(GardenProcess.SAM, GardenProcess.ruling("shelved")),
                GardenProcess.confirm(GardenProcess.SAM),
                GardenProcess.confirm(GardenProcess.SOL),
                GardenProcess.move(GardenProcess.SAM, "growing"),
                GardenProcess.move(GardenProcess.SAM, "shelved", GardenProcess.REASON, GardenProcess.season(90)),
                GardenProcess.move(GardenProcess.ADA, "thriving", GardenProcess.HARVEST),
                GardenProcess.move(GardenProcess.SAM, "fallow", GardenProcess.REASON),
                GardenProcess.move(GardenProcess.ADA, "idea"));
        return Arbitraries.oneOf(
                good,
                move,
                Combinators.combine(by, evidence).as(LifecycleCommand.Attach::new),
                by.map(actor -> new LifecycleCommand.Comment(actor, "Hm.")),
                Combinators.combine(by, person).as((actor, whom) -> new LifecycleCommand.Ask(actor, whom, "Well?")),
                Combinators.combine(by, role)
                        .as((actor, what) -> new LifecycleCommand.TakeRole(actor, what, List.of())),
                Combinators.combine(by, role).as(LifecycleCommand.StepDown::new),
                Combinators.combine(by, role, person, Arbitraries.of(true, false))
                        .as(LifecycleCommand.TransferRole::new),
                Combinators.combine(by, Arbitraries.of(BallotChoice.values()))
                        .as((actor, ballotChoice) -> new LifecycleCommand.Vote(actor, ballotChoice, "so")),
                by.map(actor -> new LifecycleCommand.Hold(actor, "frost")),
                by.map(actor -> new LifecycleCommand.Release(actor, "thaw")),
                by.map(GardenProcess::confirm),
                Combinators.combine(by, Arbitraries.of(true, false))
                        .as((actor, editorial) -> new LifecycleCommand.Edit(
                                actor, Map.of("plant", "peas"), Set.of("abstract"), Set.of(), editorial)),
                by.map(actor -> new LifecycleCommand.Edit(actor, Map.of("bed", "raised"), Set.of(), Set.of(), false)));
    }

    /** Returns the scenario after each attempt. */
    private static List<LifecycleScenario> play(List<Attempt> attempts) {
        List<LifecycleScenario> moments = new ArrayList<>();
        LifecycleScenario lifecycleScenario = GardenProcess.in("idea");
        moments.add(lifecycleScenario);
        Instant now = lifecycleScenario.now();
        for (Attempt attempt : attempts) {
            now = now.plus(Duration.ofDays(attempt.days()));
            lifecycleScenario =
                    new LifecycleScenario(lifecycleScenario.history(), lifecycleScenario.externalFacts(), now);
            if (attempt.command().isEmpty()) {
                lifecycleScenario = lifecycleScenario.performDueActions();
            } else if (lifecycleScenario.decide(attempt.command().getFirst())
                    instanceof LifecycleCommandResult.Accepted<LifecycleEvent>) {
                lifecycleScenario = lifecycleScenario.perform(attempt.command().getFirst());
            }
            moments.add(lifecycleScenario);
        }
        return moments;
    }

    /** Compares the replayed state with what each accepted command requested, not with another replay. */
    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void replayingEventsGivesTheStateThatWasDecidedOn(@ForAll("lives") List<Attempt> attempts) {
        List<LifecycleScenario> moments = play(attempts);
        for (int i = 0; i < attempts.size(); i++) {
            LifecycleHistory before = moments.get(i).history();
            LifecycleHistory after = moments.get(i + 1).history();
            LifecycleSnapshot replayed =
                    LifecycleHistory.of(after.events()).snapshot().orElseThrow();
            boolean accepted = after.events().size() > before.events().size();
            if (accepted && !attempts.get(i).command().isEmpty()) {
                assertDone(attempts.get(i).command().getFirst(), replayed);
            } else if (!accepted) {
                assertThat(replayed).isEqualTo(before.snapshot().orElseThrow());
            }
        }
    }

    private static void assertDone(LifecycleCommand command, LifecycleSnapshot lifecycleSnapshot) {
        Person by = command.actor().person();
        switch (command) {
            case LifecycleCommand.MoveTo move ->
                assertThat(lifecycleSnapshot.state())
                        .isEqualTo(GardenProcess.PROCESS.findState(move.to()).orElseThrow());
            case LifecycleCommand.TakeRole takeRole ->
                assertThat(lifecycleSnapshot.holders().holds(by, takeRole.role()))
                        .isTrue();
            case LifecycleCommand.StepDown down ->
                assertThat(lifecycleSnapshot.holders().holds(by, down.role())).isFalse();
            case LifecycleCommand.TransferRole transferRole -> {
                assertThat(lifecycleSnapshot.holders().holds(transferRole.to(), transferRole.role()))
                        .isTrue();
                assertThat(lifecycleSnapshot.holders().holds(by, transferRole.role()))
                        .isEqualTo(transferRole.keepsRole() || by.equals(transferRole.to()));
            }
            case LifecycleCommand.Vote vote ->
                assertThat(lifecycleSnapshot.voteRound().ballots())
                        .hasEntrySatisfying(
                                by,
                                castBallot ->
                                        assertThat(castBallot.ballotChoice()).isEqualTo(vote.ballotChoice()));
            case LifecycleCommand.Hold _ ->
                assertThat(lifecycleSnapshot.voteRound().hold()).isPresent();
            case LifecycleCommand.Release _ ->
                assertThat(lifecycleSnapshot.voteRound().hold()).isEmpty();
            case LifecycleCommand.Edit edit ->
                assertThat(lifecycleSnapshot.attributes()).containsAllEntriesOf(edit.attributes());
            case LifecycleCommand.Confirm confirm ->
                assertThat(lifecycleSnapshot.evidence().latest(confirm.kind()))
                        .hasValueSatisfying(
                                item -> assertThat(item.confirmedBy()).contains(by));
            case LifecycleCommand.Submit _,
                    LifecycleCommand.Attach _,
                    LifecycleCommand.Comment _,
                    LifecycleCommand.Ask _,
                    LifecycleCommand.PerformClockAction _ ->
                assertThat(lifecycleSnapshot.state()).isNotEmpty();
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void noSequenceOfCommandsEverLeavesAnEnd(@ForAll("lives") List<Attempt> attempts) {
        String ended = "";
        for (LifecycleScenario lifecycleScenario : play(attempts)) {
            if (!ended.isEmpty()) {
                assertThat(lifecycleScenario.state()).isEqualTo(ended);
            }
            if (GardenProcess.PROCESS.state(lifecycleScenario.state()).isEnd()) {
                ended = lifecycleScenario.state();
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void somebodyMustActExactlyWhereAStateIsOpenAndIsToldWhat(@ForAll("lives") List<Attempt> attempts) {
        for (LifecycleScenario lifecycleScenario : play(attempts)) {
            StateDefinition state = GardenProcess.PROCESS.state(lifecycleScenario.state());
            for (ExternalFacts known : List.of(GardenProcess.KNOWN, ExternalFacts.none())) {
                for (Actor reader : PEOPLE) {
                    LifecycleGuidance guidance =
                            lifecycleScenario.withFacts(known).guidance(reader);
                    assertThat(guidance.mustAct().isEmpty()).isEqualTo(!state.isOpen());
                    assertThat(guidance.mustAct())
                            .allSatisfy(assignment -> assertThat(assignment.since())
                                    .isBetween(guidance.since(), lifecycleScenario.now()));
                    assertThat(guidance.mustAct().stream().map(Assignment::party))
                            .noneMatch(guidance.waitingOn()::contains);
                    assertThat(guidance.nextStep()).isNotBlank().doesNotContain("{");
                    LifecycleContext lifecycleContext = new LifecycleContext(
                            GardenProcess.PROCESS, lifecycleScenario.snapshot(), known, lifecycleScenario.now());
                    boolean mine = guidance.mustAct().stream()
                            .anyMatch(assignment -> new TurnResolver(lifecycleContext).includes(assignment, reader));
                    if (mine) {
                        assertThat(guidance.nextStep()).doesNotContain("Nothing for you to do");
                    }
                }
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void aProposalIsAlwaysSomebodysAndARoleForOneHeldByOne(@ForAll("lives") List<Attempt> attempts) {
        for (LifecycleScenario lifecycleScenario : play(attempts)) {
            assertThat(lifecycleScenario.snapshot().proposers()).isNotEmpty().doesNotHaveDuplicates();
            assertThat(lifecycleScenario.snapshot().holders().people("mentor")).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void explainingAgreesWithTrying(@ForAll("lives") List<Attempt> attempts) {
        LifecycleScenario lifecycleScenario = play(attempts).getLast();
        for (Actor actor : PEOPLE) {
            for (String target : GardenProcess.PROCESS.states().keySet()) {
                assertThat(lifecycleScenario.explain(actor, target).isPossible())
                        .isEqualTo(
                                lifecycleScenario.decide(GardenProcess.move(actor, target))
                                        instanceof LifecycleCommandResult.Accepted<LifecycleEvent>);
            }
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void whatIsDueIsTheSameWheneverAskedAndNoLongerDueOnceDone(@ForAll("lives") List<Attempt> attempts) {
        for (LifecycleScenario lifecycleScenario : play(attempts)) {
            List<ClockAction> clockAction = lifecycleScenario.dueActions();
            assertThat(lifecycleScenario.dueActions()).isEqualTo(clockAction);
            assertThat(lifecycleScenario.performDueActions().dueActions())
                    .noneMatch(left -> clockAction.stream().anyMatch(left::isSameAction));
            assertThat(lifecycleScenario
                            .performDueActions()
                            .performDueActions()
                            .performDueActions()
                            .dueActions())
                    .isEmpty();
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void nobodyIsRemindedTwiceWithinTheCoolDown(@ForAll("lives") List<Attempt> attempts) {
        List<LifecycleScenario> moments = play(attempts);
        LifecycleScenario swept = moments.getLast();
        for (int day = 0; day < 120; day += 5) {
            swept = new LifecycleScenario(
                            swept.history(), swept.externalFacts(), swept.now().plus(Duration.ofDays(5)))
                    .performDueActions();
        }
        Map<PersonOrGroup, Instant> last = new HashMap<>();
        for (LifecycleEvent event : swept.history().events()) {
            if (event instanceof LifecycleEvent.Pinged ping) {
                assertThat(ping.recipients()).doesNotHaveDuplicates();
                for (PersonOrGroup personOrGroup : ping.recipients()) {
                    Instant earlier = last.put(personOrGroup, ping.at());
                    if (earlier != null) {
                        assertThat(Duration.between(earlier, ping.at()))
                                .isGreaterThanOrEqualTo(GardenProcess.PROCESS.reminderCoolDown());
                    }
                }
            }
        }
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void afterASubstantiveEditNoEarlierBallotCounts(@ForAll("lives") List<Attempt> attempts) {
        for (LifecycleScenario lifecycleScenario : play(attempts)) {
            Set<Person> voters = new HashSet<>();
            Set<Person> recused = new HashSet<>();
            for (LifecycleEvent event : lifecycleScenario.history().events()) {
                switch (event) {
                    case LifecycleEvent.Moved _ -> {
                        voters.clear();
                        recused.clear();
                    }
                    case LifecycleEvent.Edited edited when !edited.editorial() -> voters.clear();
                    case LifecycleEvent.Voted voted -> {
                        Person voter = voted.by().person();
                        boolean recusal = voted.ballotChoice() == BallotChoice.RECUSE;
                        (recusal ? recused : voters).add(voter);
                        (recusal ? voters : recused).remove(voter);
                    }
                    default -> {
                        // does not change the ballots
                    }
                }
            }
            Set<Person> counted = new HashSet<>(
                    lifecycleScenario.snapshot().voteRound().ballots().keySet());
            counted.removeAll(recused);
            assertThat(counted).isEqualTo(voters);
        }
    }

    @Property(tries = 300, edgeCases = EdgeCasesMode.NONE)
    void noProposalIsAcceptedByTheActsOfASinglePersonOrOfItsProposer(@ForAll("lives") List<Attempt> attempts) {
        for (LifecycleScenario lifecycleScenario : play(attempts)) {
            Set<Person> deciders = new HashSet<>();
            for (LifecycleEvent event : lifecycleScenario.history().events()) {
                boolean decides = event instanceof LifecycleEvent.Voted
                        || event instanceof LifecycleEvent.EvidenceConfirmed
                        || (event instanceof LifecycleEvent.EvidenceAttached attached
                                && attached.evidence().stream()
                                        .anyMatch(piece -> piece.kind().equals("ruling")));
                if (decides) {
                    deciders.add(event.by().person());
                }
                if (event instanceof LifecycleEvent.Moved moved && moved.to().equals("growing")) {
                    assertThat(deciders).hasSizeGreaterThan(1).doesNotContain(GardenProcess.ADA.person());
                }
            }
        }
    }
}
