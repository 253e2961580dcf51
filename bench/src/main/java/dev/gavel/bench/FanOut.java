package dev.gavel.bench;

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
 * The fan-out benchmark: one topic, one message to many receivers, Gavel beside a {@link RawRelay} in the same minute.
 * Each server is a process of its own; rounds of the two take turns over connections that stay open.
 */
public final class FanOut {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration SLACK = Duration.ofSeconds(60);

    private final FanOutOptions options;
    private final PrintStream out;
    private final BenchTopic topic;

    private FanOut(FanOutOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
        this.topic = new BenchTopic(options.senders(), Collections.max(options.receivers()), new SecureRandom());
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
            endAfter(options.expected().multipliedBy(3).dividedBy(2).plus(SLACK));
            run(options, System.out);
            code = 0;
        } catch (IllegalArgumentException e) {
            System.err.println("fanout: " + e.getMessage() + "; --help says more");
            code = 2;
        } catch (LoadFailure | IOException e) {
            System.err.println("fanout: " + e.getMessage());
            code = 1;
        } catch (InterruptedException _) {
            code = 130;
        }
        System.exit(code);
    }

    /** A run that hangs is of no use to anybody, least of all in a script. */
    private static void endAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("time limit").start(() -> {
            try {
                Thread.sleep(limit);
                System.err.println("fanout: not done after " + limit.toSeconds() + " s, so something hangs");
                System.exit(1);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
    }

    static void run(FanOutOptions options, PrintStream out) throws IOException, InterruptedException {
        new FanOut(options, out).run();
    }

    private void run() throws IOException, InterruptedException {
        try (Workbench workbench = Workbench.open()) {
            ServerProcess relay = workbench.start("relay", relayCommand());
            ServerProcess subject = options.isNoise()
                    ? workbench.start("relay again", relayCommand())
                    : workbench.start("gavel", gavelCommand(workbench.directory()));
            InetSocketAddress relayAddress = relay.address(START);
            InetSocketAddress subjectAddress = subject.address(START);
            FanOutReport report = new FanOutReport(options, out, relay.name(), subject.name());
            try {
                for (int receivers : options.receivers()) {
                    cases(receivers, relay, relayAddress, subject, subjectAddress, report);
                }
            } catch (LoadFailure e) {
                throw subject.isAlive() ? e : new LoadFailure(e.getMessage() + "\n" + subject.lastWords(), e);
            }
            report.end();
        }
    }

    private void cases(
            int receivers,
            ServerProcess relay,
            InetSocketAddress relayAddress,
            ServerProcess subject,
            InetSocketAddress subjectAddress,
            FanOutReport report)
            throws IOException {
        try (Load toRelay = connect(relayAddress, receivers, false);
                Load toSubject = connect(subjectAddress, receivers, !options.isNoise())) {
            for (Pace pace : options.paces()) {
                report.add(receivers, pace, compare(pace, relay, toRelay, subject, toSubject));
            }
        }
    }

    private Load connect(InetSocketAddress server, int receivers, boolean welcomes) throws IOException {
        return Load.connect(server, BenchTopic.PATH, topic.participants(receivers), options.senders(), welcomes);
    }

    private Comparison compare(Pace pace, ServerProcess relay, Load toRelay, ServerProcess subject, Load toSubject) {
        toRelay.send(pace, options.warmUp());
        toSubject.send(pace, options.warmUp());
        List<Round> relayRounds = new ArrayList<>();
        List<Round> subjectRounds = new ArrayList<>();
        for (int i = 0; i < options.rounds(); i++) {
            relayRounds.add(round(pace, relay, toRelay));
            subjectRounds.add(round(pace, subject, toSubject));
        }
        return new Comparison(relayRounds, subjectRounds);
    }

    private Round round(Pace pace, ServerProcess server, Load load) {
        return Round.of(server, () -> load.send(pace, options.time()));
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
