package dev.gavel.bench.fanout;

import dev.gavel.bench.load.SendRate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Command-line options of the {@link FanOutBenchmark}.
 *
 * @param serverCommand the command that starts Gavel, without its arguments; empty to measure the relay in its place
 * @param rounds the number of rounds per server and case
 * @param time the sending time of a round
 * @param warmUp the warm-up time of a server before its rounds of a case
 */
record FanOutOptions(
        List<String> serverCommand,
        int rounds,
        Duration time,
        Duration warmUp,
        List<Integer> receivers,
        int senders,
        List<SendRate> sendRates) {
    static final String USAGE = """
            Usage: bench/fanout [OPTION...]
              --quick                       run fewer and shorter rounds
              --rounds N                    number of rounds per server and case (default: 10)
              --seconds S                   length of a round in seconds (default: 1.5)
              --receivers N[,N...]          numbers of receivers (default: 50,200)
              --senders N                   number of senders (default: 1)
              --only saturating|paced       run only one send rate
              --rate N                      messages per second of the paced rate (default: 400)
              --server-command "WORD..."    command that starts Gavel (default: ./gavel); serve --config --listen --data
                                            are appended
              --noise                       compare the relay with itself, to see how far ratios deviate from 1
            """;

    private static final int MOST_PARTICIPANTS = 5_000;

    FanOutOptions {
        serverCommand = List.copyOf(serverCommand);
        receivers = List.copyOf(receivers);
        sendRates = List.copyOf(sendRates);
        require(rounds >= 1 && rounds <= 100, "--rounds must be 1 to 100");
        require(time.toMillis() >= 10 && time.toSeconds() <= 60, "--seconds must be 0.01 to 60");
        require(senders >= 1 && senders <= 1_000, "--senders must be 1 to 1000");
        require(
                !receivers.isEmpty() && receivers.stream().allMatch(n -> n >= 1 && n <= MOST_PARTICIPANTS),
                "--receivers must be numbers from 1 to " + MOST_PARTICIPANTS);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /** The duration of a run without problems. */
    Duration expectedDuration() {
        Duration one = time.multipliedBy(rounds).plus(warmUp).multipliedBy(2);
        return one.multipliedBy((long) receivers.size() * sendRates.size());
    }

    boolean isNoiseRun() {
        return serverCommand.isEmpty();
    }

    /** Parses a command line; the {@link IllegalArgumentException} describes the problem. */
    static FanOutOptions parse(String... arguments) {
        List<String> serverCommand = List.of("./gavel");
        int rounds = 10;
        double seconds = 1.5;
        List<Integer> receivers = List.of(50, 200);
        int senders = 1;
        String only = "";
        int rate = 400;
        Deque<String> words = new ArrayDeque<>(Arrays.asList(arguments));
        while (!words.isEmpty()) {
            String option = words.remove();
            switch (option) {
                case "--quick" -> {
                    rounds = 3;
                    seconds = 0.5;
                }
                case "--rounds" -> rounds = number(option, words);
                case "--seconds" -> seconds = decimal(option, words);
                case "--receivers" ->
                    receivers = Arrays.stream(value(option, words).split(","))
                            .map(text -> number(option, text))
                            .toList();
                case "--senders" -> senders = number(option, words);
                case "--only" -> {
                    only = value(option, words);
                    require(only.equals("saturating") || only.equals("paced"), "--only must be saturating or paced");
                }
                case "--rate" -> rate = number(option, words);
                case "--server-command" -> {
                    serverCommand = List.of(value(option, words).strip().split("\\s+"));
                    require(!serverCommand.getFirst().isEmpty(), "--server-command must be a command");
                }
                case "--noise" -> serverCommand = List.of();
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        List<SendRate> sendRates = switch (only) {
            case "saturating" -> List.of(new SendRate.Saturating());
            case "paced" -> List.of(new SendRate.Constant(rate));
            default -> List.of(new SendRate.Saturating(), new SendRate.Constant(rate));
        };
        Duration time = Duration.ofMillis(Math.round(seconds * 1000));
        return new FanOutOptions(serverCommand, rounds, time, time.multipliedBy(2), receivers, senders, sendRates);
    }

    private static String value(String option, Deque<String> words) {
        String value = words.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }

    private static int number(String option, Deque<String> words) {
        return number(option, value(option, words));
    }

    private static int number(String option, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " must be a whole number, not '" + text + "'");
        }
    }

    private static double decimal(String option, Deque<String> words) {
        String text = value(option, words);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(option + " must be a number, not '" + text + "'");
        }
    }
}
