package dev.gavel.app.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.command.GavelCommands;
import dev.gavel.app.interop.GavelProcessCommand;
import dev.gavel.cli.CommandEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code gavel bridge} in a separate process. */
@SuppressWarnings("NullAway.Init") // set before the tests
final class BridgeCommandTest {
    @TempDir
    private static Path data;

    private static TestServer server;

    @BeforeAll
    static void start() throws IOException {
        server = new TestServer(
                TestServer.CONFIG
                        .replace("ledger: off", "ledger: on")
                        .replace("[\"mcp.proposal.*\"", "[\"mcp.request.notifications/cancelled\", \"mcp.proposal.*\"")
                        .replace("listen:", "data: " + data + "\nlisten:"),
                1);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Process bridge(String token, List<String> program) throws IOException {
        ProcessBuilder builder = bridge(List.of(), program);
        builder.environment().put("GAVEL_TOKEN", token + TestServer.SECRET);
        return builder.start();
    }

    private static ProcessBuilder bridge(List<String> options, List<String> program) {
        List<String> words = new ArrayList<>(
                List.of("bridge", "--topic", "ops", "--name", "files", "--gateway", "http://" + server.listen()));
        words.addAll(options);
        words.add("--");
        words.addAll(program);
        return new ProcessBuilder(GavelProcessCommand.command(words.toArray(String[]::new)));
    }

    private static String problem(String... options) {
        List<String> words = new ArrayList<>(List.of("bridge", "--topic", "ops", "--name", "files"));
        words.addAll(List.of(options));
        StringWriter err = new StringWriter();
        int exitCode = GavelCommands.run(
                CommandEnvironment.ofProcess(),
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(err),
                words.toArray(String[]::new));
        assertThat(exitCode).as(err.toString()).isEqualTo(2);
        return err.toString();
    }

    private static BufferedReader lines(InputStream in) {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    private static String call(String id, String tool) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id
                + "\",\"to\":[\"files\"],\"kind\":\"mcp.request.tools/call\","
                + "\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\"}}}";
    }

    @Test
    void aServerIsBridgedFromAnotherProcessUntilThatIsToldToStop() throws Exception {
        Process process = bridge("files", ScriptedMcpServer.command());
        try (TestSocket alice = server.join("alice")) {
            assertThat(lines(process.getInputStream()).readLine())
                    .isEqualTo("connected 'files' to topic 'ops' with 2 tools");
            alice.send(call("r1", "odd"));
            assertThat(alice.envelope("mcp.response.tools/call:odd").toString()).contains("newField");
            whoProposedACallMayCallItOff(alice);
            alice.send(call("r2", "child"));
            var result = alice.envelope("mcp.response.tools/call:child")
                    .path("payload")
                    .path("result");
            // Process.destroy would close the stream that is read below.
            assertThat(process.toHandle().destroy()).isTrue();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(lines(process.getErrorStream()).lines())
                    .noneMatch(line -> line.contains("the bridge 'files' ended"));
            for (String each : List.of("own", "pid")) {
                assertThat(ProcessHandle.of(result.path(each).asLong()).filter(ProcessHandle::isAlive))
                        .isEmpty();
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static void whoProposedACallMayCallItOff(TestSocket alice) throws IOException {
        try (TestSocket helper = server.join("helper")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p1\",\"to\":[\"files\"],"
                    + "\"kind\":\"mcp.proposal.tools/call:never\",\"payload\":{\"method\":\"tools/call\","
                    + "\"params\":{\"name\":\"never\",\"arguments\":{}}}}");
            helper.envelope("mcp.proposal.tools/call:never");
            alice.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"f1\",\"to\":[\"files\"],\"correlationId\":\"p1\","
                    + "\"kind\":\"mcp.request.tools/call:never\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\"f1\","
                    + "\"method\":\"tools/call\",\"params\":{\"name\":\"never\",\"arguments\":{}}}}");
            helper.envelope("mcp.request.notifications/message");
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"c1\",\"to\":[\"files\"],"
                    + "\"kind\":\"mcp.request.notifications/cancelled\",\"payload\":{\"jsonrpc\":\"2.0\","
                    + "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"f1\"}}}");
            assertThat(alice.envelope("mcp.response.tools/call:never").toString())
                    .contains("-32800", "not known whether the call ran")
                    .doesNotContain("Cancelled by");
        }
    }

    @Test
    void aTokenOfSomebodyElseIsSaidSoBeforeAnythingIsStarted() throws Exception {
        Process process = bridge("bob", List.of("no-such-program"));
        assertThat(lines(process.getErrorStream()).readLine())
                .isEqualTo(
                        "gavel: the token belongs to 'bob', but the bridge is named 'files'; use the token of 'files',"
                                + " which an admin creates with: gavel token create files --topic ops --capability"
                                + " 'mcp.response.*' --capability 'mcp.request.notifications/*'");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    void aProgramThatIsNotThereIsSaidSo() throws Exception {
        Process process = bridge("files", List.of("no-such-program"));
        assertThat(lines(process.getErrorStream()).readLine())
                .contains("cannot start 'no-such-program': the program was not found");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void theProgramRunsAsAnotherUser() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/usr/bin/setpriv")));
        ProcessBuilder builder =
                bridge(List.of("--user", "nobody"), List.of("sh", "-c", "echo the user is $(id -un) >&2"));
        builder.environment().put("GAVEL_TOKEN", "files" + TestServer.SECRET);
        Process process = builder.start();
        assertThat(lines(process.getErrorStream()).lines()).anyMatch(line -> line.contains("the user is nobody"));
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @Test
    void theSandboxHidesTheTokensAndTheFilesOfALocalServer(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("files.token"), "files" + TestServer.SECRET);
        Path login = Files.createDirectories(directory.resolve("config/gavel")).resolve("credentials.json");
        Files.writeString(login, "{\"servers\":{}}");
        Path programs = Files.createDirectory(directory.resolve("programs"));
        // Stands in for bubblewrap, which is not installed everywhere: reports its arguments.
        Path bwrap = Files.writeString(programs.resolve("bwrap"), "#!/bin/sh\necho \"arguments: $*\" >&2\n");
        assertThat(bwrap.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = bridge(
                List.of(
                        "--token",
                        "file:" + token,
                        "--sandbox",
                        "bwrap",
                        "--readable",
                        directory.toString(),
                        "--writable",
                        programs.toString()),
                List.of("server"));
        builder.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        builder.environment().put("XDG_CONFIG_HOME", directory.resolve("config").toString());
        builder.environment().put("GAVEL_DATA", data.toString());
        Process process = builder.start();
        assertThat(lines(process.getErrorStream()).lines().filter(line -> line.contains("arguments: ")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .contains("--tmpfs " + directory, "--bind " + programs, "--tmpfs /tmp")
                        .doesNotContain(
                                token.toString(),
                                directory.resolve("config/gavel").toString(),
                                data.toString())
                        .endsWith("-- server"));
    }

    @Test
    void aMistakeInTheIsolationIsNamed() {
        assertThat(problem("--user", "-x y", "--", "cat"))
                .contains("--user must be the name of a user account, such as tools");
        assertThat(problem("--sandbox", "docker", "--", "cat"))
                .contains("--sandbox must be bwrap, the program that creates the sandbox");
        assertThat(problem("--writable", "/usr", "--", "cat"))
                .contains("--readable and --writable can only be used with --sandbox");
        assertThat(problem("--sandbox", "bwrap", "--readable", "/not/there", "--", "cat"))
                .contains("--readable: /not/there does not exist");
        assertThat(problem("--url", "https://example.org/mcp", "--user", "tools"))
                .contains("--user, --sandbox, --readable and --writable can only be used with a program to start");
    }
}
