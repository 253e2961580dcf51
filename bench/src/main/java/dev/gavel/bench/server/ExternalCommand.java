package dev.gavel.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs an external program to its end and returns its output. Stateless. */
public final class ExternalCommand {
    private static final long LONGEST_SECONDS = 120;

    private ExternalCommand() {}

    /** Runs a program and returns its output; fails if its exit code is not 0. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new RunFailedException(String.join(" ", command) + " failed: " + output.strip());
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Whether a program can be run and exits with 0. */
    public static boolean succeeds(String... command) throws InterruptedException {
        try {
            run(List.of(command));
            return true;
        } catch (IOException | RunFailedException _) {
            return false;
        }
    }

    /** The command that runs one of our classes with the SQLite driver of the built server. */
    public static List<String> javaWithSqliteDriver(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path")
                        + System.getProperty("path.separator")
                        + Path.of("app", "target", "gavel", "lib", "*"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
