package dev.gavel.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.config.DefaultServerConfig;
import dev.gavel.app.interop.GavelProcessCommand;
import dev.gavel.app.interop.InteropPrograms;
import dev.gavel.cli.ExitCode;
import dev.gavel.client.Call;
import dev.gavel.client.End;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Token;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Follows docs/first-agent.md step by step, with the commands and the script that the page shows. */
@Timeout(120)
class FirstAgentGuideTest {
    private static final Path PAGE = Path.of("../docs/first-agent.md");
    private static final Pattern SCRIPT = Pattern.compile("```js\\n(.*?)```", Pattern.DOTALL);

    @TempDir
    Path directory;

    private final List<Process> running = new ArrayList<>();
    private TestServer server;
    private String url;
    private String page;

    @BeforeEach
    void serve() throws IOException {
        server = new TestServer(
                DefaultServerConfig.config(directory.resolve(".gavel")).withListen(new ListenAddress("127.0.0.1", 0)),
                1);
        url = "http://" + server.listen();
        page = Files.readString(PAGE);
    }

    @AfterEach
    void stop() throws IOException {
        running.forEach(Process::destroyForcibly);
        server.close();
        // JUnit warns about links that lead out of the temporary directory.
        Files.deleteIfExists(directory.resolve("gavel-tutorial/node_modules"));
    }

    private RunningCommand.Result gavel(String... words) throws Exception {
        return RunningCommand.start(directory, Map.of("GAVEL_URL", url, "HOME", home().toString()), words)
                .awaitEnd();
    }

    private Path home() {
        return directory.resolve("home");
    }

    /** Logs in as the page shows it, with a redirection that only a process has. */
    private void login() throws Exception {
        assertThat(shown("login")).containsExactly("login", "<", ".gavel/tokens/you");
        ProcessBuilder builder = new ProcessBuilder(GavelProcessCommand.command("login"))
                .directory(directory.toFile())
                .redirectInput(directory.resolve(".gavel/tokens/you").toFile());
        builder.environment().keySet().removeAll(List.of("GAVEL_TOKEN", "XDG_CONFIG_HOME"));
        builder.environment().putAll(Map.of("GAVEL_URL", url, "HOME", home().toString()));
        Process login = builder.start();
        assertThat(new String(login.getInputStream().readAllBytes(), UTF_8))
                .isEqualTo("logged in to " + url + " as Owner (you)\n");
        assertThat(login.waitFor()).isZero();
        assertThat(page).contains("logged in to http://127.0.0.1:4285 as Owner (you)\n");
    }

    private String done(String... words) throws Exception {
        RunningCommand.Result result = gavel(words);
        assertThat(result.exit())
                .as(String.join(" ", words) + ": " + result.err())
                .isZero();
        return result.out();
    }

    /** The words of the command on the page that begins with this text, without its redirection. */
    private List<String> shown(String beginning) {
        String line = page.replace("\\\n", "")
                .lines()
                .filter(each -> each.startsWith("./gavel " + beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the page does not show ./gavel " + beginning));
        return Stream.of(line.replaceFirst(" *> .*", "").replace("'", "").split(" +", -1))
                .skip(1)
                .toList();
    }

    private String doneAsShown(String beginning) throws Exception {
        return done(shown(beginning).toArray(String[]::new));
    }

    private String token(String name, String capability) throws Exception {
        login();
        return done("token", "create", name, "--topic", "main", "--capability", capability, "--expires", "30d")
                .strip();
    }

    private Participant join(String token) {
        return Gavel.at(url).token(Token.of(token)).topic("main").connect();
    }

    private String metrics() throws IOException {
        try (var in = URI.create(url + "/metrics").toURL().openStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    /** The IDs of the proposals in a state. */
    private List<String> proposals(String state) throws Exception {
        return gavel("proposals", "main", "--state", state, "--json").json().at("proposals").elements().stream()
                .map((Json proposal) -> proposal.at("id").text())
                .toList();
    }

    /** Starts the bridge as the page shows it, with the installed filesystem server instead of npx. */
    private Process bridge(Path tutorial) throws IOException {
        List<String> words = shown("bridge").stream()
                .map(word -> word.replace("$HOME/gavel-tutorial", tutorial.toString()))
                .toList();
        int program = words.indexOf("--") + 1;
        assertThat(words.subList(program, words.size()))
                .containsExactly("npx", "-y", "@modelcontextprotocol/server-filesystem", "~/gavel-tutorial/files");
        List<String> command = new ArrayList<>(words.subList(0, program));
        command.addAll(InteropPrograms.filesystem(tutorial.resolve("files")));
        ProcessBuilder builder = new ProcessBuilder(GavelProcessCommand.command(command.toArray(String[]::new)))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("GAVEL_URL", url);
        Process bridge = builder.start();
        running.add(bridge);
        return bridge;
    }

    /** Starts the script that the page shows. */
    private Process agent(Path tutorial) throws IOException {
        Process agent = new ProcessBuilder(InteropPrograms.node().toString(), "agent.mjs", url + "/mcp/main")
                .directory(tutorial.toFile())
                .redirectErrorStream(true)
                .start();
        running.add(agent);
        return agent;
    }

    @Test
    void anAgentReadsAtOnceWritesWhenApprovedAndLosesItsToken() throws Exception {
        Path tutorial = Files.createDirectory(directory.toRealPath().resolve("gavel-tutorial"));
        Path files = Files.createDirectory(tutorial.resolve("files"));
        Files.writeString(files.resolve("notes.txt"), "Buy milk.\n");
        Files.createSymbolicLink(
                tutorial.resolve("node_modules"), InteropPrograms.folder().resolve("node_modules"));
        Matcher script = SCRIPT.matcher(page);
        assertThat(script.find()).isTrue();
        Files.writeString(tutorial.resolve("agent.mjs"), script.group(1));

        login();
        String helperToken = doneAsShown("token create helper");
        Files.writeString(tutorial.resolve("helper.token"), helperToken);
        String filesToken = doneAsShown("token create files");
        Files.writeString(tutorial.resolve("files.token"), filesToken);
        String connected = bridge(tutorial).inputReader(UTF_8).readLine();
        assertThat(connected).isEqualTo("connected 'files' to topic 'main' with 14 tools");
        assertThat(page).contains(connected);

        Process agent = agent(tutorial);
        BufferedReader out = agent.inputReader(UTF_8);
        String tools = out.readLine();
        assertThat(tools).startsWith("tools: ").contains("read_text_file", "write_file", "gavel_status");
        assertThat(page).contains(tools);
        assertThat(out.readLine()).isEqualTo("read: Buy milk.");
        assertThat(out.readLine()).startsWith("waiting for Owner (not connected); expires ");
        assertThat(files.resolve("todo.txt")).doesNotExist();

        assertThat(doneAsShown("proposals main")).contains("write_file path=");
        String id = proposals("open").getFirst();
        assertThat(done("show", "main", id)).contains("waiting for Owner (not connected)");
        String succeeded = "Successfully wrote to " + files.resolve("todo.txt");
        assertThat(done("approve", "main", id, "--yes", "--wait"))
                .contains("approved " + id + ": write_file", succeeded);
        assertThat(out.lines().toList()).last().isEqualTo("written: " + succeeded);
        assertThat(agent.waitFor()).isZero();
        assertThat(files.resolve("todo.txt")).hasContent("- Buy milk\n");
        assertThat(done("show", "main", id))
                .contains("approved by Owner, runs on files", "answered by files: succeeded", succeeded)
                .contains(shownContent());
        String data = directory.resolve(".gavel").toString();
        assertThat(verifiedStreams(done("ledger", "verify", "--data", data)))
                .hasSize(5)
                .containsExactlyElementsOf(verifiedStreams(page));
        assertThat(metrics())
                .contains(
                        "gavel_proposals_total{topic=\"main\",end=\"fulfilled\"} 1\n",
                        "gavel_outcomes_total{topic=\"main\",outcome=\"succeeded\"} 1\n");

        assertThat(agent(tutorial).inputReader(UTF_8).lines().anyMatch(line -> line.startsWith("waiting for Owner")))
                .isTrue();
        assertThat(doneAsShown("token revoke")).startsWith("revoked k-");
        await().atMost(Duration.ofSeconds(40))
                .until(() -> proposals("withdrawn").size() == 1);
        Process refused = agent(tutorial);
        String error = refused.inputReader(UTF_8)
                .lines()
                .filter(line -> line.startsWith("StreamableHTTPError: "))
                .findFirst()
                .orElseThrow();
        assertThat(error).contains("\"status\":401");
        assertThat(page).contains(error);
        assertThat(refused.waitFor()).isOne();

        Path export = directory.resolve("export.jsonl");
        done("ledger", "export", "--data", data, "--out", export.toString());
        assertThat(export)
                .content()
                .contains("\"type\":\"token.created\",\"by\":\"you\"", "\"type\":\"token.revoked\",\"by\":\"you\"")
                .contains("\"type\":\"fulfilled\",\"by\":\"you\"", "\"type\":\"answered\",\"by\":\"files\"")
                .doesNotContain(filesToken.strip(), helperToken.strip());
        assertThat(done("ledger", "verify", "--data", data)).contains("main: ", "system:identities: 5 events verified");
    }

    /** The content of the file in the arguments of the call, as the page shows it. */
    private String shownContent() {
        String start = "\"content\": \"\"\"";
        return page.substring(page.indexOf(start), page.indexOf("\"\"\"\n", page.indexOf(start) + start.length()));
    }

    /**
     * The lines about streams in the output of a verification, without the hashes. Calls are recorded in batches, so the
     * number of their events depends on the time.
     */
    private static List<String> verifiedStreams(String text) {
        return text.lines()
                .filter(line -> line.contains(" verified; head "))
                .map(line -> line.substring(0, line.indexOf("; head ")))
                .map(line -> line.startsWith("system:calls:") ? line.replaceAll("\\d+ events?", "N events") : line)
                .toList();
    }

    @Test
    void revokingATokenClosesTheConnectionsOfALibraryClient() throws Exception {
        String helper = token("helper", "mcp.proposal.*");
        try (Participant agent = join(helper)) {
            Pending pending = agent.propose(Call.tool("delete_file").argument("path", "notes.txt"))
                    .send();
            pending.accepted().join();
            assertThat(done("proposals", "main")).contains("delete_file path=notes.txt");
            assertThat(done("token", "revoke", "helper")).startsWith("revoked k-");
            assertThatThrownBy(() -> pending.end().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(GavelException.Expelled.class);
            assertThatThrownBy(() -> join(helper)).isInstanceOf(GavelException.class);
        }
        assertThat(metrics()).contains("gavel_dropped_connections_total{topic=\"main\",reason=\"revoked\"} 1\n");
    }

    @Test
    void membersAreChangedWhileTheyAreConnected() throws Exception {
        String helper = token("helper", "mcp.proposal.*");
        try (Participant agent = join(helper)) {
            assertThat(done("member", "list", "main")).contains("helper", "mcp.proposal.*");
            done("member", "set", "main", "helper", "--capability", "chat.*");
            Pending refused = agent.propose(Call.tool("delete_file")).send();
            assertThat(refused.await()).isInstanceOf(End.Refused.class);

            done("member", "remove", "main", "helper");
            assertThat(agent.awaitOver()).isInstanceOf(GavelException.Expelled.class);
            assertThat(gavel("member", "remove", "main", "helper").exit()).isEqualTo(ExitCode.FAILURE);
        }
        assertThat(gavel("token", "revoke", "nobody").err()).contains("there is no identity 'nobody'");
    }
}
