package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests proposals as tasks of MCP's Tasks extension, on a running server. */
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class TasksTest {
    @TempDir
    private Path data;

    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void start() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private StatelessMcpClient client(String identity) {
        return new StatelessMcpClient(mcpTestTopic.server, identity).withCapabilities(StatelessMcpClient.TASKS);
    }

    /** Lets helper propose a deletion; returns the id of the task, which is that of the proposal. */
    private String startTask(String arguments) throws Exception {
        Json result = client("helper").call("delete_file", arguments);
        assertThat(result.at("resultType").text()).as(result.raw()).isEqualTo("task");
        return result.at("taskId").text();
    }

    private Json until(String id, String status) {
        return await().until(
                        () -> client("helper").task(id),
                        task -> task.at("status").text().equals(status));
    }

    @Test
    void aProposedCallIsATaskAtOnceAndItsResultIsFetchedLater() throws Exception {
        Json begun = client("helper").call("delete_file", "{\"path\":\"x\"}");
        assertThat(begun.at("resultType").text()).isEqualTo("task");
        assertThat(begun.at("status").text()).isEqualTo("working");
        assertThat(begun.at("statusMessage").text()).contains("alice").contains("expires");
        assertThat(begun.at("ttlMs").raw()).isEqualTo("null");
        assertThat(begun.at("pollIntervalMs").raw()).isEqualTo("1000");
        assertThat(Instant.parse(begun.at("createdAt").text())).isBeforeOrEqualTo(Instant.now());
        String id = begun.at("taskId").text();
        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("open");
        Json pendingTask = client("helper").task(id);
        assertThat(pendingTask.at("resultType").text()).isEqualTo("complete");
        assertThat(pendingTask.at("status").text()).isEqualTo("working");
        assertThat(pendingTask.members()).doesNotContainKeys("result", "error");
        mcpTestTopic.approve(id);
        Json done = until(id, "completed");
        assertThat(text(done.at("result"))).isEqualTo("delete_file done: x");
        assertThat(done.at("statusMessage").text()).contains("approved by alice");
        assertThat(done.at("pollIntervalMs").raw()).isEqualTo("500");
        assertThat(mcpTestTopic.ran).hasSize(1);
    }

    @Test
    void whatTheCallerMayCallItselfIsNoTask() throws Exception {
        Json result = client("helper").call("read_file", "{\"path\":\"a\"}");
        assertThat(result.at("resultType").text()).isEqualTo("complete");
        assertThat(text(result)).isEqualTo("read_file done: a");
    }

    @Test
    void whoDoesNotKnowTasksWaits() throws Exception {
        PendingResponse call = new StatelessMcpClient(mcpTestTopic.server, "helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal());
        assertThat(text(call.answer().at("result"))).isEqualTo("delete_file done: x");
    }

    @Test
    void aRejectionIsAResultThatSaysWhoAndWhy() throws Exception {
        String id = startTask("{\"path\":\"x\"}");
        mcpTestTopic
                .client("alice")
                .call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"unsafe\",\"note\":\"we need it\"}");
        Json task = until(id, "completed");
        assertThat(task.at("result").at("isError").isTrue()).isTrue();
        assertThat(text(task.at("result"))).contains("alice").contains("unsafe").contains("we need it");
    }

    @Test
    void whatTheToolReportsIsAResultAndWhatTheProtocolReportsIsAFailure() throws Exception {
        String reported = startTask("{\"fail\":true}");
        String broken = startTask("{\"fault\":true}");
        mcpTestTopic.approve(reported);
        mcpTestTopic.approve(broken);
        assertThat(until(reported, "completed").at("result").at("isError").isTrue())
                .isTrue();
        Json failed = until(broken, "failed");
        assertThat(failed.at("error").at("code").text()).isEqualTo("-32603");
        assertThat(failed.at("error").at("message").text()).isEqualTo("it broke");
        assertThat(failed.at("statusMessage").text())
                .contains("approved by alice")
                .contains("it broke");
        assertThat(failed.members()).doesNotContainKey("result");
    }

    @Test
    void whatNobodyDecidesIsAResultThatSaysSo() throws Exception {
        mcpTestTopic.close();
        mcpTestTopic = new McpTestTopic(data, "1s", "never");
        mcpTestTopic.serve("files", "delete_file");
        Json task = until(startTask("{\"path\":\"x\"}"), "completed");
        assertThat(task.at("result").at("isError").isTrue()).isTrue();
        assertThat(text(task.at("result")))
                .contains("expired before a reviewer decided")
                .contains("not rejected");
    }

    @Test
    void whereProposalsAreForgottenATaskSaysUntilWhenItIsThere() throws Exception {
        mcpTestTopic.close();
        mcpTestTopic = new McpTestTopic(data, "15m", "2h");
        mcpTestTopic.serve("files", "delete_file");
        String id = startTask("{\"path\":\"x\"}");
        Duration open = Duration.ofMillis(
                Long.parseLong(client("helper").task(id).at("ttlMs").text()));
        assertThat(open).isBetween(Duration.ofMinutes(134), Duration.ofMinutes(136));
        mcpTestTopic.approve(id);
        Duration done = Duration.ofMillis(
                Long.parseLong(until(id, "completed").at("ttlMs").text()));
        assertThat(done).isBetween(Duration.ofHours(2), open);
    }

    @Test
    void cancellingWithdrawsAndCancellingAgainIsTakenToo() throws Exception {
        String id = startTask("{\"path\":\"x\"}");
        for (int time = 0; time < 2; time++) {
            Json answer = client("helper").requestAndAwait("tasks/cancel", "{\"taskId\":\"" + id + "\"}");
            assertThat(answer.at("result").at("resultType").text()).isEqualTo("complete");
            mcpTestTopic.awaitState(id, "withdrawn");
        }
        Json task = client("helper").task(id);
        assertThat(task.at("status").text()).isEqualTo("cancelled");
        assertThat(task.at("statusMessage").text()).contains("withdrawn");
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @Test
    void anUpdateIsTakenThoughNothingWasAskedFor() throws Exception {
        String id = startTask("{\"path\":\"x\"}");
        Json answer = client("helper")
                .requestAndAwait("tasks/update", "{\"taskId\":\"" + id + "\",\"inputResponses\":{\"k\":{}}}");
        assertThat(answer.at("result").at("resultType").text()).isEqualTo("complete");
        assertThat(client("helper").task(id).at("status").text()).isEqualTo("working");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tasks/get", "tasks/update", "tasks/cancel"})
    void tasksAreTheirMakersAlone(String method) throws Exception {
        String id = startTask("{\"path\":\"x\"}");
        for (StatelessMcpClient other : new StatelessMcpClient[] {client("alice"), client("stubborn")}) {
            Json error = other.requestAndAwait(method, "{\"taskId\":\"" + id + "\",\"inputResponses\":{}}")
                    .at("error");
            assertThat(error.at("code").text()).isEqualTo("-32602");
        }
        Json unknown = client("helper")
                .requestAndAwait(method, "{\"taskId\":\"t-none\",\"inputResponses\":{}}")
                .at("error");
        assertThat(unknown.at("code").text()).isEqualTo("-32602");
        PendingResponse undeclared = new StatelessMcpClient(mcpTestTopic.server, "helper")
                .begin(method, "{\"taskId\":\"" + id + "\",\"inputResponses\":{}}");
        assertThat(undeclared.status).isEqualTo(400);
        Json error = undeclared.answer().at("error");
        assertThat(error.at("code").text()).isEqualTo("-32021");
        assertThat(error.at("data").at("requiredCapabilities").at("extensions").members())
                .containsOnlyKeys("io.modelcontextprotocol/tasks");
        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("open");
    }

    @Test
    void aTaskOutlivesTheServer() throws Exception {
        String before = startTask("{\"path\":\"before\"}");
        String after = startTask("{\"path\":\"after\"}");
        mcpTestTopic.approve(before);
        until(before, "completed");
        mcpTestTopic.close();
        mcpTestTopic = McpTestTopic.withFiles(data);
        assertThat(text(client("helper").task(before).at("result"))).isEqualTo("delete_file done: before");
        assertThat(client("helper").task(after).at("status").text()).isEqualTo("working");
        mcpTestTopic.approve(after);
        assertThat(text(until(after, "completed").at("result"))).isEqualTo("delete_file done: after");
    }

    @Test
    void whoListensToATaskIsToldHowItEnds() throws Exception {
        String id = startTask("{\"path\":\"x\"}");
        PendingResponse listening = client("helper")
                .begin("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + id + "\",\"t-none\"]}}");
        Json first = listening.next().orElseThrow();
        assertThat(first.at("params").at("notifications").at("taskIds").texts()).containsExactly(id);
        mcpTestTopic.approve(id);
        Json last = first;
        while (!last.at("params").at("status").text().equals("completed")) {
            last = listening.next().orElseThrow();
            assertThat(last.at("method").text()).isEqualTo("notifications/tasks");
            assertThat(last.at("params").at("taskId").text()).isEqualTo(id);
        }
        assertThat(text(last.at("params").at("result"))).isEqualTo("delete_file done: x");
        listening.cut();
    }

    @Test
    void whoDoesNotKnowTasksCannotListenToThem() throws Exception {
        PendingResponse refused = new StatelessMcpClient(mcpTestTopic.server, "helper")
                .begin("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"t-1\"]}}");
        assertThat(refused.status).isEqualTo(400);
        assertThat(refused.answer().at("error").at("code").text()).isEqualTo("-32021");
    }

    @Test
    void aCallThatAnotherVersionLeftPendingIsTakenUpAsATask() throws Exception {
        Json pending = mcpTestTopic.client("hasty").call("delete_file", "{\"path\":\"x\"}");
        String id = pending.at("_meta").at("dev.gavel/proposal").text();
        Json task = client("hasty").call("delete_file", "{\"path\":\"x\"}");
        assertThat(task.at("taskId").text()).isEqualTo(id);
        assertThat(mcpTestTopic.proposals()).hasSize(1);
    }

    @Test
    void aClientThatWaitsForACallThatIsRepeatedAsATaskGetsTheResultToo() throws Exception {
        PendingResponse waiting = mcpTestTopic
                .client("helper")
                .begin("tools/call", TestMcpClient.withProgress("delete_file", "{\"path\":\"x\"}", "1"));
        waiting.next();
        Json task = client("helper").call("delete_file", "{\"path\":\"x\"}");
        assertThat(task.at("resultType").text()).isEqualTo("task");
        Json again = client("helper").call("delete_file", "{\"path\":\"x\"}");
        assertThat(again.at("taskId").text()).isEqualTo(task.at("taskId").text());
        mcpTestTopic.approve(task.at("taskId").text());
        assertThat(text(waiting.answer().at("result"))).isEqualTo("delete_file done: x");
        Json done = await().until(
                        () -> client("helper").task(task.at("taskId").text()),
                        each -> each.at("status").text().equals("completed"));
        assertThat(text(done.at("result"))).isEqualTo("delete_file done: x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "\"he{llo\"", "[{\"a\":1},2]"})
    void whatIsNoResultIsAFailure(String odd) throws Exception {
        String id = startTask("{\"odd\":" + odd + "}");
        mcpTestTopic.approve(id);
        assertThat(until(id, "failed").at("error").at("code").text()).isEqualTo("-32603");
        Json direct = client("helper")
                .requestAndAwait("tools/call", params("read_file", "{\"odd\":" + odd + "}"))
                .at("error");
        assertThat(direct.at("code").text()).isEqualTo("-32603");
    }

    @Test
    void aCallThatNeedsApprovalBringsNoAnswersThatNobodySaw() throws Exception {
        Json error = client("helper")
                .requestAndAwait(
                        "tools/call", "{\"name\":\"delete_file\",\"arguments\":{},\"inputResponses\":{\"a\":{}}}")
                .at("error");
        assertThat(error.at("code").text()).isEqualTo("-32602");
        assertThat(mcpTestTopic.proposals()).isEmpty();
    }

    @Test
    void whoIsTakenOutOfTheTopicHearsNoMoreAndTheStreamEndsProperly() throws Exception {
        String id = startTask("{\"path\":\"x\"}");
        PendingResponse listening =
                client("helper").begin("subscriptions/listen", "{\"notifications\":{\"taskIds\":[\"" + id + "\"]}}");
        listening.next();
        HttpResponse<String> removed = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(
                                URI.create("http://" + mcpTestTopic.server.listen() + "/topics/ops/members/helper"))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET)
                        .DELETE()
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(removed.statusCode()).isEqualTo(200);
        Json end = listening.answer();
        assertThat(end.at("id").raw()).isEqualTo(listening.id);
        assertThat(end.at("result")
                        .at("_meta")
                        .at("io.modelcontextprotocol/subscriptionId")
                        .raw())
                .isEqualTo(listening.id);
        assertThat(listening.next()).isEmpty();
    }
}
