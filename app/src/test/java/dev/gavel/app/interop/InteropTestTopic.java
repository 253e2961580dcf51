package dev.gavel.app.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.client.Decision;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Proposal;
import dev.gavel.client.Token;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A topic with reference MCP servers behind bridges, in which alice decides and helper proposes. Helper may call
 * {@code echo} and only propose everything else; alice receives every proposal.
 */
final class InteropTestTopic implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 40;

    private final TestServer server;
    private final Path files;
    private final Participant alice;
    private final BlockingQueue<Proposal> proposals = new LinkedBlockingQueue<>();

    InteropTestTopic(Path directory) throws IOException {
        files = Files.createDirectories(directory.resolve("files")).toRealPath();
        server = new TestServer(
                """
                listen: 127.0.0.1:0
                data: "%s"
                identities:
                  alice: {token: alice-0123456789abcdef}
                  helper: {token: helper-0123456789abcdef, linger: 3s}
                  everything: {}
                  files: {}
                topics:
                  ops:
                    participants:
                      alice: ["*"]
                      helper: ["mcp.proposal.*", "mcp.request.tools/call:echo"]
                      everything: ["mcp.response.*", "mcp.request.notifications/*"]
                      files: ["mcp.response.*", "mcp.request.notifications/*"]
                bridges:
                  everything: {topic: ops, command: %s}
                  files: {topic: ops, command: %s}
                """.formatted(
                                directory.resolve("data"),
                                InteropPrograms.yaml(InteropPrograms.everything()),
                                InteropPrograms.yaml(InteropPrograms.filesystem(files))),
                2);
        alice = Gavel.at(address()).token(Token.of(token("alice"))).topic("ops").connect();
        alice.review(proposal -> {
            proposals.add(proposal);
            return Decision.leave();
        });
        Awaitility.await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> {
            List<String> tools = tools();
            return tools.contains("echo") && tools.contains("write_file");
        });
    }

    /** The server's address. */
    String address() {
        return "http://" + server.listen();
    }

    /** The MCP endpoint of the topic. */
    String url() {
        return address() + "/mcp/ops";
    }

    static String token(String identity) {
        return identity + TestServer.SECRET;
    }

    /** The directory of the filesystem server. */
    Path files() {
        return files;
    }

    /** The environment of a program that acts as helper. */
    Map<String, String> environment() {
        return Map.of("GAVEL_URL", address(), "GAVEL_TOKEN", token("helper"));
    }

    /** The command that offers the topic as an MCP server over standard input and output. */
    static List<String> command() {
        return GavelProcessCommand.command("mcp", "--topic", "ops");
    }

    /** Waits for the next proposal that alice receives, which must be for this tool. */
    Proposal next(String tool) throws InterruptedException {
        Proposal proposal = proposals.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (proposal == null) {
            throw new AssertionError("nobody proposed anything");
        }
        assertThat(proposal.call().tool()).as(proposal.json().raw()).contains(tool);
        assertThat(proposal.from()).isEqualTo("helper");
        return proposal;
    }

    void decide(Proposal proposal, Decision decision) {
        alice.decide(proposal, decision).join();
    }

    String state(Proposal proposal) {
        return alice.proposal(proposal.id()).state();
    }

    void awaitState(Proposal proposal, String state) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(PATIENCE_SECONDS))
                .until(() -> state(proposal).equals(state));
    }

    boolean nothingProposed() {
        return proposals.isEmpty();
    }

    /** The names of helper's tools, from a hand-written request. */
    private List<String> tools() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> hello = post(
                    client,
                    Optional.empty(),
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                            + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"stage\",\"version\":\"1\"}}}");
            Optional<String> session = hello.headers().firstValue("Mcp-Session-Id");
            post(client, session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            String body = post(client, session, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}")
                    .body();
            return List.of(body.split("\"name\":\\s*\"|\"", -1));
        }
    }

    private HttpResponse<String> post(HttpClient client, Optional<String> session, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url()))
                .header("Authorization", "Bearer " + token("helper"))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2025-11-25");
        session.ifPresent(id -> request.header("Mcp-Session-Id", id));
        return client.send(
                request.POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        alice.close();
        server.close();
    }
}
