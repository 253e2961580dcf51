package dev.gavel.sep.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DocumentFixtures;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.stats.Stats.StateTime;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests statistics against values that were computed by hand. */
class StatsTest {
    private static final ProcessDefinition PROCESS = process("""
            process: garden
            roles:
              planter: {title: the planter, held: several, proposer: yes}
              mentor: {title: the mentor, held: one, from: gardener, vacant: {gardener: Take it.}}
              gardener: {title: a gardener}
            start: {to: seed, who: anyone}
            states:
              seed: {status: it waits., act: gardener, guidance: {gardener: Take it.}}
              sprout: {status: it grows., act: mentor, staffed: mentor, guidance: {mentor: Water it.}}
              flower: {is: settled, status: it blooms.}
              compost: {is: end, status: it is gone.}
            moves:
              - {from: seed, to: sprout, who: gardener, takes: mentor}
              - {from: sprout, to: flower, who: mentor}
              - {from: flower, to: sprout, who: mentor}
              - {from: [seed, sprout], to: compost, who: gardener}
            clocks:
              answer:
                in: seed
                from: submission
                unanswered-by: gardener
                steps: [{after: 14 d, ping: gardener}]
            """);

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Actor ANN = Actor.of("ann");
    private static final Actor GUS = Actor.of("gus", "gardener");

    private static ProcessDefinition process(String text) {
        return switch (ProcessFileParser.parse("garden.yaml", text)) {
            case ProcessParseResult.Valid valid -> valid.processDefinition();
            case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
        };
    }

    private static Instant day(int day) {
        return BEGIN.plus(Duration.ofDays(day));
    }

    private static Sep sep(int number, LifecycleEvent... events) {
        return new Sep(
                number,
                LifecycleHistory.of(List.of(events)),
                DocumentFixtures.read("# Plant " + number).metadata(),
                "");
    }

    private static LifecycleEvent submitted(int day) {
        return new LifecycleEvent.Submitted(day(day), ANN, "seed", "planter", List.of(ANN.person()), Map.of());
    }

    private static LifecycleEvent moved(int day, String from, String to) {
        return new LifecycleEvent.Moved(day(day), GUS, from, to, List.of());
    }

    private static LifecycleEvent took(int day, String who) {
        return new LifecycleEvent.RoleTaken(day(day), Actor.of(who, "gardener"), "mentor", new Person(who));
    }

    /** January has 31 and February 28 days: day 40 is 10 February, day 70 is 12 March, day 100 is 11 April. */
    private static final List<Sep> ALL = List.of(
            // seed 0–10, sprout 10–40, flower 40–
            sep(1, submitted(0), moved(10, "seed", "sprout"), took(10, "gus"), moved(40, "sprout", "flower")),
            // seed 5–25, sprout 25–70, flower 70–80, sprout 80–
            sep(
                    2,
                    submitted(5),
                    new LifecycleEvent.Commented(day(9), GUS, "Which soil?"),
                    moved(25, "seed", "sprout"),
                    took(25, "gus"),
                    moved(70, "sprout", "flower"),
                    moved(80, "flower", "sprout")),
            // seed 20–50, compost 50–
            sep(3, submitted(20), moved(50, "seed", "compost")),
            // seed 60–, with a comment of its planter only
            sep(4, submitted(60), new LifecycleEvent.Commented(day(61), ANN, "Anybody?")),
            // seed 90–95, sprout 95–
            sep(5, submitted(90), moved(95, "seed", "sprout"), took(95, "Hal")));

    private static final Stats STATS = Stats.of(ALL, PROCESS, _ -> ExternalFacts.none(), day(100));

    private static Optional<Duration> days(int days) {
        return Optional.of(Duration.ofDays(days));
    }

    @Test
    void theTimeInAStateCountsEveryStayAndWhatIsStillThere() {
        // Seeds left after 5, 10, 20 and 30 days; one has been there for 40. After 20 days three of five have left, and
        // after 30 days four of five: half have left within 20 days, and the 90th percentile is unknown. Sprouts left
        // after 30 and 45 days; two have been there for 5 and 20 days and are not at risk any more by then: half have
        // left after 30 days, all after 45.
        assertThat(STATS.states())
                .extracting(StateTime::state, StateTime::durations)
                .containsExactly(
                        tuple("seed", new DurationStats(4, 1, days(20), Optional.empty(), days(40))),
                        tuple("sprout", new DurationStats(2, 2, days(30), days(45), days(45))),
                        tuple("flower", new DurationStats(1, 1, days(10), Optional.empty(), days(60))),
                        tuple("compost", new DurationStats(0, 1, Optional.empty(), Optional.empty(), days(50))));
    }

    private static Tuple tuple(Object... values) {
        return Tuple.tuple(values);
    }

    @Test
    void withNothingLastingTheMedianIsTheOneInTheMiddleAndP90TheNinthOfTen() {
        DurationCollector durationCollector = new DurationCollector();
        for (int i = 10; i >= 1; i--) {
            durationCollector.addEnded(i);
        }
        assertThat(durationCollector.summarize().median()).contains(Duration.ofSeconds(5));
        assertThat(durationCollector.summarize().p90()).contains(Duration.ofSeconds(9));
        durationCollector.addEnded(11);
        assertThat(durationCollector.summarize().median()).contains(Duration.ofSeconds(6));
        assertThat(new DurationCollector().summarize())
                .isEqualTo(new DurationStats(0, 0, Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void aMonthCountsWhatCameAndWhatBecameOfIt() {
        assertThat(STATS.months())
                .containsExactly(
                        new Stats.Month(YearMonth.of(2026, 1), 3, 0, 0, 3, Map.of("seed", 3, "sprout", 2)),
                        new Stats.Month(YearMonth.of(2026, 2), 0, 1, 1, 1, Map.of("flower", 1, "compost", 1)),
                        new Stats.Month(YearMonth.of(2026, 3), 1, 1, 0, 2, Map.of("seed", 1, "flower", 1, "sprout", 1)),
                        new Stats.Month(YearMonth.of(2026, 4), 1, 0, 0, 3, Map.of("seed", 1, "sprout", 1)));
        assertThat(STATS.total()).isEqualTo(5);
        assertThat(STATS.open()).isEqualTo(3);
    }

    @Test
    void theFirstAnswerIsTheFirstOfSomebodyWhoOwesOneAndIsNoProposer() {
        // After 4, 5, 10 and 30 days; one has waited for 40.
        assertThat(STATS.firstResponse())
                .isEqualTo(new Stats.FirstResponse(
                        Optional.of("gardener"),
                        new DurationStats(4, 1, days(10), Optional.empty(), days(40)),
                        List.of(4)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sep-1286", "mcp-2026"})
    void theBuiltInProcessesWaitForTheResponseOfAMaintainer(String process) {
        Sep answered = sep(
                1,
                new LifecycleEvent.Submitted(day(0), ANN, "proposal", "author", List.of(ANN.person()), Map.of()),
                new LifecycleEvent.Commented(day(2), Actor.of("eve"), "I want this."),
                new LifecycleEvent.Commented(day(5), Actor.of("mo", "maintainer"), "Why?"));
        Stats stats = Stats.of(
                List.of(answered), BuiltInProcesses.find(process).orElseThrow(), _ -> ExternalFacts.none(), day(9));
        assertThat(stats.firstResponse().role()).contains("maintainer");
        assertThat(stats.firstResponse().durations().median()).isEqualTo(days(5));
    }

    @Test
    void whatCameInFurtherOnWasAnsweredWhereNobodySaw() {
        LifecycleEvent submission =
                new LifecycleEvent.Submitted(day(0), ANN, "sprout", "planter", List.of(ANN.person()), Map.of());
        Stats stats = Stats.of(List.of(sep(1, submission)), PROCESS, _ -> ExternalFacts.none(), day(9));
        assertThat(stats.firstResponse().durations().ended()
                        + stats.firstResponse().durations().running())
                .isZero();
        assertThat(stats.firstResponse().unanswered()).isEmpty();
    }

    @Test
    void aLoadIsWhatSomebodyHoldsThatIsOpen() {
        assertThat(STATS.loads())
                .containsExactly(
                        new Stats.Load("mentor", "gus", List.of(2), 1), new Stats.Load("mentor", "Hal", List.of(5), 0));
    }

    @Test
    void whatIsHeldLongerThanACoolDownIsStuckAndLongestComesFirst() {
        assertThat(STATS.stuck())
                .containsExactly(
                        new Stats.Stuck(4, "Plant 4", "seed", List.of("gardener"), day(60)),
                        new Stats.Stuck(2, "Plant 2", "sprout", List.of("gus"), day(80)));
    }

    @Test
    void datesFarAwayMakeNoLongTable() {
        LifecycleEvent old = new LifecycleEvent.Submitted(
                Instant.parse("0001-01-01T00:00:00Z"), ANN, "seed", "planter", List.of(ANN.person()), Map.of());
        LifecycleEvent ahead = new LifecycleEvent.Submitted(
                Instant.parse("9999-01-01T00:00:00Z"), ANN, "seed", "planter", List.of(ANN.person()), Map.of());
        Stats stats = Stats.of(List.of(sep(1, old), sep(2, ahead)), PROCESS, _ -> ExternalFacts.none(), day(0));
        assertThat(stats.months()).hasSize(120);
        assertThat(stats.months().getFirst().open()).isEqualTo(1);
        assertThat(stats.months().getLast().open()).isEqualTo(2);
        assertThat(StatsTextFormatter.format(stats, ProposalTerms.DEFAULT)).contains("2 SEPs, 2 open");
    }

    @Test
    void programsReadTheSameFigures() {
        Json json = StatsJsonCodec.encode(STATS);
        assertThat(json.at("seps").raw()).isEqualTo("5");
        assertThat(json.at("states").elements().get(1).raw())
                .isEqualTo("{\"state\":\"sprout\",\"kind\":\"open\",\"now\":2,\"left\":2,\"medianDays\":30.0,"
                        + "\"p90Days\":45.0,\"longestDays\":45.0}");
        assertThat(json.at("firstResponse").at("unanswered").raw()).isEqualTo("[4]");
        assertThat(json.at("firstResponse").at("p90Days").raw()).isEqualTo("null");
        assertThat(json.at("stuck").elements().getFirst().at("days").raw()).isEqualTo("40");
        assertThat(json.at("months").elements().getFirst().at("entered").raw()).isEqualTo("{\"seed\":3,\"sprout\":2}");
    }

    @Test
    void peopleReadTables() {
        assertThat(StatsTextFormatter.format(STATS, ProposalTerms.DEFAULT))
                .contains("5 SEPs, 3 open; process garden, 2026-04-11\n")
                .contains("  seed     1    4     20 d    over 40 d  40 d\n")
                .contains("  2026-02  0          1        1      1\n")
                .contains("  median 10 d, p90 over 40 d; 4 answered, 1 waiting for a response\n")
                .contains("  gus     mentor  1     1       2\n")
                .contains("  4    Plant 4  seed    gardener     40 d\n")
                .doesNotContain("\u001b");
    }

    @Test
    void noProposalsMakeNoTablesAndNoCharts() {
        Stats none = Stats.of(List.of(), PROCESS, _ -> ExternalFacts.none(), day(0));
        assertThat(StatsTextFormatter.format(none, ProposalTerms.DEFAULT))
                .isEqualTo("0 SEPs, 0 open; process garden, 2026-01-01\n");
        assertThat(StatsChartBuilder.build(none, ProposalTerms.DEFAULT)).isEmpty();
        assertThat(StatsChartBuilder.build(STATS, ProposalTerms.DEFAULT))
                .containsOnlyKeys("now", "months", "open", "times", "load", "stuck");
    }

    @Test
    void figuresComeBackFromJsonAsTheyWere() {
        assertThat(StatsJsonCodec.decode(StatsJsonCodec.encode(STATS)))
                .usingRecursiveComparison()
                .ignoringFields("firstResponse.span.running")
                .isEqualTo(STATS);
    }
}
