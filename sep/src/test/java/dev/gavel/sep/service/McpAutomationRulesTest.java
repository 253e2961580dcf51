package dev.gavel.sep.service;

import static dev.gavel.sep.service.McpAutomationFixture.PROCESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.MoveDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.McpAutomationFixture.Case;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mirrors the test cases of the MCP project's automation about reminders, states and moves. The decision record 0098
 * describes each case in our words, under the same name.
 */
class McpAutomationRulesTest {
    /** The moves of the automation. */
    private static final Map<String, Set<String>> MOVES = Map.of(
            "proposal", Set.of("draft", "dormant"),
            "draft", Set.of("in-review", "dormant"),
            "in-review", Set.of("accepted", "draft", "dormant"),
            "accepted", Set.of("final", "dormant"),
            "final", Set.of(),
            "dormant", Set.of("proposal", "draft"));

    /** The moves that the decision record justifies in addition. */
    private static final Map<String, Set<String>> MORE_MOVES = Map.of(
            "proposal", Set.of("rejected", "withdrawn", "superseded"),
            "draft", Set.of("rejected", "withdrawn", "superseded"),
            "in-review", Set.of("rejected", "withdrawn", "superseded"),
            "accepted", Set.of("in-review", "superseded"),
            "final", Set.of("superseded"),
            "dormant", Set.of("withdrawn", "superseded"));

    @TempDir
    private Path directory;

    static final List<Case> CASES = List.of(
            Case.of("ping 1", gavel -> {
                int number = finalSep(gavel);
                SepResult.Refused refused = gavel.refuse("bob", SepOperation.MOVE, number, "to", "dormant");
                assertThat(refused.code()).isEqualTo("no-such-move");
                assertThat(refused.message()).contains("`final`", "`dormant`", "`superseded`");
                gavel.advanceDays(200);
                assertThat(gavel.sweep()).isEmpty();
                assertThat(gavel.state(number)).isEqualTo("final");
            }),
            Case.of("ping 2", gavel -> {
                int number = gavel.proposal();
                gavel.advanceDays(200);
                assertThat(gavel.sweep())
                        .extracting(McpAutomationRulesTest::action)
                        .containsExactly("move dormant");
                assertThat(gavel.state(number)).isEqualTo("dormant");
                assertThat(mustAct(gavel, number)).isEmpty();
            }),
            Case.of("ping 3", gavel -> {
                int number = gavel.draft();
                gavel.advanceDays(200);
                assertThat(gavel.sweep())
                        .extracting(McpAutomationRulesTest::action)
                        .containsExactly("ping bob");
                gavel.execute("bob", SepOperation.MOVE, number, "to", "dormant", "reason", "the work has stopped");
                assertThat(gavel.state(number)).isEqualTo("dormant");
            }),
            Case.of("ping 4", gavel -> {
                int number = gavel.proposal();
                int events = gavel.history(number).size();
                gavel.advanceDays(200);
                gavel.sweep();
                assertThat(gavel.history(number))
                        .hasSize(events + 1)
                        .last()
                        .isEqualTo("Moved automatically from proposal to dormant.");
                assertThat(gavel.execute("erin", SepOperation.EXPORT, number)
                                .at("document")
                                .text())
                        .containsOnlyOnce("**Status**")
                        .contains("- **Status**: Dormant\n");
            }),
            Case.of("ping 5", gavel -> {
                int number = gavel.proposal();
                gavel.advanceDays(200);
                assertThat(gavel.sweepDry())
                        .extracting(McpAutomationRulesTest::action)
                        .containsExactly("move dormant");
                assertThat(gavel.state(number)).isEqualTo("proposal");
                assertThat(gavel.history(number)).hasSize(1);
            }),
            Case.of("ping 6", gavel -> {
                gavel.proposal();
                gavel.advanceDays(95);
                assertThat(gavel.sweep())
                        .extracting(McpAutomationRulesTest::action)
                        .containsExactly("ping alice");
            }),
            Case.of("ping 7", gavel -> {
                gavel.draft();
                gavel.advanceDays(95);
                assertThat(gavel.sweep()).singleElement().satisfies(due -> {
                    assertThat(action(due)).isEqualTo("ping bob");
                    assertThat(due.at("says").text()).contains("90 days");
                });
            }),
            Case.of("ping 8", gavel -> {
                gavel.draft();
                gavel.advanceDays(20);
                assertThat(gavel.sweep()).singleElement().satisfies(due -> {
                    assertThat(action(due)).isEqualTo("ping bob");
                    assertThat(due.at("says").text()).contains("14 days");
                });
            }),
            Case.of("ping 9", gavel -> {
                int number = gavel.draft();
                List<String> before = gavel.history(number);
                gavel.advanceDays(20);
                assertThat(gavel.sweepDry())
                        .extracting(McpAutomationRulesTest::action)
                        .containsExactly("ping bob");
                assertThat(gavel.history(number)).isEqualTo(before);
            }),
            Case.of(
                    "sep-types 1",
                    _ -> assertThat(MOVES.keySet())
                            .allSatisfy(state ->
                                    assertThat(PROCESS.findState(state)).contains(state))),
            Case.of(
                    "sep-types 2",
                    _ -> assertThat(List.of("bug", "enhancement", "SEP", ""))
                            .allSatisfy(
                                    word -> assertThat(PROCESS.findState(word)).isEmpty())),
            Case.of("sep-types 3", gavel -> {
                assertThat(imported(gavel, "- **Status**: Proposal")).isEqualTo("proposal");
                assertThat(imported(gavel, "- **Status**: `draft`\n- **Sponsor**: @bob"))
                        .isEqualTo("draft");
                assertThat(imported(gavel, "- **Status**: Accepted\n- **Sponsor**: @bob"))
                        .isEqualTo("accepted");
            }),
            Case.of("sep-types 4", gavel -> {
                assertThat(imported(gavel, "- **Status**: bug")).isEqualTo("proposal");
                assertThat(imported(gavel, "- **Created**: 2026-01-05")).isEqualTo("proposal");
            }),
            Case.of(
                    "sep-types 5",
                    gavel -> assertThat(imported(gavel, "- **Status**: Accepted\n- **Status**: Dormant"))
                            .isEqualTo("accepted")),
            Case.of("sep-types 6", _ -> assertThat(targets("proposal")).contains("draft", "dormant")),
            Case.of("sep-types 7", _ -> assertThat(targets("draft")).contains("in-review", "dormant")),
            Case.of("sep-types 8", _ -> assertThat(targets("final")).containsExactly("superseded")),
            Case.of("sep-types 9", _ -> assertThat(targets("dormant")).contains("proposal", "draft")),
            Case.of("transition 1", gavel -> {
                int number = gavel.draft();
                assertThat(gavel.state(number)).isEqualTo("draft");
                gavel.execute("bob", SepOperation.MOVE, number, "to", "in-review");
                assertThat(gavel.state(number)).isEqualTo("in-review");
            }),
            Case.of("transition 2", gavel -> {
                int number = gavel.proposal();
                assertThat(gavel.refuse("carol", SepOperation.MOVE, number, "to", "final")
                                .message())
                        .startsWith("Cannot move from `proposal` to `final`. Possible moves from `proposal`: ");
            }),
            Case.of(
                    "transition 3",
                    gavel -> assertThat(gavel.state(gavel.proposal())).isEqualTo("proposal")),
            Case.of("transition 4", gavel -> {
                int number = gavel.draft();
                List<String> before = gavel.history(number);
                Json move = gavel.execute("bob", SepOperation.EXPLAIN, number, "to", "in-review")
                        .at("moves")
                        .elements()
                        .getFirst();
                assertThat(move.at("possible").isTrue()).isTrue();
                assertThat(gavel.state(number)).isEqualTo("draft");
                assertThat(gavel.history(number)).isEqualTo(before);
            }),
            Case.of("transition 5", gavel -> {
                int number = gavel.proposal();
                Json result = gavel.execute("bob", SepOperation.SPONSOR, number);
                assertThat(result.at("status").text()).isEqualTo("draft");
                assertThat(result.at("sponsor").text()).isEqualTo("bob");
                assertThat(gavel.history(number)).contains("Bob moved the SEP from proposal to draft.");
            }),
            Case.of("transition 6", gavel -> {
                int number = gavel.proposal();
                List<String> before = gavel.history(number);
                assertThat(gavel.refuse("bob", SepOperation.MOVE, number, "to", "final")
                                .code())
                        .isEqualTo("no-such-move");
                assertThat(gavel.history(number)).isEqualTo(before);
            }));

    @TestFactory
    Stream<DynamicTest> theCasesOfTheAutomation() {
        return McpAutomationFixture.tests(CASES, directory);
    }

    @Test
    void allCasesOfTheAutomationAreMirroredOrJustifiedInTheDecisionRecord() {
        List<McpAutomationFixture.RecordedCase> recorded = McpAutomationFixture.recordedCases();
        assertThat(recorded)
                .extracting(McpAutomationFixture.RecordedCase::name)
                .containsExactlyInAnyOrderElementsOf(McpAutomationFixture.CASES_BY_FILE.entrySet().stream()
                        .flatMap(file -> Stream.iterate(1, number -> number + 1)
                                .limit(file.getValue())
                                .map(number -> file.getKey() + " " + number))
                        .toList())
                .hasSize(39);
        assertThat(Stream.concat(CASES.stream(), McpAutomationMessagesTest.CASES.stream())
                        .map(Case::name))
                .containsExactlyInAnyOrderElementsOf(recorded.stream()
                        .filter(McpAutomationFixture.RecordedCase::isMirrored)
                        .map(McpAutomationFixture.RecordedCase::name)
                        .toList());
    }

    @Test
    void theProcessHasTheMovesOfTheAutomationAndThoseThatTheDecisionRecordJustifies() {
        assertThat(MOVES.keySet().stream().collect(Collectors.toMap(state -> state, McpAutomationRulesTest::targets)))
                .isEqualTo(MOVES.keySet().stream().collect(Collectors.toMap(state -> state, state -> {
                    Set<String> targets = new TreeSet<>(MOVES.get(state));
                    targets.addAll(MORE_MOVES.get(state));
                    return targets;
                })));
    }

    @Test
    void anImportedProposalWithASponsorIsADraft() {
        try (McpAutomationFixture gavel = new McpAutomationFixture(directory)) {
            assertThat(imported(gavel, "- **Status**: Proposal\n- **Sponsor**: @bob"))
                    .isEqualTo("draft");
            assertThat(imported(gavel, "- **Status**: Proposal\n- **Sponsor**: @erin"))
                    .as("Erin is not a maintainer")
                    .isEqualTo("proposal");
            assertThat(imported(gavel, "- **Status**: Proposal\n- **Author(s)**: @bob\n- **Sponsor**: @bob"))
                    .as("Bob is the author")
                    .isEqualTo("proposal");
            assertThat(imported(gavel, "- **Status**: Dormant\n- **Sponsor**: @bob"))
                    .isEqualTo("dormant");
        }
    }

    @Test
    void anOldProposalThatIsImportedBecomesDormantAfterItsTimeHere() {
        try (McpAutomationFixture gavel = new McpAutomationFixture(directory)) {
            imported(gavel, "- **Status**: Proposal\n- **Created**: 2024-02-29\n- **Author(s)**: @alice-writes");
            assertThat(gavel.sweepDaily(89)).isEmpty();
            assertThat(gavel.sweepDaily(91))
                    .extracting(McpAutomationRulesTest::action)
                    .contains("ping alice")
                    .endsWith("move dormant");
        }
    }

    private static Set<String> targets(String state) {
        return PROCESS.movesFrom(state).stream().map(MoveDefinition::to).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The kind of an action, and its recipients or target state. */
    private static String action(Json due) {
        return due.at("kind").text() + " "
                + (due.at("to").isPresent()
                        ? due.at("to").text()
                        : String.join(" ", due.at("whom").texts()));
    }

    private static List<Json> mustAct(McpAutomationFixture gavel, int number) {
        return gavel.execute("erin", SepOperation.NEXT, number).at("mustAct").elements();
    }

    /** Imports a document with these lines in its preamble, and returns its state. */
    private static String imported(McpAutomationFixture gavel, String preamble) {
        String document = SepServiceFixture.document("On " + preamble.hashCode());
        return gavel.importDocument(document.replace("- **Status**: Draft", preamble))
                .at("status")
                .text();
    }

    private static int finalSep(McpAutomationFixture gavel) {
        return (int) gavel.importDocument(
                        SepServiceFixture.document("Done", "**Sponsor**: @bob").replace("Draft", "Final"))
                .at("number")
                .asLong(0);
    }
}
