package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.mcpx.json.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the SEP service's tools with the MCP client of another project. */
class SepServiceParticipantTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private SepTestServer sepServer;

    @BeforeEach
    void open() throws Exception {
        sepServer = new SepTestServer(directory);
    }

    @AfterEach
    void close() {
        sepServer.close();
    }

    private McpSyncClient client(String identity) {
        McpSyncClient client = McpClient.sync(
                        HttpClientStreamableHttpTransport.builder("http://" + sepServer.server.listen())
                                .endpoint("/mcp/seps")
                                .requestBuilder(HttpRequest.newBuilder()
                                        .header("Authorization", "Bearer " + identity + TestServer.SECRET))
                                .build())
                .requestTimeout(PATIENCE)
                .initializationTimeout(PATIENCE)
                .build();
        client.initialize();
        return client;
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().getFirst()).text();
    }

    @Test
    void itsToolsAreOfferedWithWhatTheyTake() {
        try (McpSyncClient client = client("alice")) {
            List<Tool> tools = client.listTools().tools();
            assertThat(tools)
                    .extracting(Tool::name)
                    .contains(
                            "sep_list",
                            "sep_show",
                            "sep_next",
                            "sep_explain",
                            "sep_inbox",
                            "sep_submit",
                            "sep_comment",
                            "sep_move",
                            "sep_vote",
                            "sep_similar",
                            "sep_lint");
            Tool next = tools.stream()
                    .filter(tool -> tool.name().equals("sep_next"))
                    .findFirst()
                    .orElseThrow();
            assertThat(next.annotations().readOnlyHint()).isTrue();
            assertThat(String.valueOf(next.inputSchema())).contains("number");
        }
    }

    @Test
    void somebodySubmitsAndIsToldWhatComesNextAndARefusalSaysWhy() {
        try (McpSyncClient client = client("alice")) {
            CallToolResult submitted = call(client, "sep_submit", Map.of("document", SepTestServer.DOCUMENT));
            assertThat(submitted.isError()).isFalse();
            assertThat(text(submitted)).contains("SEP-1", "next step:");
            assertThat(String.valueOf(submitted.structuredContent())).contains("number=1");

            assertThat(text(call(client, "sep_next", Map.of("number", 1)))).contains("must act:", "moves:");
            CallToolResult unknown = call(client, "sep_show", Map.of("number", 9));
            assertThat(unknown.isError()).isTrue();
            assertThat(text(unknown)).contains("no SEP-9");
            CallToolResult wrong = call(client, "sep_next", Map.of());
            assertThat(wrong.isError()).isTrue();
        }
        try (McpSyncClient bob = client("bob")) {
            CallToolResult refused = call(bob, "sep_move", Map.of("number", 1, "to", "final"));
            assertThat(refused.isError()).isTrue();
            assertThat(text(refused)).contains("Cannot move from `proposal` to `final`.");
        }
    }

    @Test
    void whoMayNotProposesAndItIsDoneInTheNameOfWhoApproves() throws Exception {
        sepServer.request("alice", "POST", "/seps", SepTestServer.document(SepTestServer.DOCUMENT));
        sepServer.request("bob", "POST", "/seps/1/sponsor", "");
        try (McpSyncClient bob = client("bob");
                McpSyncClient carol = client("carol")) {
            assertThat(text(call(
                            bob,
                            "sep_attach",
                            Map.of("number", 1, "evidence", Map.of("goals", "https://example.org/minutes")))))
                    .contains("bob attached");
            assertThat(text(call(carol, "sep_confirm", Map.of("number", 1, "kind", "goals"))))
                    .contains("carol confirmed");
        }
        try (McpSyncClient agent = client("agent")) {
            FutureTask<CallToolResult> moving =
                    new FutureTask<>(() -> call(agent, "sep_move", Map.of("number", 1, "to", "provisional")));
            Thread.ofVirtual().start(moving);
            String proposal = await().until(
                            () -> sepServer
                                    .request("bob", "GET", "/topics/seps/proposals?state=open", "")
                                    .body()
                                    .at("proposals")
                                    .elements(),
                            open -> !open.isEmpty())
                    .getFirst()
                    .at("id")
                    .text();
            try (McpSyncClient bob = client("bob")) {
                assertThat(call(bob, "gavel_approve", Map.of("proposal", proposal, "confirm", true))
                                .isError())
                        .isNotEqualTo(true);
            }
            CallToolResult moved = moving.get(30, TimeUnit.SECONDS);
            assertThat(moved.isError()).isFalse();
            assertThat(text(moved)).contains("bob moved the SEP from draft to provisional");
        }
        Json events =
                sepServer.request("alice", "GET", "/seps/1/history", "").body().at("events");
        assertThat(events.elements().getLast().at("by").text()).isEqualTo("bob");
    }

    @Test
    void aReviewerIsToldThatTheVoteWillBeTheReviewersOwn() throws Exception {
        sepServer.request(
                "dave",
                "POST",
                "/seps/import",
                SepTestServer.document(SepTestServer.DOCUMENT.replace("Draft", "In-Review")));
        try (McpSyncClient agent = client("agent");
                McpSyncClient carol = client("carol")) {
            Tool vote = agent.listTools().tools().stream()
                    .filter(tool -> tool.name().equals("sep_vote"))
                    .findFirst()
                    .orElseThrow();
            assertThat(vote.description()).contains("it records the reviewer, not you");

            Thread.ofVirtual().start(() -> call(agent, "sep_vote", Map.of("number", 1, "ballot", "yes")));
            Json proposal = await().until(
                            () -> sepServer
                                    .request("carol", "GET", "/topics/seps/proposals?state=open", "")
                                    .body()
                                    .at("proposals")
                                    .elements(),
                            open -> !open.isEmpty())
                    .getFirst();
            assertThat(proposal.at("review").at("careful").isTrue()).isTrue();
            assertThat(proposal.at("review").at("warnings").texts()).anyMatch(text -> text.contains("as your vote"));
            assertThat(text(call(carol, "gavel_pending", Map.of()))).contains("recorded as your vote");

            CallToolResult first = call(
                    carol, "gavel_approve", Map.of("proposal", proposal.at("id").text()));
            assertThat(first.isError()).isTrue();
            assertThat(text(first)).contains("recorded as your vote");
            assertThat(sepServer
                            .request("alice", "GET", "/seps/1/history", "")
                            .body()
                            .raw())
                    .doesNotContain("voted");
        }
    }

    @Test
    void nobodyElseComesUnderItsName() throws Exception {
        SepTestServer.ApiResponse apiResponse = sepServer.request("dave", "POST", "/tokens", "{\"name\":\"sep-desk\"}");

        assertThat(apiResponse.status()).isEqualTo(409);
        assertThat(apiResponse.code()).isEqualTo("bridged");
    }
}
