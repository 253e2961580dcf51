package dev.gavel.app.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.PrometheusPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests the dashboard against a real server's metrics: a panel of a missing metric would stay empty forever. */
class DashboardTest {
    private static final Pattern SELECTOR = Pattern.compile("((?:gavel|process|jvm)_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("(\\w+)(?:=~|!~|!=|=)\"");
    private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");

    /** The labels that Prometheus adds. */
    private static final Set<String> ADDED = Set.of("job", "instance");

    @TempDir
    private Path data;

    private static JsonNode dashboard() throws IOException {
        return TestEnvelope.JSON.readTree(Files.readString(Path.of("..", "deploy", "grafana", "gavel.json")));
    }

    private static List<String> expressions() throws IOException {
        return dashboard().findValues("expr").stream().map(JsonNode::asString).toList();
    }

    /** Reads the metrics of a server on which everything that is counted has happened once. */
    private PrometheusPage scrape() throws IOException, InterruptedException {
        try (TestTopic testTopic = new TestTopic(data)) {
            testTopic.get("mallory", "/topics/ops");
            testTopic.post("helper", TestEnvelope.proposal("p-1"));
            return new PrometheusPage(testTopic.text("/metrics"));
        }
    }

    @Test
    void everyExpressionAsksForMetricsAndLabelsThatThereAre() throws Exception {
        PrometheusPage prometheusPage = scrape();

        assertThat(expressions()).hasSizeGreaterThan(20).allSatisfy(expression -> {
            Set<String> labels = new TreeSet<>(ADDED);
            for (MatchResult selector : SELECTOR.matcher(expression).results().toList()) {
                String name = selector.group(1);
                assertThat(prometheusPage.samples().keySet())
                        .as(expression)
                        .anyMatch(sample -> sample.replaceFirst("\\{.*", "").equals(name));
                assertThat(selector.group(2)).as("which job? " + expression).contains("job=~\"$job\"");
                labels.addAll(prometheusPage.labels(name));
                assertThat(LABEL.matcher(selector.group(2)).results().map(label -> label.group(1)))
                        .as(expression)
                        .isSubsetOf(labels);
            }
            assertThat(BY.matcher(expression)
                            .results()
                            .flatMap(by -> Arrays.stream(by.group(1).split(", ", -1))))
                    .as(expression)
                    .isSubsetOf(labels);
        });
    }

    @Test
    void whatGavelCountsIsShown() throws Exception {
        String all = String.join("\n", expressions());
        Set<String> counted = new TreeSet<>();
        for (String sample : scrape().samples().keySet()) {
            String name = sample.replaceFirst("\\{.*", "");
            if (name.startsWith("gavel_")) {
                counted.add(name.replaceFirst("_(bucket|sum|count)$", ""));
            }
        }
        counted.remove("gavel_build_info");

        assertThat(counted).hasSizeGreaterThan(15).allMatch(all::contains);
    }

    @Test
    void panelsHaveIdsOfTheirOwnAndDoNotOverlap() throws Exception {
        List<JsonNode> panels = dashboard().path("panels").values().stream().toList();
        Set<String> taken = new TreeSet<>();
        Set<Integer> ids = new TreeSet<>();
        for (JsonNode panel : panels) {
            assertThat(ids.add(panel.path("id").asInt()))
                    .as(panel.path("title").asString())
                    .isTrue();
            JsonNode place = panel.path("gridPos");
            for (int x = place.path("x").asInt();
                    x < place.path("x").asInt() + place.path("w").asInt();
                    x++) {
                for (int y = place.path("y").asInt();
                        y < place.path("y").asInt() + place.path("h").asInt();
                        y++) {
                    assertThat(taken.add(x + " " + y))
                            .as(panel.path("title").asString())
                            .isTrue();
                }
            }
        }
    }
}
