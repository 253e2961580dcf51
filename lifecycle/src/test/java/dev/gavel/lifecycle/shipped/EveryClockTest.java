package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.ClockAction;
import dev.gavel.lifecycle.LifecycleCommand;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests every clock of both processes, exactly at and one second before each threshold. The expected values are copied
 * from the document, not from the process files: state | days | action | recipients or target state | text. The days
 * {@code 14+14-56} mean: on day 14 and then every 14 days until day 56.
 */
class EveryClockTest {
    private static final String SEP_1286 = """
            proposal | 14+14 | ping | cora sam | No maintainer has responded in the last 14 days. Read the Abstract and the Motivation. Then sponsor the SEP, or comment on what is missing.
            proposal | 90+14-152 | ping | ada | Ask a maintainer to sponsor the SEP, and answer their questions. On 2026-06-20, ada will be reminded.
            proposal | 166 | ping | ada | The SEP goes dormant on 2026-07-04 unless a maintainer sponsors it. Ask a maintainer to sponsor the SEP, and answer their questions. On 2026-07-04, the SEP goes dormant.
            proposal | 180 | move | dormant | the SEP goes dormant
            draft | 14+14 | ping | sam | Bring the goals to a high-level review and link its result.
            draft | 90 | escalate | core-maintainer | Check whether sam needs help, or whether the SEP needs another sponsor.
            provisional | 14+14 | ping | ada | Complete every section of the document and link your prototype if you have one. Then attach a note that the document is complete.
            provisional | 90 | escalate | core-maintainer | Check whether ada and sam need help.
            prototyping | 14+14 | ping | ada | Gather feedback on the prototype and complete the document. Then attach a note that the document is complete.
            prototyping | 90 | escalate | core-maintainer | Check whether ada and sam need help.
            in-review | 28+14 | ping | cora carl cleo chet | Vote, or raise a concern and give the reason.
            deferred | 60+14 | ping | sam | The date to revisit the SEP has been reached. Move the SEP back to review when the date is reached or the trigger is met.
            deferred | 150 | escalate | core-maintainer | Move the SEP back to review, or wait until its date.
            accepted | 30+14 | ping | ada | Complete the reference implementation and link it. Then ask sam to move the SEP to final.
            """;

    private static final String MCP_2026 = """
            proposal | 90+14 | ping | ada | You have not acted on the SEP for at least 90 days. It goes dormant on 2026-07-04 unless you act or a maintainer sponsors it. Ask a maintainer to sponsor the SEP, and answer their questions. On 2026-07-04, the SEP goes dormant.
            proposal | 180 | move | dormant | the SEP goes dormant
            draft | 14+14-70 | ping | sam | You have not acted on the SEP for at least 14 days. Step down if you cannot sponsor it any longer. Help ada complete every section, review the document, and move the SEP to in-review.
            draft | 90+14 | ping | sam | You have not acted on the SEP for at least 90 days. Move it to dormant if the work has stopped. Help ada complete every section, review the document, and move the SEP to in-review.
            in-review | 14+14 | ping | sam | You have not acted on the SEP for at least 14 days. Step down if you cannot sponsor it any longer. Help the core maintainers decide. If they request changes, move the SEP back to draft with the list of changes.
            accepted | 30+14 | ping | ada | You have not acted on the SEP for at least 30 days since it was accepted. Complete the reference implementation and link it. Then ask sam to move the SEP to final.
            """;

    /** A row of the table. */
    private record Row(String state, long days, long repeat, long until, String what, String recipients, String says) {
        /** The days of the two years on which the action is due. */
        LongStream allDays() {
            return repeat == 0
                    ? LongStream.of(days)
                    : LongStream.iterate(days, day -> day <= until && day < 730, day -> day + repeat);
        }
    }

    @TestFactory
    Stream<DynamicTest> everyClockOfSep1286() {
        return tests(ShippedProcessFixtures.SEP_1286, rows(SEP_1286));
    }

    @TestFactory
    Stream<DynamicTest> everyClockOfMcp2026() {
        return tests(ShippedProcessFixtures.MCP_2026, rows(MCP_2026));
    }

    @TestFactory
    Stream<DynamicTest> nothingElseIsEverDue() {
        return Stream.of(ShippedProcessFixtures.SEP_1286, ShippedProcessFixtures.MCP_2026)
                .flatMap(lifecycleEngine -> {
                    List<Row> rows =
                            rows(lifecycleEngine.equals(ShippedProcessFixtures.SEP_1286) ? SEP_1286 : MCP_2026);
                    return lifecycleEngine.processDefinition().states().keySet().stream()
                            .map(state -> DynamicTest.dynamicTest(
                                    lifecycleEngine.processDefinition().name() + " " + state,
                                    () -> assertThat(twoYears(lifecycleEngine, state))
                                            .containsExactlyInAnyOrderElementsOf(expected(rows, state))));
                });
    }

    /** The actions in two years; an automatic move ends the state. */
    private static List<String> expected(List<Row> rows, String state) {
        long end = rows.stream()
                .filter(row -> row.state().equals(state) && row.what().equals("move"))
                .mapToLong(Row::days)
                .findFirst()
                .orElse(730);
        return rows.stream()
                .filter(row -> row.state().equals(state))
                .flatMap(row -> row.allDays()
                        .filter(day -> day < end || row.what().equals("move"))
                        .mapToObj(day -> day + " " + row.what()))
                .toList();
    }

    private static List<String> twoYears(LifecycleEngine lifecycleEngine, String state) {
        List<String> log = new ArrayList<>();
        SepScenario sepScenario = start(lifecycleEngine, state);
        for (int day = 0; day < 730; day++) {
            sepScenario = at(sepScenario, state, day);
            for (ClockAction clockAction : sepScenario.dueActions()) {
                log.add(day + " " + word(clockAction));
            }
            sepScenario = sepScenario.performDueActions();
        }
        return log;
    }

    private static Stream<DynamicTest> tests(LifecycleEngine lifecycleEngine, List<Row> rows) {
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.state() + " " + row.days() + " d " + row.what(), () -> {
                    SepScenario sepScenario = start(lifecycleEngine, row.state());
                    for (long day = 0; day < row.days(); day++) {
                        sepScenario = at(sepScenario, row.state(), day).performDueActions();
                    }
                    SepScenario then = at(sepScenario, row.state(), row.days());
                    assertThat(then.atInstant(then.now().minusSeconds(1)).dueActions())
                            .noneMatch(clockAction -> isOf(row, clockAction));
                    assertThat(then.dueActions())
                            .filteredOn(clockAction -> isOf(row, clockAction))
                            .singleElement()
                            .satisfies(clockAction ->
                                    assertThat(clockAction.text()).isEqualTo(row.says()));
                    SepScenario swept = then.performDueActions();
                    assertThat(swept.dueActions()).isEmpty();
                    assertThat(swept.atInstant(then.now().plusSeconds(86_400)).dueActions())
                            .noneMatch(clockAction -> isOf(row, clockAction));
                }));
    }

    private static boolean isOf(Row row, ClockAction clockAction) {
        return word(clockAction).equals(row.what()) && recipientsOf(clockAction).equals(row.recipients());
    }

    /** A SEP on its first day; a deferred one has its revisit date on the sixtieth day. */
    private static SepScenario start(LifecycleEngine lifecycleEngine, String state) {
        return state.equals("deferred")
                ? SepScenario.inState(lifecycleEngine, state, "Standards Track", new Evidence("revisit", "2026-03-06"))
                : SepScenario.inState(lifecycleEngine, state);
    }

    /** A revisit date begins at midnight; all other clocks count from the hour of their event. */
    private static SepScenario at(SepScenario sepScenario, String state, long day) {
        return sepScenario.atInstant(state.equals("deferred") ? midnight(day) : ShippedProcessFixtures.day(day));
    }

    private static Instant midnight(long day) {
        return Instant.parse("2026-01-05T00:00:00Z").plus(Duration.ofDays(day));
    }

    private static String word(ClockAction clockAction) {
        return switch (clockAction) {
            case ClockAction.Reminder _ -> "ping";
            case ClockAction.AutoMove _ -> "move";
            case ClockAction.Escalation _ -> "escalate";
            case ClockAction.RoleLapse _ -> "lapse";
        };
    }

    private static String recipientsOf(ClockAction clockAction) {
        return switch (clockAction) {
            case ClockAction.Reminder reminder ->
                String.join(
                        " ",
                        reminder.recipients().stream().map(Object::toString).toList());
            case ClockAction.AutoMove autoMove -> autoMove.to();
            case ClockAction.Escalation escalation -> escalation.role();
            case ClockAction.RoleLapse lapse -> lapse.person().login();
        };
    }

    private static List<Row> rows(String table) {
        return table.lines()
                .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
                .map(cells -> {
                    String[] days = cells.get(1).split("[+-]", -1);
                    return new Row(
                            cells.get(0),
                            Long.parseLong(days[0]),
                            days.length > 1 ? Long.parseLong(days[1]) : 0,
                            days.length > 2 ? Long.parseLong(days[2]) : Long.MAX_VALUE,
                            cells.get(2),
                            cells.get(3),
                            cells.get(4));
                })
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> whoeverMustActResetsTheirClockAndABystanderDoesNot() {
        record Case(LifecycleEngine lifecycleEngine, String state, int days, Actor acts) {}
        return Stream.of(
                        new Case(ShippedProcessFixtures.SEP_1286, "draft", 14, ShippedProcessFixtures.SAM),
                        new Case(ShippedProcessFixtures.SEP_1286, "provisional", 14, ShippedProcessFixtures.ADA),
                        new Case(ShippedProcessFixtures.SEP_1286, "prototyping", 14, ShippedProcessFixtures.ADA),
                        new Case(ShippedProcessFixtures.SEP_1286, "accepted", 30, ShippedProcessFixtures.ADA),
                        new Case(ShippedProcessFixtures.MCP_2026, "proposal", 90, ShippedProcessFixtures.ADA),
                        new Case(ShippedProcessFixtures.MCP_2026, "draft", 14, ShippedProcessFixtures.SAM),
                        new Case(ShippedProcessFixtures.MCP_2026, "in-review", 14, ShippedProcessFixtures.SAM),
                        new Case(ShippedProcessFixtures.MCP_2026, "accepted", 30, ShippedProcessFixtures.ADA))
                .map(each -> DynamicTest.dynamicTest(
                        each.lifecycleEngine().processDefinition().name() + " " + each.state(), () -> {
                            SepScenario sepScenario = SepScenario.inState(each.lifecycleEngine(), each.state());
                            Actor other = each.acts().equals(ShippedProcessFixtures.ADA)
                                    ? ShippedProcessFixtures.SAM
                                    : ShippedProcessFixtures.ADA;
                            SepScenario bystanders = sepScenario.onDay(10);
                            for (Actor actor : List.of(
                                    other,
                                    ShippedProcessFixtures.EVE,
                                    ShippedProcessFixtures.MO,
                                    ShippedProcessFixtures.CORA)) {
                                bystanders = bystanders.comment(actor);
                            }
                            assertThat(bystanders.onDay(each.days()).dueActions())
                                    .hasSize(1);
                            Actor shouting = new Actor(
                                    Actor.of(each.acts().person().login().toUpperCase(Locale.ROOT))
                                            .person(),
                                    each.acts().roles());
                            SepScenario acted = sepScenario.onDay(10).comment(shouting);
                            assertThat(acted.onDay(each.days() + 10)
                                            .atInstant(acted.onDay(each.days() + 10)
                                                    .now()
                                                    .minusSeconds(1))
                                            .dueActions())
                                    .isEmpty();
                            assertThat(acted.onDay(each.days() + 10).dueActions())
                                    .hasSize(1);
                        }));
    }

    @Test
    void aMaintainersResponseStopsTheFirstClockAndOtherActivityDoesNot() {
        SepScenario sepScenario =
                SepScenario.inState(ShippedProcessFixtures.SEP_1286, "proposal").onDay(13);
        assertThat(sepScenario
                        .comment(ShippedProcessFixtures.ADA)
                        .comment(ShippedProcessFixtures.EVE)
                        .onDay(14)
                        .dueActions())
                .hasSize(1);
        assertThat(sepScenario.comment(Actor.of("ADA", "maintainer")).onDay(14).dueActions())
                .as("an author who is a maintainer has not answered")
                .hasSize(1);
        assertThat(sepScenario.comment(ShippedProcessFixtures.MO).onDay(14).dueActions())
                .isEmpty();
        assertThat(sepScenario.comment(ShippedProcessFixtures.CORA).onDay(14).dueActions())
                .isEmpty();
        assertThat(sepScenario
                        .perform(new LifecycleCommand.Ask(
                                ShippedProcessFixtures.ADA, ShippedProcessFixtures.MO.person(), "Would you?"))
                        .onDay(14)
                        .dueActions())
                .as("being asked is no answer")
                .hasSize(1);
    }

    @Test
    void aProposalGoesDormantOnlyWhenItsAuthorHasBeenSilentForTwoWeeks() {
        SepScenario active = SepScenario.inState(ShippedProcessFixtures.SEP_1286, "proposal")
                .onDay(170)
                .comment(ShippedProcessFixtures.ADA);
        assertThat(active.onDay(180).dueActions()).noneMatch(ClockAction.AutoMove.class::isInstance);
        SepScenario threshold = active.onDay(184);
        assertThat(threshold.atInstant(threshold.now().minusSeconds(1)).dueActions())
                .noneMatch(ClockAction.AutoMove.class::isInstance);
        assertThat(threshold.performDueActions().state()).isEqualTo("dormant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"draft", "in-review", "accepted"})
    void aSepOfMcp2026WhoseSponsorLeftAsksTwoMaintainersForASponsor(String state) {
        SepScenario vacant = SepScenario.inState(ShippedProcessFixtures.MCP_2026, state)
                .onDay(10)
                .perform(new LifecycleCommand.StepDown(ShippedProcessFixtures.SAM, "sponsor"));
        assertThat(vacant.onDay(24).dueActions())
                .as("the reminders of a silent sponsor have ended")
                .isEmpty();
        assertThat(vacant.onDay(100).dueActions())
                .filteredOn(clockAction -> clockAction.clock().equals("vacancy")
                        && !recipientsOf(clockAction).contains("ada"))
                .singleElement()
                .satisfies(clockAction -> {
                    assertThat(recipientsOf(clockAction).split(" ")).hasSize(2);
                    assertThat(clockAction.text()).startsWith("The SEP has no sponsor. Sponsor it");
                });
        assertThat(vacant.onDay(100).dueActions())
                .anyMatch(clockAction -> recipientsOf(clockAction).equals("ada"));
    }

    @Test
    void aProposalOfMcp2026GoesDormantOnlyWhenItsAuthorHasBeenSilentForSixMonths() {
        SepScenario active = SepScenario.inState(ShippedProcessFixtures.MCP_2026, "proposal")
                .onDay(170)
                .comment(ShippedProcessFixtures.ADA)
                .onDay(340)
                .comment(ShippedProcessFixtures.MO);
        SepScenario threshold = active.onDay(350);
        assertThat(threshold.atInstant(threshold.now().minusSeconds(1)).dueActions())
                .noneMatch(ClockAction.AutoMove.class::isInstance);
        assertThat(threshold.performDueActions().state()).isEqualTo("dormant");
    }
}
