package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;

/** Tests MCP clients' calls that coincide with other events. */
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class FacadeRacesTest {
    @TempDir
    private Path data;

    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void start() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        await().until(() -> mcpTestTopic.client("alice").tools().contains("delete_file"));
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private void admin(String method, String path, String body) throws Exception {
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + mcpTestTopic.server.listen() + path))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    }

    @Test
    void whoComesBackWithLessMayDoLess() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        assertThat(text(helper.call("read_file", "{\"path\":\"a\"}"))).isEqualTo("read_file done: a");
        admin("DELETE", "/topics/ops/members/helper", "");
        admin("PUT", "/topics/ops/members/helper", "{\"capabilities\":[\"chat.*\"]}");
        helper.beginLater("tools/call", params("read_file", "{\"path\":\"secret\"}"))
                .join();
        mcpTestTopic.client("alice").call("read_file", "{\"path\":\"last\"}");
        assertThat(mcpTestTopic.ran).noneMatch(ran -> ran.contains("secret"));
    }

    @Test
    void aProposalOfSomebodyWhoWasTakenOutIsWithdrawn() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        admin("DELETE", "/topics/ops/members/helper", "");
        mcpTestTopic.awaitState(id, "withdrawn");
        assertThat(call.answer().at("error").at("message").text()).contains("no longer a member");
    }

    @Test
    void whoWasTakenOutHearsNothingMore() throws Exception {
        PendingResponse stream = mcpTestTopic.client("helper").listen(null);
        admin("DELETE", "/topics/ops/members/helper", "");
        try (TestSocket other = mcpTestTopic.server.join("other")) {
            other.send("""
                    {"protocol":"mcpx/v0.1","id":"log-1","kind":"mcp.request.notifications/message",
                    "payload":{"jsonrpc":"2.0","method":"notifications/message",
                    "params":{"level":"error","data":"for members only"}}}""");
            assertThat(stream.next()).isEmpty();
        }
    }

    @Test
    void aClientIsToldWhenItMayDoOtherThings() throws Exception {
        PendingResponse stream = mcpTestTopic.client("guest").listen(null);
        admin("PUT", "/topics/ops/members/guest", "{\"capabilities\":[\"mcp.proposal.*\"]}");
        assertThat(stream.next().orElseThrow().at("method").text()).endsWith("list_changed");
    }

    @Test
    void aRefusedCallIsOver() throws Exception {
        TestMcpClient guestClient = mcpTestTopic.client("guest");
        String call = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
                + params("delete_file", "{}") + "}";
        HttpResponse<String> first =
                TestMcpClient.HTTP.send(guestClient.post(call).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(first.body()).contains("mcp.request.tools/call:delete_file");
        HttpResponse<String> second =
                TestMcpClient.HTTP.send(guestClient.post(call).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(second.body()).contains("mcp.request.tools/call:delete_file");
    }

    @Test
    void nobodyElseCanSayThatAPendingCallWasTakenUp() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        assertThat(text(hasty.call("delete_file", "{\"path\":\"x\"}"))).startsWith("Pending");
        String id = mcpTestTopic.awaitOpenProposal();
        try (TestSocket alice = mcpTestTopic.server.join("alice")) {
            for (String note : List.of(
                    "the caller has come back, and waits for it", "the caller has come back, and holds it as a task")) {
                alice.send("""
                        {"protocol":"mcpx/v0.1","id":"x-0123456789abcdef0123%02d-elsewhere","kind":"mcpx.status.proposal",
                        "correlationId":"%s","payload":{"status":"queued","note":"%s"}}""".formatted(note.length(), id, note));
                alice.envelope("mcpx.status.proposal");
            }
        }
        mcpTestTopic.approve(id);
        mcpTestTopic.awaitState(id, "fulfilled");
        assertThat(text(hasty.call("delete_file", "{\"path\":\"x\"}"))).isEqualTo("delete_file done: x");
        assertThat(mcpTestTopic.proposals()).hasSize(1);
    }

    @Test
    void twoEqualCallsThatArePendingAreOneProposal() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        String call = params("delete_file", "{\"path\":\"x\"}");
        CompletableFuture<PendingResponse> one = hasty.beginLater("tools/call", call);
        CompletableFuture<PendingResponse> two = hasty.beginLater("tools/call", call);
        assertThat(text(one.join().answer().at("result"))).startsWith("Pending");
        assertThat(text(two.join().answer().at("result"))).startsWith("Pending");
        one = hasty.beginLater("tools/call", call);
        two = hasty.beginLater("tools/call", call);
        one.join().answer();
        two.join().answer();
        assertThat(mcpTestTopic.proposals()).hasSize(1);
    }

    @Test
    void aClientThatGoesAwayShortlyBeforeItIsToldThatItsCallIsPendingLeavesNothingBehind() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("hasty").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() ->
                        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("withdrawn"));
    }

    @Test
    void aClientThatComesBackTooLateIsToldThatItIsOver() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        PendingResponse call = helper.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        await().until(() -> !call.lastEvent.isEmpty());
        call.cut();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> mcpTestTopic.proposal(id).at("state").text().equals("withdrawn"));
        PendingResponse resumed = helper.listen(call.lastEvent);
        resumed.next();
    }

    @Test
    void whatIsKeptForACallerIsNotNotedAsNotForwarded() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        assertThat(text(hasty.call("delete_file", "{\"path\":\"x\"}"))).startsWith("Pending:");
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id);
        await().pollDelay(Duration.ofSeconds(32)).atMost(Duration.ofSeconds(40)).until(() -> true);
        assertThat(mcpTestTopic.proposal(id).at("timeline").raw()).doesNotContain("not_forwarded");
        assertThat(text(hasty.call("delete_file", "{\"path\":\"x\"}"))).isEqualTo("delete_file done: x");
    }

    /** The query for a participant's tools; it answers when the test lets it. */
    private static JsonNode awaitToolsQuery(TestSocket socket) throws IOException {
        return socket.envelope("mcp.request.tools/list");
    }

    private static void offer(TestSocket socket, JsonNode question, String method, String result) throws IOException {
        socket.send("""
                {"protocol":"mcpx/v0.1","id":"a-%s","kind":"mcp.response.%s","to":["system:gateway"],
                "correlationId":"%s","payload":{"jsonrpc":"2.0","id":"%s","result":%s}}""".formatted(
                        question.path("id").asString(),
                        method,
                        question.path("id").asString(),
                        question.path("id").asString(),
                        result));
    }

    private static final String LATE = "{\"tools\":[{\"name\":\"late\",\"inputSchema\":{\"type\":\"object\"}}]}";

    @Test
    void aCallThatIsCancelledWhileItsToolIsLookedForIsNotMade() throws Exception {
        TestMcpClient alice = mcpTestTopic.client("alice");
        try (TestSocket other = mcpTestTopic.server.join("other")) {
            JsonNode question = awaitToolsQuery(other);
            String id = "77";
            CompletableFuture<HttpResponse<String>> call = TestMcpClient.HTTP.sendAsync(
                    alice.post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":"
                                    + params("late", "{}") + "}")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            alice.requestAndAwait("ping", "{}");
            alice.requestAndAwait("ping", "{}");
            assertThat(alice.notify("notifications/cancelled", "{\"requestId\":" + id + "}"))
                    .isEqualTo(202);
            call.join();
            offer(other, question, "tools/list", LATE);
            await().until(() -> alice.tools().contains("late"));
            other.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"end\",\"kind\":\"mcp.request.notifications/x\","
                    + "\"payload\":{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}}");
            var _ = alice.beginLater("tools/call", params("late", "{\"second\":true}"));
            JsonNode ran = other.envelope("mcp.request.tools/call:late");
            assertThat(ran.toString()).contains("second");
        }
    }

    @Test
    void aClientThatGoesAwayWhileItsToolIsLookedForLeavesNothingBehind() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        try (TestSocket other = mcpTestTopic.server.join("other")) {
            JsonNode question = awaitToolsQuery(other);
            CompletableFuture<HttpResponse<String>> call = TestMcpClient.HTTP.sendAsync(
                    helper.post("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":"
                                    + params("late", "{}") + "}")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            helper.requestAndAwait("ping", "{}");
            helper.requestAndAwait("ping", "{}");
            call.cancel(true);
            helper.requestAndAwait("ping", "{}");
            offer(other, question, "tools/list", LATE);
            await().atMost(Duration.ofSeconds(15))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> mcpTestTopic.client("alice").tools().contains("late"));
            await().pollDelay(Duration.ofSeconds(13))
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(mcpTestTopic.proposals())
                            .allMatch(each -> each.at("state").text().equals("withdrawn")));
        }
    }

    @Test
    void whoMayOnlyProposeSendsNothingToAServerUnseen() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        try (TestSocket other = mcpTestTopic.server.join("other")) {
            for (int i = 0; i < 4; i++) {
                JsonNode question = other.envelope();
                while (!question.path("kind").asString().endsWith("/list")) {
                    question = other.envelope();
                }
                String method = question.path("payload").path("method").asString();
                offer(
                        other,
                        question,
                        method,
                        switch (method) {
                            case "resources/list" -> "{\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\"}]}";
                            case "prompts/list" -> "{\"prompts\":[{\"name\":\"greet\"}]}";
                            default -> "{}";
                        });
            }
            await().until(() ->
                    hasty.requestAndAwait("resources/list", "{}").raw().contains("file:///a"));
            var _ = hasty.beginLater("resources/subscribe", "{\"uri\":\"file:///a\"}");
            var _ = hasty.beginLater(
                    "completion/complete",
                    "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"n\",\"value\":\"; rm -rf\"}}");
            List<String> seen = new ArrayList<>();
            try {
                while (true) {
                    JsonNode each = other.envelope();
                    if (each.path("from").asString().equals("hasty")) {
                        seen.add(each.path("kind").asString());
                    }
                }
            } catch (SocketTimeoutException e) {
                // No more envelopes arrive.
            }
            assertThat(seen).noneMatch(kind -> kind.startsWith("mcp.request."));
        }
    }

    @Test
    void anEqualCallWhileThePendingOneIsWaitedForMakesNoSecondProposal() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        String call = params("delete_file", "{\"path\":\"x\"}");
        assertThat(text(hasty.requestAndAwait("tools/call", call).at("result"))).startsWith("Pending");
        PendingResponse again = hasty.begin("tools/call", call);
        hasty.begin("tools/call", call).answer();
        again.answer();
        assertThat(mcpTestTopic.proposals()).hasSize(1);
    }

    @Test
    void aClientThatCameBackHasAllTheTimeAgain() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        PendingResponse call = helper.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        await().until(() -> !call.lastEvent.isEmpty());
        call.cut();
        await().pollDelay(Duration.ofSeconds(7)).until(() -> true);
        helper.listen(call.lastEvent).cut();
        await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("open");
    }

    @Test
    void whatATokenOpenedEndsWithIt() throws Exception {
        HttpResponse<String> made = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + mcpTestTopic.server.listen() + "/tokens"))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"helper\"}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        Json token = Json.parse(made.body()).orElseThrow();
        TestMcpClient helper = mcpTestTopic.client("helper");
        HttpResponse<InputStream> stream = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + mcpTestTopic.server.listen() + "/mcp/ops"))
                        .header("Authorization", "Bearer " + token.at("token").text())
                        .header("Accept", "text/event-stream")
                        .header("Mcp-Session-Id", helper.session())
                        .GET()
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        PendingResponse listening = new PendingResponse("", stream);
        assertThat(listening.status).isEqualTo(200);
        admin("DELETE", "/tokens/helper/" + token.at("id").text(), "");
        assertThat(listening.next()).isEmpty();
    }
}
