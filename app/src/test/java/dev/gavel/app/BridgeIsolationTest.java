package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what a bridged program can read of the gateway. The program is a shell script that writes what it finds to
 * standard error, which the gateway logs.
 */
class BridgeIsolationTest {
    private static final String SECRET = "probe-secret-0123456789abcdef";
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    @TempDir
    Path directory;

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    }

    /** A configuration with one bridge, which runs the script that {@link #probe} writes. */
    private String config(String isolation) {
        return TestServer.CONFIG + "bridges: {probe: {topic: ops, command: [sh, " + directory.resolve("probe.sh") + "]"
                + isolation + "}}\n";
    }

    private void probe(String script) throws IOException {
        Files.writeString(directory.resolve("probe.sh"), "exec 1>&2\n" + script + "\necho probe ended\n");
    }

    /** The log of the server, once the script has ended. */
    private static String log(TestProcess server) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> server.standardError().contains("probe ended")
                        || server.standardError().contains("cannot start"));
        try {
            return server.standardError();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aBridgedProgramCannotReadTheEnvironmentOfTheGateway() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")));
        // The capabilities of root allow it to read every process, so root runs the server without them.
        List<String> launcher = ROOT ? List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all") : List.of();
        probe("""
                echo "own environment: $(tr '\\0' ' ' < /proc/$$/environ)"
                echo "environment of the gateway: $(tr '\\0' ' ' < /proc/$PPID/environ)"
                echo "memory of the gateway: $(head -c 1 /proc/$PPID/mem 2>&1)"
                """);
        try (TestProcess server = new TestProcess(launcher, directory, config(""), Map.of("PROBE_TOKEN", SECRET))) {
            assertThat(log(server))
                    .contains("own environment: ")
                    .contains("environment of the gateway: ")
                    .contains("Permission denied")
                    .doesNotContain(SECRET);
        }
    }

    /** Java starts each program with a helper process, which any program of the same user can read. */
    @Test
    void theHelperProcessesThatStartProgramsDoNotInheritSecrets() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/environ")));
        StringBuilder config = new StringBuilder(TestServer.CONFIG).append("bridges:\n");
        for (int i = 0; i < 20; i++) {
            config.append("  short-").append(i).append(": {topic: ops, command: [\"true\"]}\n");
        }
        try (TestProcess server = new TestProcess(directory, config.toString(), Map.of("PROBE_TOKEN", SECRET))) {
            Map<Long, List<String>> variables = new HashMap<>();
            await().atMost(Duration.ofSeconds(60))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> {
                        server.handle().children().forEach(child -> readHelper(child, variables));
                        return variables.size() >= 3;
                    });
            assertThat(variables.values())
                    .allSatisfy(names -> assertThat(names).contains("PATH").doesNotContain("PROBE_TOKEN"));
        }
    }

    /**
     * Stores the names of a helper process's variables. Ignores a process that is not the helper yet, or that has become
     * another program already.
     */
    private static void readHelper(ProcessHandle process, Map<Long, List<String>> variables) {
        try {
            Path files = Path.of("/proc", Long.toString(process.pid()));
            boolean helperBefore = isHelper(files);
            String environment = Files.readString(files.resolve("environ"));
            if (helperBefore && !environment.isEmpty() && isHelper(files)) {
                variables.put(
                        process.pid(),
                        environment
                                .lines()
                                .flatMap(Pattern.compile("\0")::splitAsStream)
                                .map(variable -> variable.replaceFirst("=.*", ""))
                                .toList());
            }
        } catch (IOException e) {
            // The process has ended.
        }
    }

    private static boolean isHelper(Path process) throws IOException {
        return Files.readString(process.resolve("cmdline")).contains("jspawnhelper");
    }

    @Test
    void aSandboxShowsTheSystemAndTheNamedPathsOnly() throws Exception {
        assumeTrue(isInstalled("bwrap"));
        Files.createDirectory(directory.resolve("notes"));
        Path outside = Files.createTempDirectory("outside");
        Files.writeString(outside.resolve("file"), SECRET);
        Files.createDirectory(directory.resolve(".gavel"));
        Files.writeString(directory.resolve(".gavel/token"), SECRET);
        Files.writeString(directory.resolve("tok-admin"), SECRET);
        probe("""
                cat .gavel/token gavel.yaml OUTSIDE/file tok-admin
                ls -A .gavel
                grep -c "" gavel.yaml
                echo "processes: $(ls /proc | grep -c '^[0-9]')"
                echo hello > notes/written && echo "notes are writable"
                echo hello > written 2>/dev/null || echo "the rest is not"
                echo "home is $HOME, key is $KEY"
                """.replace("OUTSIDE", outside.toString()));
        String isolation = ", cwd: " + directory + ", env: {KEY: given}, sandbox: bwrap, writable: ["
                + directory.resolve("notes") + "]";
        String config = config(isolation)
                .replace(
                        "identities:\n",
                        "identities:\n  carol: {token: \"file:" + directory.resolve("tok-admin") + "\"}\n");
        try (TestProcess server = new TestProcess(directory, config)) {
            String log = log(server);
            assertThat(log)
                    .contains("notes are writable", "the rest is not", "home is /tmp, key is given")
                    .doesNotContain(SECRET, "alice" + TestServer.SECRET)
                    .doesNotContain("ledger.db");
            // Its own processes: the sandbox, the shell and the commands of the script.
            assertThat(log.replaceFirst("(?s).*processes: (\\d+).*", "$1")).matches("[1-9]");
        } finally {
            Files.delete(outside.resolve("file"));
            Files.delete(outside);
        }
        assertThat(directory.resolve("notes/written")).hasContent("hello");
        assertThat(directory.resolve("written")).doesNotExist();
    }

    @Test
    void aSandboxHidesFilesThatAreReplacedOrCreatedWhileTheProgramRuns() throws Exception {
        assumeTrue(isInstalled("bwrap"));
        Files.createDirectory(directory.resolve("notes"));
        Path secrets = Files.createDirectory(directory.resolve("secrets"));
        Files.writeString(secrets.resolve("carol"), SECRET + "-first\n");
        probe("""
                show() { cat gavel.yaml secrets/carol config/gavel/credentials.json; }
                show
                echo "first look ended"
                until [ -e notes/replaced ]; do sleep 0.05; done
                show
                """);
        String config = config(", cwd: " + directory + ", sandbox: bwrap")
                .replace("identities:\n", "identities:\n  carol: {token: \"file:" + secrets.resolve("carol") + "\"}\n");
        Map<String, String> home =
                Map.of("XDG_CONFIG_HOME", directory.resolve("config").toString());
        try (TestProcess server = new TestProcess(directory, config, home)) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.standardError().contains("first look ended"));
            replace(directory.resolve("gavel.yaml"));
            replace(secrets.resolve("carol"));
            Files.move(secrets, directory.resolve("old-secrets"));
            Files.createDirectory(secrets);
            replace(secrets.resolve("carol"));
            // The first login of the reviewer.
            Files.createDirectories(directory.resolve("config/gavel"));
            replace(directory.resolve("config/gavel/credentials.json"));
            Files.writeString(directory.resolve("notes/replaced"), "");
            assertThat(log(server))
                    .contains("probe ended")
                    .contains("secrets/carol")
                    .doesNotContain(SECRET, "alice" + TestServer.SECRET);
        }
    }

    /** Replaces a file as editors and secret managers do. */
    private static void replace(Path file) throws IOException {
        Path draft = Files.writeString(file.resolveSibling("draft"), "# " + SECRET + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void aProgramCannotOpenTheTerminalOfTheGateway() throws Exception {
        assertNoTerminal("");
    }

    @Test
    void aProgramThatRunsAsAnotherUserCannotOpenTheTerminalOfTheGateway() throws Exception {
        assumeTrue(ROOT && isInstalled("setpriv"));
        assertNoTerminal(", user: nobody");
    }

    private void assertNoTerminal(String isolation) throws Exception {
        assumeTrue(isInstalled("setsid") && isInstalled("script") && Files.exists(Path.of("/proc/self/stat")));
        // Another user cannot read the directory of this test.
        String probe = "exec 1>&2; echo \"terminal of the gateway: $(cut -d ' ' -f 7 /proc/$PPID/stat)\";"
                + " if (: < /dev/tty) 2>/dev/null; then echo 'own terminal: open'; else echo 'own terminal: none'; fi;"
                + " echo probe ended";
        String config = TestServer.CONFIG + "bridges: {probe: {topic: ops, command: [sh, -c, \""
                + probe.replace("\\", "\\\\").replace("\"", "\\\"") + "\"], cwd: /" + isolation + "}}\n";
        // Writes the command to a file, because 'script' takes it as one text.
        Path terminal =
                Files.writeString(directory.resolve("terminal.sh"), """
                cd DIRECTORY
                printf 'exec' > command
                for word; do printf " '%s'" "$word" >> command; done
                echo ' 2> stderr' >> command
                exec script -q -c '. ./command' /dev/null
                """.replace("DIRECTORY", directory.toString()));
        try (TestProcess server =
                new TestProcess(List.of("sh", terminal.toString()), directory, config, Map.of("SHELL", "/bin/sh"))) {
            assertThat(log(server))
                    .containsPattern("terminal of the gateway: [1-9]")
                    .contains("own terminal: none");
        }
    }

    @Test
    void aProgramThatRunsAsAnotherUserCannotReadTheFilesOfTheGateway() throws Exception {
        assumeTrue(ROOT && isInstalled("setpriv"));
        Files.createDirectory(directory.resolve(".gavel"));
        Path token = Files.writeString(directory.resolve(".gavel/token"), SECRET);
        // The script itself must be readable for the other user.
        Path script = Files.createTempFile("probe", ".sh");
        Files.setPosixFilePermissions(script, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(script, """
                exec 1>&2
                echo "user is $(id -un), groups are $(id -Gn), USER is $USER, key is $KEY"
                echo "token: $(cat %s)"
                echo "environment of the gateway: $(tr '\\0' ' ' < /proc/$PPID/environ)"
                grep -E '^Cap(Eff|Bnd)|^NoNewPrivs' /proc/self/status
                echo probe ended
                """.formatted(token));
        String config = TestServer.CONFIG + "bridges: {probe: {topic: ops, command: [sh, " + script
                + "], env: {KEY: given}, user: nobody}}\n";
        try (TestProcess server = new TestProcess(directory, config, Map.of("PROBE_TOKEN", SECRET))) {
            assertThat(log(server))
                    .contains("user is nobody, groups are nogroup, USER is nobody, key is given")
                    .contains("Permission denied")
                    .contains("CapEff: 0000000000000000", "CapBnd: 0000000000000000", "NoNewPrivs: 1")
                    .doesNotContain(SECRET);
        } finally {
            Files.delete(script);
        }
    }

    @Test
    void aProgramThatCannotBeIsolatedDoesNotStart() throws Exception {
        probe("echo it runs");
        try (TestProcess server = new TestProcess(directory, config(", user: no-such-user-here"))) {
            assertThat(log(server))
                    .contains("cannot start 'sh': ")
                    .containsAnyOf("there is no user 'no-such-user-here'", "only root can start a program as the user")
                    .doesNotContain("it runs");
        }
    }
}
