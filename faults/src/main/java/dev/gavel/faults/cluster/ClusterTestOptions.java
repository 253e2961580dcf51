package dev.gavel.faults.cluster;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;

/** Command-line options of the {@link ClusterTestRunner}. */
record ClusterTestOptions(List<Long> seeds, Duration time, int gateways, List<String> serverCommand, boolean planOnly) {
    static final String USAGE = """
            Usage: faults/%s [OPTION...]
              --seeds N       run the seeds 1 to N (default: 10)
              --seed S        run only this seed
              --seconds S     duration of the faults in each run (default: 60)
              --gateways N    number of gateways (default: 3); 1 uses SQLite and no bus
              --server-command "WORD..."
                              command that starts Gavel (default: ./gavel)
              --plan          print the planned faults without running them
            """;

    ClusterTestOptions {
        seeds = List.copyOf(seeds);
        serverCommand = List.copyOf(serverCommand);
        require(!seeds.isEmpty() && seeds.size() <= 1_000, "--seeds must be 1 to 1000");
        require(time.toSeconds() >= 5 && time.toSeconds() <= 3_600, "--seconds must be 5 to 3600");
        require(gateways >= 1 && gateways <= 9, "--gateways must be 1 to 9");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Parses a command line; the {@link IllegalArgumentException} describes the problem. */
    static ClusterTestOptions parse(String... arguments) {
        List<Long> seeds = upTo(10);
        long seconds = 60;
        int gateways = 3;
        List<String> serverCommand = List.of("./gavel");
        boolean planOnly = false;
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        while (!words.isEmpty()) {
            String option = words.remove();
            switch (option) {
                case "--seeds" -> seeds = upTo(number(option, words));
                case "--seed" -> seeds = List.of(number(option, words));
                case "--seconds" -> seconds = number(option, words);
                case "--gateways" -> gateways = Math.toIntExact(number(option, words));
                case "--server-command" ->
                    serverCommand = List.of(String.valueOf(words.poll()).strip().split("\\s+"));
                case "--plan" -> planOnly = true;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new ClusterTestOptions(seeds, Duration.ofSeconds(seconds), gateways, serverCommand, planOnly);
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, Math.min(last, 1_001)).boxed().toList();
    }

    private static long number(String option, Deque<String> words) {
        String value = words.poll();
        try {
            return Long.parseLong(String.valueOf(value));
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " must be a whole number");
        }
    }
}
