package dev.gavel.bench.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.suite.BarChart.Bar;
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

/** Tests figures, their targets, and how they are written to the document. */
class SuiteResultsTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final SuiteResults suiteResults = new SuiteResults(new PrintStream(printed, true, UTF_8));

    @Test
    void figuresArePrintedAsTheyCome() {
        suiteResults.beginPart("speed");
        suiteResults.addRatio("one", 0.701, FigureTarget.atLeast(0.65), "7 to 10");
        suiteResults.addFigure("two", 12.34, " KB", FigureTarget.atMost(10), "");
        suiteResults.addRatio("three", 3, FigureTarget.none(), "");
        assertThat(printed.toString(UTF_8).lines())
                .endsWith(
                        "| one | **0.70** | at least 0.65 | met | 7 to 10 |",
                        "| two | **12.3 KB** | at most 10 KB | **missed** |  |",
                        "| three | **3** |  |  |  |");
        assertThat(BenchmarksDocumentWriter.summary(suiteResults.figures().stream()
                        .filter(figure -> !figure.meetsTarget())
                        .toList()))
                .isEqualTo("Missed targets: two (speed).");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.046, 0.05", "2, 2", "9.996, 10.00", "12.34, 12.3", "123.4, 123", "45678.9, '45,679'"})
    void numbersHaveTheDigitsTheyDeserve(double value, String text) {
        assertThat(FigureTarget.formatNumber(value)).isEqualTo(text);
    }

    @Test
    void theTableTakesThePlaceOfTheOneBeforeAndNothingElseIsTouched(@TempDir Path docs) throws IOException {
        Path document = docs.resolve(BenchmarksDocumentWriter.DOCUMENT);
        Files.writeString(
                document,
                "# Title\n\n<!-- figures: written by ./gavel-bench -->\nold\n<!-- end of figures -->\n\nReasons.\n");
        suiteResults.addRatio("one", 1, FigureTarget.none(), "");
        suiteResults.addChart(
                new BarChart("speed", "Speed", "the more the better", List.of(Bar.gavel("Gavel", 1, ""))));
        BenchmarksDocumentWriter.write(docs, "A machine", suiteResults);
        String once = Files.readString(document);
        assertThat(once)
                .startsWith("# Title\n\n<!-- figures: written by ./gavel-bench -->\n\nA machine.\n\n| Figure |")
                .contains("| one | **1** |", "![Speed](benchmarks/speed.svg)", "All targets are met.")
                .endsWith("<!-- end of figures -->\n\nReasons.\n")
                .doesNotContain("old");
        BenchmarksDocumentWriter.write(docs, "A machine", suiteResults);
        assertThat(Files.readString(document)).isEqualTo(once);
        assertThat(docs.resolve("benchmarks/speed.svg")).exists();
    }

    @Test
    void aDocumentWithoutAPlaceForFiguresIsLeftAlone(@TempDir Path docs) throws IOException {
        Files.writeString(docs.resolve(BenchmarksDocumentWriter.DOCUMENT), "# Title\n");
        assertThatThrownBy(() -> BenchmarksDocumentWriter.write(docs, "A machine", suiteResults))
                .hasMessageContaining("must contain the line '<!-- figures: written by ./gavel-bench -->'");
        assertThat(docs.resolve(BenchmarksDocumentWriter.DOCUMENT)).hasContent("# Title\n");
    }

    @Test
    void aPlotIsProperXml() throws Exception {
        BarChart barChart = new BarChart(
                "x",
                "Fast & \"loud\"",
                "a < b",
                List.of(Bar.reference("relay <1>", 2, " ms"), Bar.gavel("Gavel", 1, "", 4), Bar.gavel("none", 0, "")));
        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(barChart.toSvg().getBytes(UTF_8)));
        assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(3);
        assertThat(svg.getElementsByTagName("line").getLength()).isEqualTo(1);
        assertThat(svg.getElementsByTagName("text").item(0).getTextContent()).isEqualTo("Fast & \"loud\"");
    }

    @Test
    void optionsAreRead(@TempDir Path docs) throws IOException {
        Files.writeString(docs.resolve(BenchmarksDocumentWriter.DOCUMENT), "");
        List<String> parts = List.of("start", "memory");
        assertThat(BenchmarkSuiteOptions.parse(parts, "--docs", docs.toString()).docs())
                .contains(docs);
        assertThat(BenchmarkSuiteOptions.parse(parts, "--docs", docs.toString(), "--no-write")
                        .docs())
                .isEmpty();
        BenchmarkSuiteOptions some = BenchmarkSuiteOptions.parse(parts, "--only", "memory,start");
        assertThat(some.parts()).containsExactly("memory", "start");
        assertThat(some.docs()).as("a table with holes takes no other's place").isEmpty();
        assertThat(BenchmarkSuiteOptions.usage(parts)).contains("Parts: start, memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--only", "--only stars", "--docs /nowhere/at/all"})
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> BenchmarkSuiteOptions.parse(List.of("start"), line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
