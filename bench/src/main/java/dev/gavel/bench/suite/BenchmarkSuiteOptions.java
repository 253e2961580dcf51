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
                Measures all figures of docs/benchmarks.md, prints them as a table, and writes the table and the charts
                into that page. Run it on a machine without other work.
                  --only PART[,PART...]    run only these parts, and write nothing
                  --docs DIR               directory of the benchmarks.md to write (default: docs)
                  --no-write               print the results, but write nothing
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
                throw new IllegalArgumentException(
                        "unknown part '" + part + "'; the parts are " + String.join(", ", known));
            }
        }
        boolean writing = writes && parts.isEmpty();
        if (writing && !Files.isWritable(docs.resolve(BenchmarksDocumentWriter.DOCUMENT))) {
            throw new IllegalArgumentException("cannot write " + docs.resolve(BenchmarksDocumentWriter.DOCUMENT));
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
