package dev.gavel.bench.fanout;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadGenerator;
import dev.gavel.bench.load.RawRelay;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.load.SendRate;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import dev.gavel.bench.stats.BenchmarkRoundResult;
import dev.gavel.bench.stats.RoundComparison;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures how fast Gavel delivers messages to many receivers of one topic, compared with a minimal relay in
 * alternating rounds. Each server is a separate process; the connections stay open between rounds.
 */
public final class FanOutBenchmark {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration SLACK = Duration.ofSeconds(60);

    private final FanOutOptions options;
    private final PrintStream out;
    private final BenchTopicConfig topic;

    private FanOutBenchmark(FanOutOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.topic = new BenchTopicConfig(options.senders(), Collections.max(options.receivers()), new SecureRandom());
    }

    /** Runs the benchmark; see {@code bench/fanout --help}. */
    public static void main(String[] args) {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.print(FanOutOptions.USAGE);
            return;
        }
        int code;
        try {
            FanOutOptions options = FanOutOptions.parse(args);
            exitAfter(options.expectedDuration().multipliedBy(3).dividedBy(2).plus(SLACK));
            run(options, System.out);
            code = 0;
        } catch (IllegalArgumentException e) {
            System.err.println("fanout: " + e.getMessage() + ". Run bench/fanout --help for help.");
            code = 2;
        } catch (RunFailedException | IOException e) {
            System.err.println("fanout: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /** Ends the process after a time limit, because a hanging run is useless, especially in a script. */
    private static void exitAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("fanout: not finished after " + limit.toSeconds() + " s; giving up");
                System.exit(1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    static void run(FanOutOptions options, PrintStream out) throws IOException, InterruptedException {
        new FanOutBenchmark(options, out).run();
    }

    private void run() throws IOException, InterruptedException {
        try (RunWorkspace runWorkspace = RunWorkspace.open()) {
            ServerProcess relay = runWorkspace.start("relay", relayCommand());
            ServerProcess subject = options.isNoiseRun()
                    ? runWorkspace.start("second relay", relayCommand())
                    : runWorkspace.start("gavel", gavelCommand(runWorkspace.directory()));
            InetSocketAddress relayAddress = relay.awaitAddress(START);
            InetSocketAddress subjectAddress = subject.awaitAddress(START);
            FanOutReport report = new FanOutReport(options, out, relay.name(), subject.name());
            try {
                for (int receivers : options.receivers()) {
                    runCases(receivers, relay, relayAddress, subject, subjectAddress, report);
                }
            } catch (RunFailedException e) {
                throw subject.isAlive() ? e : new RunFailedException(e.getMessage() + "\n" + subject.outputTail(), e);
            }
            report.printSpread();
        }
    }

    private void runCases(
            int receivers,
            ServerProcess relay,
            InetSocketAddress relayAddress,
            ServerProcess subject,
            InetSocketAddress subjectAddress,
            FanOutReport report)
            throws IOException {
        try (LoadGenerator toRelay = connect(relayAddress, receivers, false);
                LoadGenerator toSubject = connect(subjectAddress, receivers, !options.isNoiseRun())) {
            for (SendRate sendRate : options.sendRates()) {
                report.add(receivers, sendRate, compare(sendRate, relay, toRelay, subject, toSubject));
            }
        }
    }

    private LoadGenerator connect(InetSocketAddress server, int receivers, boolean welcomes) throws IOException {
        return LoadGenerator.connect(
                server, BenchTopicConfig.WEB_SOCKET_PATH, topic.participants(receivers), options.senders(), welcomes);
    }

    private RoundComparison compare(
            SendRate sendRate,
            ServerProcess relay,
            LoadGenerator toRelay,
            ServerProcess subject,
            LoadGenerator toSubject) {
        toRelay.send(sendRate, options.warmUp());
        toSubject.send(sendRate, options.warmUp());
        List<BenchmarkRoundResult> relayRounds = new ArrayList<>();
        List<BenchmarkRoundResult> subjectRounds = new ArrayList<>();
        for (int i = 0; i < options.rounds(); i++) {
            relayRounds.add(measureRound(sendRate, relay, toRelay));
            subjectRounds.add(measureRound(sendRate, subject, toSubject));
        }
        return new RoundComparison(relayRounds, subjectRounds);
    }

    private BenchmarkRoundResult measureRound(SendRate sendRate, ServerProcess server, LoadGenerator loadGenerator) {
        return BenchmarkRoundResult.measure(server, () -> loadGenerator.send(sendRate, options.time()));
    }

    /** The command that runs the relay. */
    public static List<String> relayCommand() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                RawRelay.class.getName());
    }

    private List<String> gavelCommand(Path directory) throws IOException {
        Path configuration = Files.writeString(directory.resolve("gavel.yaml"), topic.configuration());
        List<String> command = new ArrayList<>(options.serverCommand());
        command.addAll(List.of(
                "serve",
                "--config",
                configuration.toString(),
                "--listen",
                "127.0.0.1:0",
                "--data",
                directory.resolve("data").toString()));
        return command;
    }
}
