package dev.gavel.app;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;

/** Parses the text of {@code /metrics} strictly: every sample must belong to the family announced before it. */
public final class PrometheusPage {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_]+)(?:\\{((?:[a-z]+=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)*)})? (\\S+)");

    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Map<String, Set<String>> labels = new LinkedHashMap<>();

    public PrometheusPage(String text) {
        Assertions.assertThat(text).endsWith("\n");
        String family = "";
        String type = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                family = line.split(" ", 4)[2];
            } else if (line.startsWith("# TYPE ")) {
                Assertions.assertThat(line.split(" ", 4)[2]).isEqualTo(family);
                type = line.split(" ", 4)[3];
            } else {
                sample(line, family, type);
            }
        }
    }

    private void sample(String line, String family, String type) {
        Matcher sample = SAMPLE.matcher(line);
        Assertions.assertThat(sample.matches()).as(line).isTrue();
        String name = sample.group(1);
        Assertions.assertThat(name).as(line).isIn(names(family, type));
        Assertions.assertThat(samples).as("said twice").doesNotContainKey(line.substring(0, line.lastIndexOf(' ')));
        samples.put(line.substring(0, line.lastIndexOf(' ')), Double.valueOf(sample.group(3)));
        Set<String> known = labels.computeIfAbsent(name, it -> new TreeSet<>());
        if (sample.group(2) != null) {
            Arrays.stream(sample.group(2).split(",", -1))
                    .map(each -> each.substring(0, each.indexOf('=')))
                    .forEach(known::add);
        }
    }

    private static Set<String> names(String family, String type) {
        return switch (type) {
            case "counter", "gauge" -> Set.of(family);
            case "histogram" -> Set.of(family + "_bucket", family + "_sum", family + "_count");
            case "summary" -> Set.of(family + "_sum", family + "_count");
            default -> Set.of();
        };
    }

    /** The value of a sample, named as it is written; NaN if there is none. */
    public double value(String sample) {
        return samples.getOrDefault(sample, Double.NaN);
    }

    /** The labels of the samples with a name; empty if there is no such name. */
    public Set<String> labels(String name) {
        return labels.getOrDefault(name, Set.of());
    }

    public Map<String, Double> samples() {
        return samples;
    }
}
