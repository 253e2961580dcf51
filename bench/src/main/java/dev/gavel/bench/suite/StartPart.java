package dev.gavel.bench.suite;

import dev.gavel.bench.Comparison;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.ServerProcess;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.suite.Plot.Bar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How long Gavel takes to listen, and to say its version, beside a JVM that says hello. Used by one thread. */
final class StartPart implements Part {
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

    /** What a JVM does least. */
    static final class Hello {
        private Hello() {}

        public static void main(String[] args) {
            System.out.println("hello");
        }
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        List<String> hello = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                alone(workbench).toString(),
                Hello.class.getName());
        List<Double> hellos = new ArrayList<>();
        List<Double> versions = new ArrayList<>();
        List<Double> listening = new ArrayList<>();
        for (int i = -1; i < ROUNDS; i++) {
            double said = run(hello);
            double version = run(List.of("./gavel", "--version"));
            double listens = listens(workbench, i);
            // The first time files come from the disk.
            if (i >= 0) {
                hellos.add(said);
                versions.add(version);
                listening.add(listens);
            }
        }
        double least = Comparison.median(hellos);
        double version = Comparison.median(versions);
        double listens = Comparison.median(listening);
        sheet.figure(
                "listening, later than a bare JVM says hello",
                listens - least,
                " ms",
                Target.atMost(MORE_MILLIS),
                String.format(Locale.ROOT, "%.0f to %.0f ms", listens, least));
        sheet.ratio(
                "gavel --version to a bare JVM's hello",
                version / least,
                Target.atMost(2),
                String.format(Locale.ROOT, "%.0f to %.0f ms", version, least));
        sheet.plot(new Plot(
                "start",
                "Starting",
                "milliseconds; the machine's own, so take the proportions",
                List.of(
                        Bar.reference("a bare JVM says hello", least, " ms"),
                        Bar.gavel("gavel --version", version, " ms", 2 * least),
                        Bar.gavel("gavel serve listens", listens, " ms", least + MORE_MILLIS))));
    }

    /** The class by itself, so that the class path is as short as it can be. */
    private static Path alone(Workbench workbench) throws IOException {
        Path directory = Files.createDirectory(workbench.directory().resolve("hello"));
        String file = Hello.class.getName().replace('.', '/') + ".class";
        Path copy = directory.resolve(file);
        Files.createDirectories(copy.getParent());
        try (var from = StartPart.class.getClassLoader().getResourceAsStream(file)) {
            if (from == null) {
                throw new LoadFailure(file + " is not on the class path");
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
            throw new LoadFailure(String.join(" ", command) + " failed");
        }
        return (System.nanoTime() - start) / MILLIS;
    }

    private static double listens(Workbench workbench, int round) throws IOException, InterruptedException {
        Path directory = Files.createDirectory(workbench.directory().resolve("start" + round));
        List<String> command = Servers.serve(directory, CONFIGURATION);
        long start = System.nanoTime();
        ServerProcess server = workbench.start("gavel", command);
        var _ = server.address(Servers.START);
        double millis = (System.nanoTime() - start) / MILLIS;
        server.kill();
        return millis;
    }
}
