package dev.gavel.bench.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.suite.Plot.Bar;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** Figures, their targets, and how they come into the document. */
class SheetTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Sheet sheet = new Sheet(new PrintStream(printed, true, UTF_8));

    @Test
    void figuresArePrintedAsTheyCome() {
        sheet.part("speed");
        sheet.ratio("one", 0.701, Target.atLeast(0.65), "7 to 10");
        sheet.figure("two", 12.34, " KB", Target.atMost(10), "");
        sheet.ratio("three", 3, Target.none(), "");
        assertThat(printed.toString(UTF_8).lines())
                .endsWith(
                        "| one | **0.70** | at least 0.65 | met | 7 to 10 |",
                        "| two | **12.3 KB** | at most 10 KB | **missed** |  |",
                        "| three | **3** |  |  |  |");
        assertThat(Report.summary(sheet.figures().stream()
                        .filter(figure -> !figure.isMet())
                        .toList()))
                .isEqualTo("Missed: speed, two.");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.046, 0.05", "2, 2", "9.996, 10.00", "12.34, 12.3", "123.4, 123", "45678.9, '45,679'"})
    void numbersHaveTheDigitsTheyDeserve(double value, String text) {
        assertThat(Target.number(value)).isEqualTo(text);
    }

    @Test
    void theTableTakesThePlaceOfTheOneBeforeAndNothingElseIsTouched(@TempDir Path docs) throws IOException {
        Path document = docs.resolve(Report.DOCUMENT);
        Files.writeString(
                document,
                "# Title\n\n<!-- figures: written by ./gavel-bench -->\nold\n<!-- end of figures -->\n\nReasons.\n");
        sheet.ratio("one", 1, Target.none(), "");
        sheet.plot(new Plot("speed", "Speed", "the more the better", List.of(Bar.gavel("Gavel", 1, ""))));
        Report.write(docs, "A machine", sheet);
        String once = Files.readString(document);
        assertThat(once)
                .startsWith("# Title\n\n<!-- figures: written by ./gavel-bench -->\n\nA machine.\n\n| what |")
                .contains("| one | **1** |", "![Speed](benchmarks/speed.svg)", "Every target is met.")
                .endsWith("<!-- end of figures -->\n\nReasons.\n")
                .doesNotContain("old");
        Report.write(docs, "A machine", sheet);
        assertThat(Files.readString(document)).isEqualTo(once);
        assertThat(docs.resolve("benchmarks/speed.svg")).exists();
    }

    @Test
    void aDocumentWithoutAPlaceForFiguresIsLeftAlone(@TempDir Path docs) throws IOException {
        Files.writeString(docs.resolve(Report.DOCUMENT), "# Title\n");
        assertThatThrownBy(() -> Report.write(docs, "A machine", sheet)).hasMessageContaining("no place for figures");
        assertThat(docs.resolve(Report.DOCUMENT)).hasContent("# Title\n");
    }

    @Test
    void aPlotIsProperXml() throws Exception {
        Plot plot = new Plot(
                "x",
                "Fast & \"loud\"",
                "a < b",
                List.of(Bar.reference("relay <1>", 2, " ms"), Bar.gavel("Gavel", 1, "", 4), Bar.gavel("none", 0, "")));
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(plot.svg().getBytes(UTF_8)));
        assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(3);
        assertThat(svg.getElementsByTagName("line").getLength()).isEqualTo(1);
        assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("Fast & \"loud\"");
    }

    @Test
    void optionsAreRead(@TempDir Path docs) throws IOException {
        Files.writeString(docs.resolve(Report.DOCUMENT), "");
        List<String> parts = List.of("start", "memory");
        assertThat(SuiteOptions.parse(parts, "--docs", docs.toString()).docs()).contains(docs);
        assertThat(SuiteOptions.parse(parts, "--docs", docs.toString(), "--no-write")
                        .docs())
                .isEmpty();
        SuiteOptions some = SuiteOptions.parse(parts, "--only", "memory,start");
        assertThat(some.parts()).containsExactly("memory", "start");
        assertThat(some.docs()).as("a table with holes takes no other's place").isEmpty();
        assertThat(SuiteOptions.usage(parts)).contains("Parts: start, memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--only", "--only stars", "--docs /nowhere/at/all"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> SuiteOptions.parse(List.of("start"), line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
