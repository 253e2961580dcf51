package dev.gavel.bench.scaling;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Command-line options of the {@link ClusterScalingBenchmark}. */
record ClusterScalingOptions(int rounds, Duration time, int receivers, int maxGateways, String only) {
    static final String USAGE = """
            Usage: bench/growth [OPTION...]
              --rounds N                         number of rounds per server and case (default: 6)
              --seconds S                        length of a round in seconds (default: 2)
              --receivers N                      number of receivers (default: 120)
              --most N                           maximum number of gateways (default: 3)
              --only deliveries|presence|commits run only one part
            """;

    private static final List<String> PARTS = List.of("deliveries", "presence", "commits");

    ClusterScalingOptions {
        require(rounds >= 1 && rounds <= 100, "--rounds must be 1 to 100");
        require(time.toSeconds() >= 1 && time.toSeconds() <= 60, "--seconds must be 1 to 60");
        require(receivers >= 1 && receivers <= 5_000, "--receivers must be 1 to 5000");
        require(maxGateways >= 1 && maxGateways <= 9, "--most must be 1 to 9");
        require(only.isEmpty() || PARTS.contains(only), "--only must be one of " + String.join(", ", PARTS));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    boolean includes(String part) {
        return only.isEmpty() || only.equals(part);
    }

    /** Parses a command line; the {@link IllegalArgumentException} describes the problem. */
    static ClusterScalingOptions parse(String... arguments) {
        int rounds = 6;
        int seconds = 2;
        int receivers = 120;
        int gatewayLimit = 3;
        String only = "";
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        while (!words.isEmpty()) {
            String option = words.remove();
            switch (option) {
                case "--rounds" -> rounds = number(option, words);
                case "--seconds" -> seconds = number(option, words);
                case "--receivers" -> receivers = number(option, words);
                case "--most" -> gatewayLimit = number(option, words);
                case "--only" -> only = String.valueOf(words.poll());
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new ClusterScalingOptions(rounds, Duration.ofSeconds(seconds), receivers, gatewayLimit, only);
    }

    private static int number(String option, Deque<String> words) {
        try {
            return Integer.parseInt(String.valueOf(words.poll()));
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " must be a whole number");
        }
    }
}
