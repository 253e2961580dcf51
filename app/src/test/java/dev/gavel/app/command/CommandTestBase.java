package dev.gavel.app.command;

import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.client.http.ListenAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base class of tests that run commands against a real server with a ledger. */
public abstract class CommandTestBase {
    /**
     * Alice and bob decide, carol may only reject, helper proposes, files and disk run the calls they receive, and tools
     * also lists its tools.
     */
    static final String CONFIG = """
            listen: 127.0.0.1:0
            identities:
              alice: {token: alice-0123456789abcdef}
              bob: {token: bob-0123456789abcdef}
              carol: {token: carol-0123456789abcdef}
              helper: {token: helper-0123456789abcdef}
              files: {token: files-0123456789abcdef}
              disk: {token: disk-0123456789abcdef}
              tools: {token: tools-0123456789abcdef}
              mallory: {token: mallory-0123456789abcdef}
            topics:
              ops:
                secret: [password, "*.token"]
                participants:
                  alice: ["*"]
                  bob: ["mcp.request.*", "mcpx.reject.proposal", "mcpx.status.proposal", "chat.*"]
                  carol: ["mcpx.reject.proposal"]
                  helper: ["mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*"]
                  files: ["mcp.response.*"]
                  disk: ["mcp.response.*"]
                  tools: ["mcp.response.*", "mcp.request.notifications/*"]
              relay:
                ledger: off
                participants:
                  alice: ["*"]
            """;

    @TempDir
    public Path directory;

    private ServerConfig config;
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        config = TestServer.config(CONFIG).withData(directory.resolve("data"));
        server = new TestServer(config, 1);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Stops the server, and restarts it at the same address on the same data. */
    public void restart(Runnable meanwhile) throws IOException {
        ListenAddress listenAddress = server.listen();
        server.close();
        meanwhile.run();
        server = new TestServer(config.withListen(listenAddress), 1);
    }

    TestServer server() {
        return server;
    }

    public String url() {
        return "http://" + server.listen();
    }

    /** Starts a command as an identity, without waiting for it. */
    RunningCommand type(String identity, String... words) {
        return RunningCommand.start(
                directory, Map.of("GAVEL_URL", url(), "GAVEL_TOKEN", identity + TestServer.SECRET), words);
    }

    /** Runs a command as an identity. */
    public RunningCommand.Result run(String identity, String... words) throws Exception {
        return type(identity, words).awaitEnd();
    }

    /** Runs a command as an identity at a terminal, where a person gives this answer to each question. */
    RunningCommand.Result runAtTerminal(String identity, String answer, String... words) throws Exception {
        return RunningCommand.startAtTerminal(
                        directory,
                        Map.of("GAVEL_URL", url(), "GAVEL_TOKEN", identity + TestServer.SECRET, "NO_COLOR", "1"),
                        answer,
                        words)
                .awaitEnd();
    }

    /** Lets helper propose to write a file; returns the proposal's id. */
    public String proposeWrite(String... extraArguments) throws Exception {
        String[] words = new String[extraArguments.length + 6];
        System.arraycopy(
                new String[] {"propose", "ops", "--tool", "write_file", "--arg", "path=/tmp/x"}, 0, words, 0, 6);
        System.arraycopy(extraArguments, 0, words, 6, extraArguments.length);
        RunningCommand.Result result = run("helper", words);
        if (result.exit() != 0) {
            throw new AssertionError(result.toString());
        }
        return id(result.out().lines().findFirst().orElseThrow());
    }

    static String id(String line) {
        return line.substring("proposed ".length()).strip();
    }

    /** Connects a participant that runs the calls it receives. */
    public TestSocket runner(String identity) throws IOException {
        return server.join(identity);
    }

    /** Connects a participant that lists its tool, and waits until the gateway knows the tool. */
    public TestToolParticipant toolParticipant(boolean readOnly) throws Exception {
        TestToolParticipant tools = new TestToolParticipant(url(), readOnly);
        String id = proposeWrite();
        // The tool is new in this proposal if its list arrives after it.
        awaitTool(id, "listed", "new");
        run("helper", "withdraw", "ops", id);
        return tools;
    }

    /** Waits until the tool of an open proposal is in one of these states. */
    public void awaitTool(String id, String... states) {
        await().until(
                        () -> run("alice", "show", "ops", id, "--json")
                                .json()
                                .at("tools")
                                .elements(),
                        tools -> tools.size() == 1
                                && List.of(states)
                                        .contains(tools.getFirst().at("state").text()));
    }

    /** The next request of a member that a runner receives, as sent. The gateway itself asks for its tools. */
    public static String request(TestSocket runner) throws IOException {
        while (true) {
            String text = new String(runner.read().payload(), StandardCharsets.UTF_8);
            if (text.contains("\"kind\":\"mcp.request.") && !text.contains("\"from\":\"system:gateway\"")) {
                return text;
            }
        }
    }

    /** Lets a runner answer its next request. */
    public static void answer(TestSocket runner, String outcome) throws IOException {
        String request = request(runner);
        String id = request.replaceFirst("(?s).*\"id\":\"(r-[0-9a-f]+)\".*", "$1");
        runner.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"a-" + id
                + "\",\"kind\":\"mcp.response.tools/call:write_file\","
                + "\"correlationId\":\"" + id + "\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\"," + outcome
                + "}}");
    }
}
