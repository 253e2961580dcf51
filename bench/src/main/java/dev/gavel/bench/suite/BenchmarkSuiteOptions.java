package dev.gavel.bench.suite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Command-line options of the {@link BenchmarkSuite}.
 *
 * @param parts the parts to run; empty for all
 * @param docs the directory of {@code benchmarks.md}, whose figures are written; empty to write nothing
 */
record BenchmarkSuiteOptions(List<String> parts, Optional<Path> docs) {
    static String usage(List<String> parts) {
        return """
                Usage: ./gavel-bench [OPTION...]
                Measures everything that docs/benchmarks.md claims, prints a table of ratios, and writes the figures and plots
                there. Run it on a machine that does nothing else.
                  --only PART[,PART...]    some parts instead of all; writes nothing
                  --docs DIR               where the benchmarks.md is that is written (docs)
                  --no-write               print only
                Parts: %s
                """.formatted(String.join(", ", parts));
    }

    /** Parses a command line; the {@link IllegalArgumentException} describes the problem. */
    static BenchmarkSuiteOptions parse(List<String> known, String... arguments) {
        List<String> parts = List.of();
        Path docs = Path.of("docs");
        boolean writes = true;
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        while (!words.isEmpty()) {
            String option = words.remove();
            switch (option) {
                case "--only" -> parts = List.of(value(option, words).split(","));
                case "--docs" -> docs = Path.of(value(option, words));
                case "--no-write" -> writes = false;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        for (String part : parts) {
            if (!known.contains(part)) {
                throw new IllegalArgumentException("no part '" + part + "'; there are " + String.join(", ", known));
            }
        }
        boolean writing = writes && parts.isEmpty();
        if (writing && !Files.isWritable(docs.resolve(BenchmarksDocumentWriter.DOCUMENT))) {
            throw new IllegalArgumentException(docs.resolve(BenchmarksDocumentWriter.DOCUMENT) + " cannot be written");
        }
        return new BenchmarkSuiteOptions(parts, writing ? Optional.of(docs) : Optional.empty());
    }

    private static String value(String option, Deque<String> words) {
        String value = words.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }
}
