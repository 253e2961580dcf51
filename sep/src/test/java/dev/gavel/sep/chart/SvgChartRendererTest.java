package dev.gavel.sep.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgChartRendererTest {
    private static final Chart.Bars BARS = new Chart.Bars(
            "Days",
            "a 3, b 1",
            List.of("half", "most"),
            List.of(new Chart.Row("a", List.of(3.0, 1.0), "3 d"), new Chart.Row("b", List.of(1.0, 0.0), "1 d")));

    private static final Chart.Columns COLUMNS = new Chart.Columns(
            "Months",
            "two",
            List.of("2026-01", "2026-02"),
            List.of(new Chart.Series("in", List.of(2.0, 4.0)), new Chart.Series("out", List.of(1.0, 0.0))));

    private static final Chart.Steps STEPS =
            new Chart.Steps("Open", "two", List.of("a", "b"), List.of(new Chart.Series("open", List.of(0.0, 4.0))));

    private static Document read(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> all(Document svg, String name) {
        NodeList found = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        IntStream.range(0, found.getLength()).forEach(i -> elements.add((Element) found.item(i)));
        return elements;
    }

    @Test
    void aChartIsAnImageWithANameForThoseWhoDoNotSeeIt() throws Exception {
        for (Chart chart : List.of(BARS, COLUMNS, STEPS)) {
            Document svg = read(SvgChartRenderer.inline(chart, "c1"));
            Element root = svg.getDocumentElement();
            assertThat(root.getAttribute("role")).isEqualTo("img");
            assertThat(root.getAttribute("aria-labelledby")).isEqualTo("c1-title c1-desc");
            assertThat(all(svg, "title").getFirst().getTextContent()).isEqualTo(chart.title());
            assertThat(all(svg, "desc").getFirst().getTextContent()).isEqualTo(chart.description());
            assertThat(all(svg, "script")).isEmpty();
            assertThat(all(svg, "style")).isEmpty();
        }
    }

    @Test
    void barsAreAsLongAsTheirValues() throws Exception {
        List<Double> widths = all(read(SvgChartRenderer.inline(BARS, "c")), "rect").stream()
                .skip(2) // rectangles of the legend
                .map(rect -> Double.parseDouble(rect.getAttribute("width")))
                .toList();
        assertThat(widths).hasSize(3);
        assertThat(widths.get(0)).isCloseTo(3 * widths.get(1), within(0.2));
        assertThat(widths.get(1)).isEqualTo(widths.get(2));
    }

    @Test
    void columnsOfALabelStandSideBySideOnTheSameGround() throws Exception {
        List<Element> rects = all(read(SvgChartRenderer.inline(COLUMNS, "c")), "rect");
        Element one = rects.get(2);
        Element other = rects.get(3);
        assertThat(number(other, "x")).isCloseTo(number(one, "x") + number(one, "width"), within(0.2));
        assertThat(number(one, "y") + number(one, "height"))
                .isCloseTo(number(other, "y") + number(other, "height"), within(0.2));
        assertThat(number(one, "height")).isCloseTo(2 * number(other, "height"), within(0.2));
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void stepsGoAlongAndThenUp() throws Exception {
        assertThat(all(read(SvgChartRenderer.inline(STEPS, "c")), "path")
                        .getLast()
                        .getAttribute("d"))
                .matches("M34 158H227V8H420");
    }

    @Test
    void textOfOthersStaysText() throws Exception {
        String evil = "</text><script>alert(1)</script>\"'&\u0000\u202e\uD800]]>";
        Chart chart = new Chart.Bars(
                evil, evil, List.of("one", evil), List.of(new Chart.Row("<b>", List.of(1.0, 1.0), "&amp;")));
        for (String svg : List.of(SvgChartRenderer.inline(chart, "c"), SvgChartRenderer.document(chart))) {
            Document read = read(svg);
            assertThat(all(read, "script")).isEmpty();
            assertThat(all(read, "title").getFirst().getTextContent()).contains("<script>alert(1)</script>\"'&");
            assertThat(svg).doesNotContain("\u202e");
        }
    }

    @Test
    void aDocumentOfItsOwnHasItsColours() throws Exception {
        Document svg = read(SvgChartRenderer.document(COLUMNS));
        assertThat(svg.getDocumentElement().getAttribute("xmlns")).isEqualTo("http://www.w3.org/2000/svg");
        assertThat(all(svg, "style").getFirst().getTextContent()).contains("prefers-color-scheme:dark");
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "1, 1, 1", "3, 3, 1", "4, 4, 1", "5, 6, 2", "37, 40, 10", "100, 100, 50", "430, 600, 200"})
    void aScaleEndsAtANumberPeopleCountBy(double most, double top, double step) {
        assertThat(AxisScale.upTo(most)).isEqualTo(new AxisScale(top, step));
    }

    @Test
    void lengthsThatCannotBeDrawnAreRefused() {
        for (double value : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new Chart.Series("a", List.of(value))).hasMessageContaining("not " + value);
        }
        assertThatThrownBy(() -> new Chart.Columns("a", "b", List.of("x"), List.of(new Chart.Series("c", List.of()))))
                .hasMessage("'c' has 0 values instead of 1");
    }
}
