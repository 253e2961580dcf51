package dev.gavel.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.command.GavelCommands;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a server on a ledger that the version of 2026-11-17 wrote.
 *
 * <p>That version stored an event each time a proposal became reachable or unreachable, and no tool definitions. The
 * ledger has proposals in every state, a pending MCP call, an approved call without a result, tokens, roles and members
 * that an admin changed at run time, and a SEP with a comment. It was copied while that server ran.
 */
class EarlierLedgerTest {
    private static final String OPEN = "p-01a1ec49e45127dc796a74";
    private static final String OF_CAROL = "p-01a1ec4a5cbb23aeb342d9";
    private static final String RUNNING = "p-01a1ed1f4ef1dc3d31bfb8";
    private static final String RUNNING_REQUEST = "r-01a1ed1f511ed580d3d328";
    private static final String OF_ERIN = "p-01a1ed1f54e31c76907c5d";
    private static final String ERIN_TOKEN = "gvl_Ie4I5AuyP9CA0L21BCiGwA9BXbcUbdunaR4h3SVZS2E";
    private static final String CAROL_TOKEN = "gvl_wtqZ_rc6yR84uXFAT8sfeyj7HJ-CRyHV-5VW3mlFRnc";

    @TempDir
    Path data;

    private final List<String> ran = new CopyOnWriteArrayList<>();
    private TestServer server;
    private Participant files;

    @BeforeEach
    void start() throws Exception {
        try (InputStream ledger = Objects.requireNonNull(getClass().getResourceAsStream("earlier-ledger.db"))) {
            Files.copy(ledger, data.resolve("ledger.db"));
        }
        server = new TestServer("""
            listen: 127.0.0.1:0
            data: %s
            identities:
              alice: {token: alice-0123456789abcdef, roles: [admin, core-maintainer]}
              bob: {token: bob-0123456789abcdef}
              agent: {token: agent-0123456789abcdef, hold: 1s}
              files: {token: files-0123456789abcdef}
            topics:
              ops:
                ttl: {default: 36500d, max: 36500d}
                participants:
                  alice: ["*"]
                  bob: ["mcpx.reject.proposal", "mcpx.status.proposal", "chat.*"]
                  agent: ["mcp.proposal.*", "mcpx.withdraw.proposal", "chat.*", "mcp.request.tools/call:read_*"]
                  files: ["mcp.response.*", "mcp.request.notifications/*"]
            """.formatted(data), 2);
        files = Gavel.at("http://" + server.listen())
                .token(Token.of("files" + TestServer.SECRET))
                .topic("ops")
                .connect();
        files.serve(new Tools().tool("write_file", request -> {
            ran.add(request.call().arguments().at("path").text());
            return Answer.text("written");
        }));
    }

    @AfterEach
    void stop() {
        files.close();
        server.close();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request, String token) throws Exception {
        return TestMcpClient.HTTP.send(
                request.header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + server.listen() + path));
    }

    private Json get(String path) throws Exception {
        HttpResponse<String> response = send(at(path), "alice" + TestServer.SECRET);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.parse(response.body()).orElseThrow();
    }

    /** Approves a proposal as alice, for the tool definition that it shows. An earlier version stored none. */
    private void approve(String proposal) throws Exception {
        Json shown = get("/topics/ops/proposals/" + proposal);
        Json payload = shown.at("payload");
        String definition = shown.at("tools").elements().stream()
                .filter(tool -> tool.at("state").text().equals("new"))
                .map(tool -> "\"definition\":\"" + tool.at("digest").text() + "\",")
                .collect(Collectors.joining());
        HttpResponse<String> response = send(
                at("/topics/ops/messages").POST(HttpRequest.BodyPublishers.ofString("""
                        {"protocol":"mcpx/v0.1","id":"approve-%s","to":["files"],"correlationId":"%s",
                        "kind":"mcp.request.tools/call:write_file",%s
                        "payload":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}}""".formatted(
                        proposal, proposal, definition, payload.at("params").raw()))),
                "alice" + TestServer.SECRET);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        await().until(() ->
                get("/topics/ops/proposals/" + proposal).at("outcome").text().equals("succeeded"));
    }

    private String stateOf(String proposal) throws Exception {
        Json view = get("/topics/ops/proposals/" + proposal);
        return view.at("state").text()
                + view.at("outcome").asText().map(outcome -> "/" + outcome).orElse("");
    }

    /** Runs a command on the ledger and returns its output. */
    private String ledger(String... command) {
        StringWriter out = new StringWriter();
        int exitCode = GavelCommands.run(
                CommandEnvironment.ofProcess(),
                new PrintWriter(out),
                new PrintWriter(Writer.nullWriter()),
                Stream.of(List.of("ledger"), List.of(command), List.of("--data", data.toString()))
                        .flatMap(List::stream)
                        .toArray(String[]::new));
        assertThat(exitCode).as(out.toString()).isZero();
        return out.toString();
    }

    @Test
    void everyProposalHasItsState() throws Exception {
        await().until(() -> stateOf(OF_ERIN).equals("withdrawn"));
        Map<String, Long> states = get("/topics/ops/proposals?limit=100").at("proposals").elements().stream()
                .collect(Collectors.groupingBy(
                        proposal -> proposal.at("state").text()
                                + (proposal.at("outcome").isPresent()
                                        ? "/" + proposal.at("outcome").text()
                                        : ""),
                        Collectors.counting()));

        assertThat(states)
                .isEqualTo(Map.of(
                        "open", 4L,
                        "expired", 1L,
                        "withdrawn", 2L,
                        "rejected", 1L,
                        "fulfilled/pending", 1L,
                        "fulfilled/failed", 1L,
                        "fulfilled/succeeded", 3L));
    }

    @Test
    void openProposalsOfConfiguredAndRuntimeIdentitiesRun() throws Exception {
        approve(OPEN);
        approve(OF_CAROL);

        assertThat(ran).containsExactly("/tmp/old/notes/open.txt", "/tmp/old/notes/carol.txt");
        assertThat(send(at("/topics/ops/proposals"), CAROL_TOKEN).statusCode()).isEqualTo(200);
    }

    @Test
    void aPendingCallContinues() throws Exception {
        TestMcpClient agent = new TestMcpClient(server, "ops", "agent");
        agent.initialize();
        String arguments = "{\"path\":\"/tmp/old/notes/pending.txt\",\"content\":\"later\"}";

        Json pending = agent.call("write_file", arguments);
        String proposal = pending.at("_meta").at("dev.gavel/proposal").text();
        assertThat(proposal).as(pending.raw()).isEqualTo("m-01a1ec4a487950aa3b8ec6-6qcrywnq");
        approve(proposal);

        assertThat(TestMcpClient.text(agent.call("write_file", arguments))).isEqualTo("written");
        assertThat(ran).containsExactly("/tmp/old/notes/pending.txt");
    }

    @Test
    void anApprovedCallCanStillBeAnswered() throws Exception {
        assertThat(stateOf(RUNNING)).isEqualTo("fulfilled/pending");

        String answer = """
                {"protocol":"mcpx/v0.1","id":"answer","to":["alice"],"correlationId":"REQUEST",
                "kind":"mcp.response.tools/call:write_file",
                "payload":{"jsonrpc":"2.0","id":"REQUEST","result":{"content":[]}}}
                """.replace("REQUEST", RUNNING_REQUEST);
        HttpResponse<String> response = send(
                at("/topics/ops/messages").POST(HttpRequest.BodyPublishers.ofString(answer)),
                "files" + TestServer.SECRET);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        await().until(() -> stateOf(RUNNING).equals("fulfilled/succeeded"));
    }

    @Test
    void storedReachabilityStaysInTheTimeline() throws Exception {
        assertThat(get("/topics/ops/proposals/" + OPEN).at("timeline").elements())
                .extracting(step -> step.at("event").text())
                .contains("unreachable", "reachable");
    }

    @Test
    void changesOfTokensRolesAndMembersAreInEffect() throws Exception {
        assertThat(send(at("/topics/ops/proposals"), ERIN_TOKEN).statusCode()).isEqualTo(401);
        assertThat(send(at("/topics/ops/proposals"), "bob" + TestServer.SECRET).statusCode())
                .as("bob was removed from the topic")
                .isIn(403, 404);
        assertThat(get("/topics/ops/members").at("members").elements())
                .filteredOn(member -> member.at("id").text().equals("carol"))
                .singleElement()
                .satisfies(carol -> assertThat(carol.at("capabilities").texts()).contains("chat.*"));
        assertThat(get("/tokens").at("tokens").elements())
                .filteredOn(token -> token.at("name").text().equals("carol"))
                .singleElement()
                .satisfies(carol -> assertThat(carol.at("roles").texts()).containsExactly("maintainer"));
    }

    /** The earlier version left such a proposal open. */
    @Test
    void theOpenProposalOfARevokedIdentityIsWithdrawn() throws Exception {
        await().until(() -> stateOf(OF_ERIN).equals("withdrawn"));

        assertThat(get("/topics/ops/proposals/" + OF_ERIN)
                        .at("guidance")
                        .at("status")
                        .text())
                .contains("withdrawn by the gateway", "erin's last token was revoked");
    }

    @Test
    void theSepAndItsCommentAreThere() throws Exception {
        assertThat(get("/seps").at("seps").elements())
                .singleElement()
                .satisfies(sep -> assertThat(sep.at("title").text()).isEqualTo("Paging for every list"));
        assertThat(get("/seps/1").raw()).contains("Please name the limit of a page.");
    }

    @Test
    void theHashChainIsUnchangedAndContinues() throws Exception {
        assertThat(ledger("verify")).contains("no findings");

        approve(OPEN);
        server.close();

        assertThat(ledger("verify")).contains("no findings");
    }

    @Test
    void theExportHasAllEvents() throws Exception {
        Path file = data.resolve("events.jsonl");

        ledger("export", "--out", file.toString());

        List<Json> events = Files.readAllLines(file).stream()
                .map(line -> Json.parse(line).orElseThrow())
                .toList();

        assertThat(events).hasSizeGreaterThanOrEqualTo(63);
        assertThat(events)
                .extracting(event -> event.at("type").text())
                .contains("unreachable", "reachable", "fulfilled", "token.revoked", "member.removed", "commented");
    }
}
