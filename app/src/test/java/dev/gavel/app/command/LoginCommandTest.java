package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.interop.GavelProcessCommand;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel login} and {@code gavel logout}, and which commands need a login. */
class LoginCommandTest extends CommandTestBase {
    private static final String ALICE = "alice" + TestServer.SECRET;
    private static final String PROPOSAL = "p-019a8f0c1d2e0102030405";

    /** Every command that decides or administers. */
    private static final List<List<String>> COMMANDS_IN_YOUR_NAME = List.of(
            List.of("approve", "ops", PROPOSAL),
            List.of("reject", "ops", PROPOSAL, "--reason", "unsafe"),
            List.of("status", "ops", PROPOSAL, "considering"),
            List.of("review", "ops"),
            List.of("token", "create", "mallory"),
            List.of("token", "list"),
            List.of("token", "roles", "mallory", "--role", "admin"),
            List.of("token", "revoke", "bob"),
            List.of("member", "set", "ops", "helper", "--capability", "*"),
            List.of("member", "remove", "ops", "bob"),
            List.of("member", "reset", "ops", "bob"),
            List.of("sep", "vote", "1", "yes"),
            List.of("sep", "move", "1", "final"),
            List.of("sep", "sweep"),
            List.of("sep", "inbox"));

    private Path home;
    private Path credentials;

    @BeforeEach
    void serverDirectory() throws IOException {
        home = Files.createDirectory(directory.resolve("home"));
        credentials = home.resolve(".config/gavel/credentials.json");
        // The files that a server without a configuration file leaves in its directory. Here, alice is its admin.
        Path tokens = Files.createDirectories(directory.resolve(".gavel/tokens"));
        Files.writeString(tokens.resolve("you"), ALICE + "\n");
        Files.writeString(tokens.resolve("agent"), "helper" + TestServer.SECRET + "\n");
    }

    private RunningCommand.Result typed(String... words) throws Exception {
        return typed(Map.of(), words);
    }

    private RunningCommand.Result typed(Map<String, String> more, String... words) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("GAVEL_URL", url(), "HOME", home.toString()));
        environment.putAll(more);
        return RunningCommand.start(directory, environment, words).awaitEnd();
    }

    private RunningCommand.Result login(String identity) throws Exception {
        Path token = Files.writeString(directory.resolve(identity + ".token"), identity + TestServer.SECRET);
        return typed("login", "--token", "file:" + token);
    }

    @Test
    void noCommandThatDecidesOrAdministersUsesATokenByItself() throws Exception {
        for (List<String> words : COMMANDS_IN_YOUR_NAME) {
            RunningCommand.Result result = typed(words.toArray(String[]::new));
            assertThat(result.exit()).as(words + result.err()).isEqualTo(2);
            assertThat(result.err())
                    .contains(
                            "acts in your name, and you are not logged in. A person must log in with 'gavel login' in a"
                                    + " terminal, or a script must set GAVEL_TOKEN (see docs/cli.md#which-token-a-command-uses)\n")
                    .doesNotContain("tokens/you");
        }
        RunningCommand.Result json = typed("token", "create", "mallory", "--json");
        assertThat(json.json().at("code").text()).isEqualTo("unauthenticated");
        assertThat(json.json().at("detail").text()).startsWith("'gavel token create' acts in your name");
    }

    @Test
    void theSuggestedCommandNamesTheProgramAndTheServerAsTheyWereTyped() throws Exception {
        RunningCommand.Result local = typedAtTerminal("token", "list", "--url", url());
        assertThat(local.err())
                .contains("Log in: ./gavel login --url " + url() + " < .gavel/tokens/you (or set a token with --token"
                        + " env:NAME, --token file:PATH or the variable GAVEL_TOKEN)");
        RunningCommand.Result remote = typedAtTerminal("token", "list", "--url", "https://gavel.example.org");
        assertThat(remote.err()).contains("Log in: ./gavel login --url https://gavel.example.org (or");
        RunningCommand.Result script = typed("token", "list", "--url", "https://gavel.example.org");
        assertThat(script.err()).contains("A person must log in with 'gavel login --url https://gavel.example.org'");
    }

    private RunningCommand.Result typedAtTerminal(String... words) throws Exception {
        Map<String, String> environment =
                Map.of("GAVEL_URL", url(), "HOME", home.toString(), "GAVEL_COMMAND", "./gavel");
        return RunningCommand.startAtTerminal(directory, environment, "", words).awaitEnd();
    }

    @Test
    void aProposalOfTheAgentIsApprovedOnlyAfterALogin() throws Exception {
        String id = typed("propose", "ops", "--tool", "write_file", "--json")
                .json()
                .at("id")
                .text();
        try (var files = runner("files")) {
            assertThat(typed("approve", "ops", id).exit()).isEqualTo(2);
            assertThat(login("alice").exit()).isZero();
            assertThat(typed("approve", "ops", id, "--yes").out()).startsWith("approved " + id);
            assertThat(request(files)).contains(id);
        }
        assertThat(typed("show", "ops", id, "--json").json().raw()).contains("\"fulfilled\"");
    }

    @Test
    void aLoginIsStoredOutsideTheWorkingDirectoryForItsOwnerAndItsServerOnly() throws Exception {
        RunningCommand.Result result = login("bob");
        assertThat(result).returns(0, RunningCommand.Result::exit);
        assertThat(result.out()).isEqualTo("logged in to " + url() + " as bob\n");
        assertThat(result.err()).contains("Your token is stored in " + credentials);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(credentials)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(credentials.getParent())))
                .isEqualTo("rwx------");
        assertThat(result.out() + result.err()).doesNotContain("bob" + TestServer.SECRET);
        assertThat(typed("topic", "list", "--json").json().at("you").at("id").text())
                .isEqualTo("bob");
        // Another address gets the agent's token, or none.
        String otherUrl = url().replace("127.0.0.1", "localhost");
        assertThat(typed("topic", "list", "--json", "--url", otherUrl)
                        .json()
                        .at("you")
                        .at("id")
                        .text())
                .isEqualTo("helper");
        assertThat(typed("token", "list", "--url", url() + "," + otherUrl).exit())
                .isEqualTo(2);
    }

    @Test
    void aNamedTokenTakesPrecedenceOverTheLogin() throws Exception {
        login("bob");
        Json topics =
                typed(Map.of("GAVEL_TOKEN", ALICE), "topic", "list", "--json").json();
        assertThat(topics.at("you").at("id").text()).isEqualTo("alice");
        assertThat(typed(Map.of("GAVEL_TOKEN", ALICE), "login", "--status").err())
                .contains("the variable GAVEL_TOKEN is set");
    }

    @Test
    void theStatusTellsWhoIsLoggedInAndLogoutEndsIt() throws Exception {
        RunningCommand.Result before = typed("login", "--status");
        assertThat(before).isEqualTo(new RunningCommand.Result(1, "not logged in to " + url() + "\n", ""));
        assertThat(typed("login", "--status", "--json").json().at("loggedIn").isTrue())
                .isFalse();
        login("alice");
        assertThat(typed("login", "--status"))
                .isEqualTo(new RunningCommand.Result(0, "logged in to " + url() + " as alice\n", ""));
        assertThat(typed("login", "--status", "--json").out())
                .isEqualTo("{\"url\":\"" + url() + "\",\"loggedIn\":true,\"name\":\"alice\"}\n");
        assertThat(typed("logout")).isEqualTo(new RunningCommand.Result(0, "logged out of " + url() + "\n", ""));
        assertThat(typed("token", "list").exit()).isEqualTo(2);
        assertThat(typed("logout").out()).isEqualTo("you are not logged in to " + url() + "\n");
        login("alice");
        assertThat(typed("logout", "--all", "--json").out()).isEqualTo("{\"loggedOut\":[\"" + url() + "\"]}\n");
        assertThat(credentials).doesNotExist();
    }

    @Test
    void aTokenThatTheServerDoesNotAcceptIsNotStored() throws Exception {
        RunningCommand.Result result = login("nobody");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("does not accept this token").doesNotContain("nobody" + TestServer.SECRET);
        assertThat(credentials).doesNotExist();
    }

    @Test
    void aLoginThatTheServerNoLongerAcceptsIsReported() throws Exception {
        login("alice");
        Files.writeString(credentials, Files.readString(credentials).replace(ALICE, "old-" + ALICE));
        RunningCommand.Result result = typed("token", "list");
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err())
                .contains("no longer accepts your login as 'alice'. A person must log in with 'gavel login' in a")
                .doesNotContain("tokens/you");
        assertThat(typedAtTerminal("token", "list").err())
                .contains("no longer accepts your login as 'alice'. Log in: ./gavel login < .gavel/tokens/you");
    }

    @Test
    void aTokenOnTheCommandLineIsRefused() throws Exception {
        RunningCommand.Result result = typed("login", "--token", ALICE);
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err())
                .contains("other users of this machine can see a token on the command line")
                .doesNotContain(ALICE);
        assertThat(credentials).doesNotExist();
    }

    @Test
    void aFileThatOthersCanReadOrThatIsDamagedIsNotUsed() throws Exception {
        login("alice");
        Files.setPosixFilePermissions(credentials, PosixFilePermissions.fromString("rw-r--r--"));
        RunningCommand.Result readable = typed("token", "list");
        assertThat(readable.exit()).isEqualTo(2);
        assertThat(readable.err()).contains("other users may be able to read your logins in " + credentials);
        Files.setPosixFilePermissions(credentials, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(credentials, "{");
        assertThat(typed("token", "list").err()).contains(credentials + " is damaged. Delete it and log in again.");
    }

    @Test
    void withoutAHomeDirectoryThereIsNoLogin() throws Exception {
        RunningCommand.Result result = RunningCommand.start(
                        directory, Map.of("GAVEL_URL", url(), "XDG_CONFIG_HOME", "relative"), "login")
                .awaitEnd();
        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("set the variable HOME or XDG_CONFIG_HOME to an absolute path");
    }

    @Test
    void theTokenIsReadFromStandardInput() throws Exception {
        Process login = process("login").start();
        try (OutputStream in = login.getOutputStream()) {
            in.write((ALICE + "\nignored\n").getBytes(UTF_8));
        }
        assertThat(new String(login.getInputStream().readAllBytes(), UTF_8))
                .isEqualTo("logged in to " + url() + " as alice\n");
        assertThat(login.waitFor()).isZero();
        Process empty =
                process("login").redirectInput(Path.of("/dev/null").toFile()).start();
        assertThat(new String(empty.getErrorStream().readAllBytes(), UTF_8)).contains("there is no token. Type it");
        assertThat(empty.waitFor()).isEqualTo(2);
    }

    @Test
    void aTerminalDoesNotShowTheTypedToken() throws Exception {
        Path options = Files.writeString(
                directory.resolve("java.options"),
                String.join(
                        "\n",
                        GavelProcessCommand.command("login").stream().skip(1).toList()));
        Path screen = directory.resolve("screen");
        ProcessBuilder builder = new ProcessBuilder(
                        "script", "-qfec", GavelProcessCommand.command().getFirst() + " @" + options, "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile());
        builder.environment().putAll(Map.of("GAVEL_URL", url(), "HOME", home.toString()));
        builder.environment().remove("XDG_CONFIG_HOME");
        Process login = builder.start();
        try (OutputStream keys = login.getOutputStream()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readString(screen).contains("Your token for " + url() + " (not shown): "));
            keys.write((ALICE + "\n").getBytes(UTF_8));
            keys.flush();
            assertThat(login.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            login.destroyForcibly();
        }
        assertThat(Files.readString(screen))
                .contains("logged in to " + url() + " as alice")
                .doesNotContain(ALICE);
    }

    @Test
    void anMcpClientNeverGetsTheLoginOfThePerson() throws Exception {
        login("alice");
        Process mcp = process("mcp", "--topic", "ops").start();
        try (OutputStream in = mcp.getOutputStream()) {
            in.write("""
                    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
                    {"jsonrpc":"2.0","method":"notifications/initialized"}
                    {"jsonrpc":"2.0","id":2,"method":"tools/list"}
                    """.getBytes(UTF_8));
            in.flush();
            String answer = mcp.inputReader(UTF_8)
                    .lines()
                    .filter(line -> line.contains("\"id\":2"))
                    .findFirst()
                    .orElseThrow();
            assertThat(answer).contains("gavel_withdraw").doesNotContain("gavel_approve");
        } finally {
            mcp.destroyForcibly();
        }
    }

    private ProcessBuilder process(String... words) {
        ProcessBuilder builder = new ProcessBuilder(GavelProcessCommand.command(words)).directory(directory.toFile());
        builder.environment().keySet().removeAll(List.of("GAVEL_TOKEN", "GAVEL_DATA", "XDG_CONFIG_HOME"));
        builder.environment().putAll(Map.of("GAVEL_URL", url(), "HOME", home.toString()));
        return builder;
    }
}
