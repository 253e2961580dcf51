package dev.gavel.sep.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProcessChangeCheckTest {
    private static final ProcessDefinition OLD = read("sep-1286", text -> text);
    private static final ProcessDefinition NEW = read("mcp-2026", text -> text);

    private static ProcessDefinition read(String name, Function<String, String> change) {
        try {
            String text = Files.readString(Path.of("../processes/" + name + ".yaml"));
            return switch (ProcessFileParser.parse(name + ".yaml", change.apply(text))) {
                case ProcessParseResult.Valid valid -> valid.processDefinition();
                case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
            };
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Function<String, List<Integer>> seps(Map<String, List<Integer>> byState) {
        return state -> byState.getOrDefault(state, List.of());
    }

    @Test
    void aProcessThatKeepsEveryStateProposalsAreInMayTakeTheOthersPlace() {
        assertThat(ProcessChangeCheck.objection(
                        AdoptedProcessRecord.of(OLD), NEW, seps(Map.of("draft", List.of(7), "final", List.of(1, 2)))))
                .isEmpty();
        assertThat(ProcessChangeCheck.objection(
                        AdoptedProcessRecord.of(OLD), OLD, seps(Map.of("provisional", List.of(7)))))
                .isEmpty();
        assertThat(ProcessChangeCheck.objection(AdoptedProcessRecord.of(OLD), NEW, seps(Map.of())))
                .isEmpty();
    }

    @Test
    void aStateThatDisappearsIsRefusedWithTheProposalsInIt() {
        assertThat(ProcessChangeCheck.objection(
                        AdoptedProcessRecord.of(OLD),
                        NEW,
                        seps(Map.of("provisional", List.of(40, 12, 15), "deferred", List.of(9), "draft", List.of(3)))))
                .contains(
                        "The process 'mcp-2026' cannot replace 'sep-1286': it has no state 'provisional', but SEPs 12,"
                                + " 15 and 40 are in this state; it has no state 'deferred', but SEP 9 is in this"
                                + " state. Keep these states and roles in the new file, or use the old file until you"
                                + " have moved the SEPs to other states.");
    }

    @Test
    void aLongListIsCut() {
        List<Integer> many = IntStream.rangeClosed(1, 32).boxed().toList();
        assertThat(ProcessChangeCheck.objection(AdoptedProcessRecord.of(OLD), NEW, seps(Map.of("prototyping", many))))
                .hasValueSatisfying(text -> assertThat(text).contains("SEPs 1, 2, 3,", "19, 20 and 12 more are"));
    }

    @Test
    void aRoleSomebodyMayHoldCannotDisappearUnderThem() {
        ProcessDefinition renamed = read(
                "mcp-2026",
                text -> text.replace("successor-sponsor", "successor-shepherd")
                        .replaceAll("\\bsponsor\\b(?=[:,}\\]\\n])", "shepherd")
                        .replace("{sponsor}", "{shepherd}"));
        assertThat(renamed.findProposalRole("sponsor")).isEmpty();
        assertThat(ProcessChangeCheck.objection(
                        AdoptedProcessRecord.of(NEW), renamed, seps(Map.of("draft", List.of(4)))))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains("it has no role 'sponsor' that people hold in a proposal, but people hold this role"
                                + " now"));
        assertThat(ProcessChangeCheck.objection(AdoptedProcessRecord.of(NEW), renamed, seps(Map.of())))
                .as("nobody holds it where there is no proposal")
                .isEmpty();
    }

    @Test
    void whatIsKeptIsReadAgain() {
        AdoptedProcessRecord adoptedProcessRecord = AdoptedProcessRecord.of(OLD);
        assertThat(adoptedProcessRecord.heldRoles()).containsExactly("author", "sponsor");
        assertThat(AdoptedProcessRecord.of(
                        Json.parse(adoptedProcessRecord.toJson().raw()).orElseThrow()))
                .contains(adoptedProcessRecord);
        assertThat(AdoptedProcessRecord.of(Json.object())).isEmpty();
        assertThat(AdoptedProcessRecord.of(Json.of(7))).isEmpty();
    }
}
