package dev.gavel.lifecycle.shipped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.Command;
import dev.gavel.lifecycle.Due;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every row of the clocks of both processes, exactly at and one second before each threshold, judged by tables written
 * down here as the document has them: state | days | what | whom or where to | what it says.
 */
class EveryClockTest {
    private static final String SEP_1286 = """
            proposal | 14 | ping | sam mo cora carl cleo chet | Nobody has answered yet. Read the Abstract and Motivation, and sponsor it or say what is missing.
            proposal | 90 | ping | ada | Ask a maintainer to sponsor it, and answer what they ask; ada will be reminded on 2026-06-20.
            proposal | 166 | ping | ada | It goes dormant on 2026-07-04 unless somebody sponsors it. Ask a maintainer to sponsor it, and answer what they ask; it goes dormant on 2026-07-04.
            proposal | 180 | move | dormant | it goes dormant
            draft | 14 | ping | sam | Bring the goals to a high-level review and link its outcome.
            draft | 90 | escalate | core-maintainer | See whether sam needs help, or another sponsor.
            provisional | 14 | ping | ada | Complete every section of the document, link your prototype if you have one, and say that it is ready by attaching 'ready' with a word about it.
            provisional | 90 | escalate | core-maintainer | See whether ada and sam need help.
            prototyping | 14 | ping | ada | Gather feedback on the prototype, complete the document, and say that it is ready by attaching 'ready' with a word about it.
            prototyping | 90 | escalate | core-maintainer | See whether ada and sam need help.
            in-review | 28 | ping | cora carl cleo chet | Vote, or raise a concern with its reason.
            deferred | 60 | ping | sam | Take it back to review when the date has come or the trigger is met.
            accepted | 30 | ping | ada | Complete the reference implementation and link it; once it is linked, see that sam moves it to final.
            """;

    private static final String MCP_2026 = """
            proposal | 14 | ping | sam mo cora carl cleo chet | Nobody has answered yet. Read the Abstract and Motivation, and sponsor it or say what is missing.
            proposal | 90 | ping | ada | It goes dormant on 2026-07-04 unless somebody sponsors it. Ask a maintainer to sponsor it, and answer what they ask; it goes dormant on 2026-07-04.
            proposal | 180 | move | dormant | it goes dormant
            draft | 90 | ping | sam | Help ada to complete every section, review the document, and move it to in-review.
            accepted | 30 | ping | ada | Complete the reference implementation and link it; once it is linked, see that sam moves it to final.
            """;

    /** A line of the table. */
    private record Row(String state, long days, String what, String whom, String says) {}

    @TestFactory
    Stream<DynamicTest> everyClockOfSep1286() {
        return tests(Shipped.SEP_1286, rows(SEP_1286));
    }

    @TestFactory
    Stream<DynamicTest> everyClockOfMcp2026() {
        return tests(Shipped.MCP_2026, rows(MCP_2026));
    }

    @TestFactory
    Stream<DynamicTest> nothingElseIsEverDue() {
        return Stream.of(Shipped.SEP_1286, Shipped.MCP_2026).flatMap(lifecycle -> {
            List<Row> rows = rows(lifecycle.equals(Shipped.SEP_1286) ? SEP_1286 : MCP_2026);
            return lifecycle.process().states().keySet().stream()
                    .map(state -> DynamicTest.dynamicTest(
                            lifecycle.process().name() + " " + state,
                            () -> assertThat(twoYears(lifecycle, state))
                                    .isEqualTo(rows.stream()
                                            .filter(row -> row.state().equals(state))
                                            .map(row -> row.days() + " " + row.what())
                                            .toList())));
        });
    }

    private static List<String> twoYears(Lifecycle lifecycle, String state) {
        List<String> log = new ArrayList<>();
        Tale tale = start(lifecycle, state);
        for (int day = 0; day < 730; day++) {
            tale = at(tale, state, day);
            for (Due due : tale.due()) {
                log.add(day + " " + word(due));
            }
            tale = tale.sweep();
        }
        return log;
    }

    private static Stream<DynamicTest> tests(Lifecycle lifecycle, List<Row> rows) {
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(row.state() + " " + row.days() + " d " + row.what(), () -> {
                    Tale tale = start(lifecycle, row.state());
                    for (Row earlier : rows) {
                        if (earlier.state().equals(row.state()) && earlier.days() < row.days()) {
                            tale = at(tale, row.state(), earlier.days()).sweep();
                        }
                    }
                    Tale then = at(tale, row.state(), row.days());
                    assertThat(then.at(then.now().minusSeconds(1)).due()).isEmpty();
                    assertThat(then.due()).singleElement().satisfies(due -> {
                        assertThat(word(due)).isEqualTo(row.what());
                        assertThat(whom(due)).isEqualTo(row.whom());
                        assertThat(due.text()).isEqualTo(row.says());
                    });
                    Tale swept = then.sweep();
                    assertThat(swept.due()).isEmpty();
                    assertThat(swept.at(then.now().plusSeconds(86_400)).due()).isEmpty();
                }));
    }

    /** The first day; a deferred SEP is to be revisited on the sixtieth day. */
    private static Tale start(Lifecycle lifecycle, String state) {
        return state.equals("deferred")
                ? Tale.in(lifecycle, state, "Standards Track", new Evidence("revisit", "2026-03-06"))
                : Tale.in(lifecycle, state);
    }

    /** A date to revisit begins at midnight; all else counts from the hour it happened. */
    private static Tale at(Tale tale, String state, long day) {
        return tale.at(state.equals("deferred") ? midnight(day) : Shipped.day(day));
    }

    private static Instant midnight(long day) {
        return Instant.parse("2026-01-05T00:00:00Z").plus(Duration.ofDays(day));
    }

    private static String word(Due due) {
        return switch (due) {
            case Due.Ping _ -> "ping";
            case Due.Go _ -> "move";
            case Due.Escalation _ -> "escalate";
        };
    }

    private static String whom(Due due) {
        return switch (due) {
            case Due.Ping ping ->
                String.join(" ", ping.whom().stream().map(Object::toString).toList());
            case Due.Go go -> go.to();
            case Due.Escalation escalation -> escalation.role();
        };
    }

    private static List<Row> rows(String table) {
        return table.lines()
                .map(line -> Arrays.stream(line.split("\\|")).map(String::strip).toList())
                .map(cells ->
                        new Row(cells.get(0), Long.parseLong(cells.get(1)), cells.get(2), cells.get(3), cells.get(4)))
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> whoeverMustActResetsTheirClockAndABystanderDoesNot() {
        record Case(Lifecycle lifecycle, String state, int days, Actor acts) {}
        return Stream.of(
                        new Case(Shipped.SEP_1286, "draft", 14, Shipped.SAM),
                        new Case(Shipped.SEP_1286, "provisional", 14, Shipped.ADA),
                        new Case(Shipped.SEP_1286, "prototyping", 14, Shipped.ADA),
                        new Case(Shipped.SEP_1286, "accepted", 30, Shipped.ADA),
                        new Case(Shipped.MCP_2026, "draft", 90, Shipped.SAM),
                        new Case(Shipped.MCP_2026, "accepted", 30, Shipped.ADA))
                .map(each -> DynamicTest.dynamicTest(each.lifecycle().process().name() + " " + each.state(), () -> {
                    Tale tale = Tale.in(each.lifecycle(), each.state());
                    Actor other = each.acts().equals(Shipped.ADA) ? Shipped.SAM : Shipped.ADA;
                    Tale bystanders = tale.on(10);
                    for (Actor actor : List.of(other, Shipped.EVE, Shipped.MO, Shipped.CORA)) {
                        bystanders = bystanders.says(actor);
                    }
                    assertThat(bystanders.on(each.days()).due()).hasSize(1);
                    Actor shouting = new Actor(
                            Actor.of(each.acts().person().login().toUpperCase(Locale.ROOT))
                                    .person(),
                            each.acts().roles());
                    Tale acted = tale.on(10).says(shouting);
                    assertThat(acted.on(each.days() + 10)
                                    .at(acted.on(each.days() + 10).now().minusSeconds(1))
                                    .due())
                            .isEmpty();
                    assertThat(acted.on(each.days() + 10).due()).hasSize(1);
                }));
    }

    @TestFactory
    Stream<DynamicTest> aMaintainersResponseStopsTheFirstClockAndNobodyElsesDoes() {
        return Stream.of(Shipped.SEP_1286, Shipped.MCP_2026)
                .map(lifecycle -> DynamicTest.dynamicTest(lifecycle.process().name(), () -> {
                    Tale tale = Tale.in(lifecycle, "proposal").on(13);
                    assertThat(tale.says(Shipped.ADA).says(Shipped.EVE).on(14).due())
                            .hasSize(1);
                    assertThat(tale.says(Actor.of("ADA", "maintainer")).on(14).due())
                            .as("an author who is a maintainer has not answered")
                            .hasSize(1);
                    assertThat(tale.says(Shipped.MO).on(14).due()).isEmpty();
                    assertThat(tale.says(Shipped.CORA).on(14).due()).isEmpty();
                    assertThat(tale.does(new Command.Ask(Shipped.ADA, Shipped.MO.person(), "Would you?"))
                                    .on(14)
                                    .due())
                            .as("being asked is no answer")
                            .hasSize(1);
                }));
    }

    @TestFactory
    Stream<DynamicTest> aProposalGoesDormantOnlyWhenItsAuthorHasBeenSilentForTwoWeeks() {
        return Stream.of(Shipped.SEP_1286, Shipped.MCP_2026)
                .map(lifecycle -> DynamicTest.dynamicTest(lifecycle.process().name(), () -> {
                    Tale active = Tale.in(lifecycle, "proposal").on(170).says(Shipped.ADA);
                    assertThat(active.on(180).due()).noneMatch(Due.Go.class::isInstance);
                    Tale threshold = active.on(184);
                    assertThat(threshold.at(threshold.now().minusSeconds(1)).due())
                            .noneMatch(Due.Go.class::isInstance);
                    assertThat(threshold.sweep().state()).isEqualTo("dormant");
                }));
    }
}
