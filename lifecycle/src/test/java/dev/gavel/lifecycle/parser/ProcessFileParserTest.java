package dev.gavel.lifecycle.parser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.yaml.FileProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessFileParserTest {
    private static final String CLUB = """
            process: club
            roles:
              cook: {held: one, proposer: yes}
              taster: {held: one, from: member, vacant: {member: Taste it.}}
              member: {}
              chief: {implies: member}
            attributes:
              course: {values: [soup, cake], otherwise: soup}
            evidence:
              photo: {is: link}
              day: {is: date}
              count: {is: tally}
            facts:
              salted: it is salted
            start: {to: pot, who: anyone}
            states:
              pot:
                status: it cooks.
                act: taster
                guidance: {taster: Taste it., chief: Help.}
              table:
                is: settled
                status: it is served.
              bin: {is: end, status: it was bad.}
            moves:
              - {from: pot, to: table, who: taster, needs: [photo]}
              - {from: pot, to: bin, who: [chief, system], needs: [count]}
            votes:
              pot: {who: chief, decides: [bin]}
            clocks:
              stir:
                in: pot
                from: must-act
                steps:
                  - {after: 1 d, ping: must-act}
                  - {after: 2 d, escalate: chief}
                  - {after: 3 d, move: bin}
            aliases:
              bowl: table
            """;

    /** A mistake put into the club's process file, and the problems reported for it. */
    record Mistake(String sentence, String right, String wrong, List<String> complaints) {
        static Mistake parse(String paragraph) {
            List<String> lines = paragraph.lines().toList();
            return new Mistake(
                    lines.getFirst(),
                    lines.get(1).substring(2).replace("\\n", "\n"),
                    lines.get(2).substring(2).replace("\\n", "\n"),
                    lines.stream()
                            .skip(3)
                            .map(line -> "club.yaml:" + line.substring(2))
                            .toList());
        }

        @Override
        public String toString() {
            return sentence;
        }
    }

    static Stream<Mistake> mistakes() throws IOException {
        return Stream.of(Files.readString(Path.of("src/test/resources/mistakes.txt"))
                        .split("\n\n", -1))
                .skip(1)
                .map(String::strip)
                .map(Mistake::parse);
    }

    private static List<String> complaints(String text) {
        return switch (ProcessFileParser.parse("club.yaml", text)) {
            case ProcessParseResult.Valid _ -> List.of();
            case ProcessParseResult.Invalid invalid ->
                invalid.problems().stream().map(FileProblem::toString).toList();
        };
    }

    @Test
    void aSoundProcessIsReadWithoutComplaint() {
        assertThat(complaints(CLUB)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void everyMistakeIsComplainedOfAtItsLine(Mistake mistake) {
        assertThat(CLUB).containsOnlyOnce(mistake.right());
        String text = CLUB.replace(mistake.right(), mistake.wrong());
        assertThat(complaints(text)).containsExactlyInAnyOrderElementsOf(mistake.complaints());
    }

    @Test
    void anEmptyFileIsComplainedOf() {
        assertThat(complaints("# nothing yet\n"))
                .containsExactly("club.yaml:1: the file is empty; a process needs roles, states and moves");
    }

    @Test
    void whatIsNoYamlIsComplainedOf() {
        assertThat(complaints("a: [")).singleElement().asString().startsWith("club.yaml:");
        assertThat(complaints("- just\n- a list\n")).first().asString().startsWith("club.yaml:1: expected a mapping");
    }

    @Test
    void sectionsMayStandInAnyOrder() {
        List<String> sections = Stream.of(CLUB.split("\n(?=[a-z])", -1))
                .map(section -> section.strip() + "\n")
                .toList();
        assertThat(complaints(String.join("", sections.reversed()))).isEmpty();
    }

    @Test
    void whatAFileLeavesOutHasItsDefault() {
        ProcessDefinition club =
                ((ProcessParseResult.Valid) ProcessFileParser.parse("club.yaml", CLUB)).processDefinition();
        assertThat(club.reminderCoolDown()).hasDays(14);
        assertThat(club.title("taster")).isEqualTo("the taster");
        assertThat(club.title("member")).isEqualTo("a member");
        assertThat(club.permissions().comment()).containsExactly("anyone");
        assertThat(club.permissions().edit()).containsExactly("cook");
    }

    @Test
    void aWordInADocumentMayMeanAnotherStateWhileARoleIsVacant() {
        ProcessDefinition club = ((ProcessParseResult.Valid)
                        ProcessFileParser.parse("club.yaml", CLUB + "  table: {state: pot, vacant: taster}\n"))
                .processDefinition();
        assertThat(club.resolveState("Table", role -> false)).contains("pot");
        assertThat(club.resolveState("Table", role -> true)).contains("table");
        assertThat(club.resolveState("BOWL", role -> false)).contains("table");
        assertThat(club.findState("Table")).contains("table");
        assertThat(club.findState("spoon")).isEmpty();
    }

    @Property(tries = 300)
    void aFileWithALineLostOrRepeatedIsReadOrComplainedOf(
            @ForAll @IntRange(max = 37) int line, @ForAll @IntRange(max = 37) int other, @ForAll boolean repeat) {
        List<String> lines = new ArrayList<>(CLUB.lines().toList());
        String removed = lines.remove(line);
        if (repeat) {
            lines.add(other, removed);
        }
        assertThat(complaints(String.join("\n", lines)))
                .allSatisfy(complaint -> assertThat(complaint).matches("(?s)club\\.yaml:\\d+: .+"));
    }

    @Property(tries = 300)
    void noPartOfAFileIsEverLeftOutWithoutComplaint(
            @ForAll @IntRange(max = 60) int which, @ForAll("nothings") String nothing) {
        List<MatchResult> values = Pattern.compile("(?<=: )(\\[[^]]*]|\\{[^}]*}|[a-z0-9-]+(?=[,}\\n]))")
                .matcher(CLUB)
                .results()
                .toList();
        MatchResult value = values.get(which % values.size());
        String text = CLUB.substring(0, value.start()) + nothing + CLUB.substring(value.end());
        if (ProcessFileParser.parse("club.yaml", text) instanceof ProcessParseResult.Valid(ProcessDefinition club)) {
            assertThat(club.roles()).hasSize(4);
            assertThat(club.evidence()).hasSize(3);
            assertThat(club.states()).hasSize(3);
            assertThat(club.moveDefinitions())
                    .hasSize(2)
                    .noneMatch(moveDefinition -> moveDefinition.from().isEmpty());
            assertThat(club.votes()).hasSize(1);
            assertThat(club.clockRules())
                    .singleElement()
                    .satisfies(clockRule -> assertThat(clockRule.steps()).hasSize(3));
        }
    }

    @Provide
    Arbitrary<String> nothings() {
        return Arbitraries.of("[]", "{}", "", "~", "''", "[[]]", "[{}]", "{a: b}");
    }
}
