package dev.gavel.faults.chaos;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;

/** Command-line options of the {@link ChaosRunner}. */
record ChaosOptions(List<Long> seeds, Duration time, int gateways, List<String> serverCommand, boolean planOnly) {
    static final String USAGE = """
            Usage: faults/chaos [OPTION...]
              --seeds N       runs with the seeds 1 to N (10)
              --seed S        one run, with this seed
              --seconds S     how long chaos lasts in a run (60)
              --gateways N    how many gateways (3); 1 has SQLite and no bus
              --server-command "WORD..."
                              starts Gavel (./gavel)
              --plan          print what would be done, and do nothing
            """;

    ChaosOptions {
        seeds = List.copyOf(seeds);
        serverCommand = List.copyOf(serverCommand);
        require(!seeds.isEmpty() && seeds.size() <= 1_000, "--seeds takes 1 to 1000");
        require(time.toSeconds() >= 5 && time.toSeconds() <= 3_600, "--seconds takes 5 to 3600");
        require(gateways >= 1 && gateways <= 9, "--gateways takes 1 to 9");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Parses a command line; the {@link IllegalArgumentException} describes the problem. */
    static ChaosOptions parse(String... arguments) {
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
        return new ChaosOptions(seeds, Duration.ofSeconds(seconds), gateways, serverCommand, planOnly);
    }

    private static List<Long> upTo(long last) {
        return LongStream.rangeClosed(1, Math.min(last, 1_001)).boxed().toList();
    }

    private static long number(String option, Deque<String> words) {
        String value = words.poll();
        try {
            return Long.parseLong(String.valueOf(value));
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " takes a whole number");
        }
    }
}
