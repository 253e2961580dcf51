package dev.gavel.bench.mcp;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Command-line options of the {@link McpBenchmark}.
 *
 * @param parts the parts to measure
 * @param rounds the number of rounds of a hundred calls on each route
 * @param approvals the number of approvals to time
 * @param waiting the number of calls that wait at the same time
 */
record McpBenchmarkOptions(List<String> parts, int rounds, int approvals, int waiting) {
    static final List<String> PARTS = List.of("calls", "approvals", "waiting");

    static final String USAGE = """
            Usage: bench/mcp [OPTION...]
              --quick                            run fewer rounds, approvals and calls
              --only calls|approvals|waiting     run only one part
              --rounds N                         rounds of a hundred calls for each route (default: 60)
              --approvals N                      approvals to measure, with data on disk and in memory (default: 600)
              --waiting N                        calls that wait at the same time (default: 10000)
            """;

    McpBenchmarkOptions {
        parts = List.copyOf(parts);
        require(rounds >= 1 && rounds <= 1_000, "--rounds must be 1 to 1000");
        require(approvals >= 1 && approvals <= 10_000, "--approvals must be 1 to 10000");
        require(waiting >= 1 && waiting <= 15_000, "--waiting must be 1 to 15000");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    boolean has(String part) {
        return parts.contains(part);
    }

    /** Parses a command line; the {@link IllegalArgumentException} describes the problem. */
    static McpBenchmarkOptions parse(String... arguments) {
        List<String> parts = PARTS;
        int rounds = 60;
        int approvals = 600;
        int waiting = 10_000;
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        while (!words.isEmpty()) {
            String option = words.remove();
            switch (option) {
                case "--quick" -> {
                    rounds = 10;
                    approvals = 50;
                    waiting = 500;
                }
                case "--only" -> {
                    String part = value(option, words);
                    require(PARTS.contains(part), "--only must be one of " + String.join(", ", PARTS));
                    parts = List.of(part);
                }
                case "--rounds" -> rounds = number(option, words);
                case "--approvals" -> approvals = number(option, words);
                case "--waiting" -> waiting = number(option, words);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new McpBenchmarkOptions(parts, rounds, approvals, waiting);
    }

    private static String value(String option, Deque<String> words) {
        String value = words.poll();
        require(value != null, option + " needs a value");
        return String.valueOf(value);
    }

    private static int number(String option, Deque<String> words) {
        String text = value(option, words);
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " must be a whole number, not '" + text + "'");
        }
    }
}
