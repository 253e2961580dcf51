package dev.gavel.bench.suite;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.bench.server.ServerProcess;
import dev.gavel.bench.stats.RoundComparison;
import dev.gavel.bench.suite.BarChart.Bar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Suite part that measures how long Gavel takes to listen and to print its version, compared with a minimal JVM
 * program. Used by one thread.
 */
final class StartupPart implements SuitePart {
    private static final int ROUNDS = 12;
    private static final double MILLIS = 1e6;
    private static final double MORE_MILLIS = 400;

    private static final String CONFIGURATION = """
            identities:
              alice: {token: "alice-0123456789abcdef"}
            topics:
              main:
                participants:
                  alice: ["*"]
            """;

    /** The minimal JVM program. */
    static final class HelloProgram {
        private HelloProgram() {}

        public static void main(String[] args) {
            System.out.println("hello");
        }
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public Duration timeLimit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(RunWorkspace runWorkspace, SuiteResults suiteResults) throws IOException, InterruptedException {
        List<String> hello = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                copyHelloProgram(runWorkspace).toString(),
                HelloProgram.class.getName());
        List<Double> hellos = new ArrayList<>();
        List<Double> versions = new ArrayList<>();
        List<Double> listening = new ArrayList<>();
        for (int i = -1; i < ROUNDS; i++) {
            double helloMillis = run(hello);
            double version = run(List.of("./gavel", "--version"));
            double listens = measureListening(runWorkspace, i);
            // The first round reads the files from the disk.
            if (i >= 0) {
                hellos.add(helloMillis);
                versions.add(version);
                listening.add(listens);
            }
        }
        double least = RoundComparison.median(hellos);
        double version = RoundComparison.median(versions);
        double listens = RoundComparison.median(listening);
        suiteResults.addFigure(
                "time until gavel serve listens, minus a bare JVM",
                listens - least,
                " ms",
                FigureTarget.atMost(MORE_MILLIS),
                String.format(Locale.ROOT, "%.0f ms; bare JVM: %.0f ms", listens, least));
        suiteResults.addRatio(
                "time of gavel --version, ratio to a bare JVM",
                version / least,
                FigureTarget.atMost(2),
                String.format(Locale.ROOT, "%.0f ms; bare JVM: %.0f ms", version, least));
        suiteResults.addChart(new BarChart(
                "start",
                "Start time",
                "milliseconds on this machine; compare only the proportions",
                List.of(
                        Bar.reference("bare JVM that prints a line", least, " ms"),
                        Bar.gavel("gavel --version", version, " ms", 2 * least),
                        Bar.gavel("gavel serve, until it listens", listens, " ms", least + MORE_MILLIS))));
    }

    /** Copies only the class, to make the class path as short as possible. */
    private static Path copyHelloProgram(RunWorkspace runWorkspace) throws IOException {
        Path directory = Files.createDirectory(runWorkspace.directory().resolve("hello"));
        String file = HelloProgram.class.getName().replace('.', '/') + ".class";
        Path copy = directory.resolve(file);
        Files.createDirectories(copy.getParent());
        try (var from = StartupPart.class.getClassLoader().getResourceAsStream(file)) {
            if (from == null) {
                throw new RunFailedException(file + " was not found on the class path");
            }
            Files.copy(from, copy);
        }
        return directory;
    }

    private static double run(List<String> command) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new RunFailedException(String.join(" ", command) + " failed");
        }
        return (System.nanoTime() - start) / MILLIS;
    }

    private static double measureListening(RunWorkspace runWorkspace, int round)
            throws IOException, InterruptedException {
        Path directory = Files.createDirectory(runWorkspace.directory().resolve("start" + round));
        List<String> command = SuiteServerLauncher.serveCommand(directory, CONFIGURATION);
        long start = System.nanoTime();
        ServerProcess server = runWorkspace.start("gavel", command);
        var _ = server.awaitAddress(SuiteServerLauncher.START);
        double millis = (System.nanoTime() - start) / MILLIS;
        server.kill();
        return millis;
    }
}
