package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static dev.gavel.app.mcp.TestMcpClient.withProgress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Answer;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that a repeated call is the same call: it creates no second proposal, runs once, and gets the result. */
@SuppressWarnings("NullAway.Init") // set before each test
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class JoinedCallTest {
    private static final String ARGUMENTS = "{\"path\":\"x\",\"n\":1}";
    private static final String SAME_ARGUMENTS = "{\"n\":1,\"path\":\"x\"}";
    private static final String DONE = "delete_file done: x";

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

    private PendingResponse call(String identity, String arguments) throws Exception {
        return mcpTestTopic.client(identity).begin("tools/call", withProgress("delete_file", arguments, "\"token\""));
    }

    private static boolean isJoined(Json result) {
        return result.at("_meta").at("dev.gavel/joined").isTrue();
    }

    @Test
    void allClientsThatWaitGetTheResultOfOneRun() throws Exception {
        PendingResponse first = call("helper", ARGUMENTS);
        String id = mcpTestTopic.awaitOpenProposal();
        PendingResponse second = call("helper", SAME_ARGUMENTS);
        PendingResponse third = call("helper", ARGUMENTS);
        second.next();
        third.next();
        assertThat(mcpTestTopic.proposals()).hasSize(1);
        mcpTestTopic.approve(id);
        Json firstResult = first.answer().at("result");
        assertThat(text(firstResult)).isEqualTo(DONE);
        assertThat(isJoined(firstResult)).isFalse();
        for (PendingResponse joined : List.of(second, third)) {
            Json result = joined.answer().at("result");
            assertThat(text(result)).isEqualTo(DONE);
            assertThat(isJoined(result)).isTrue();
        }
        assertThat(mcpTestTopic.ran).hasSize(1);

        call("helper", ARGUMENTS);
        assertThat(mcpTestTopic.awaitOpenProposal())
                .as("after the result was delivered, an equal call is a new one")
                .isNotEqualTo(id);
    }

    @Test
    void aClientThatGaveUpWithoutCancellingJoinsItsOwnCall() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        PendingResponse gaveUp = helper.begin("tools/call", params("delete_file", ARGUMENTS));
        String id = mcpTestTopic.awaitOpenProposal();
        PendingResponse again = helper.begin("tools/call", params("delete_file", ARGUMENTS));
        gaveUp.cut();
        mcpTestTopic.approve(id);
        assertThat(text(again.answer().at("result"))).isEqualTo(DONE);
        assertThat(mcpTestTopic.ran).hasSize(1);
        assertThat(mcpTestTopic.proposals()).hasSize(1);
    }

    @Test
    void otherClientsKeepWaitingIfOneCancels() throws Exception {
        TestMcpClient canceller = mcpTestTopic.client("helper");
        PendingResponse cancelled = canceller.begin("tools/call", withProgress("delete_file", ARGUMENTS, "\"token\""));
        String id = mcpTestTopic.awaitOpenProposal();
        PendingResponse waiting = call("helper", ARGUMENTS);
        waiting.next();
        canceller.notify("notifications/cancelled", "{\"requestId\":" + cancelled.id + "}");
        mcpTestTopic.approve(id);
        assertThat(text(waiting.answer().at("result"))).isEqualTo(DONE);
    }

    @Test
    void theResultOfACallThatLostItsConnectionWhileItRanIsDeliveredOnce() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        mcpTestTopic.serve("third", new Tools().tool("slow", _ -> {
                    runs.incrementAndGet();
                    started.countDown();
                    mayEnd.await();
                    return Answer.text("slow done");
                }));
        PendingResponse lost = mcpTestTopic.client("helper").begin("tools/call", withProgress("slow", "{}", "\"t\""));
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id);
        started.await();
        lost.cut();
        mayEnd.countDown();
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
        Json result = mcpTestTopic.client("helper").call("slow", "{}");
        assertThat(text(result)).isEqualTo("slow done");
        assertThat(isJoined(result)).isTrue();
        assertThat(runs).hasValue(1);
        mcpTestTopic.client("helper").begin("tools/call", withProgress("slow", "{}", "\"t\""));
        assertThat(mcpTestTopic.awaitOpenProposal()).isNotEqualTo(id);
    }

    @Test
    void aRejectionThatDidNotArriveIsDeliveredToTheRepeatedCall() throws Exception {
        PendingResponse lost = call("helper", ARGUMENTS);
        String id = mcpTestTopic.awaitOpenProposal();
        lost.cut();
        mcpTestTopic.client("alice").call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"policy\"}");
        mcpTestTopic.awaitState(id, "rejected");
        assertThat(text(mcpTestTopic.client("helper").call("delete_file", ARGUMENTS)))
                .startsWith("Not run: rejected by ");
    }

    @Test
    void callsWithDifferentCallIdsAreSeparate() throws Exception {
        for (String callId : List.of("a", "b", "b")) {
            mcpTestTopic
                    .client("helper")
                    .begin(
                            "tools/call",
                            "{\"name\":\"delete_file\",\"arguments\":" + ARGUMENTS
                                    + ",\"_meta\":{\"progressToken\":1,\"dev.gavel/callId\":\"" + callId + "\"}}")
                    .next();
        }
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }

    @Test
    void equalCallsAreSeparateIfTheIdentityIsConfiguredSo() throws Exception {
        call("separate", ARGUMENTS).next();
        call("separate", ARGUMENTS).next();
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }

    @Test
    void aClientThatAsksForProgressIsToldToCallAgainIfAHoldIsSet() throws Exception {
        PendingResponse hasty = call("hasty", ARGUMENTS);
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(text(hasty.answer().at("result"))).startsWith("Pending:");
        mcpTestTopic.approve(id);
        assertThat(text(call("hasty", ARGUMENTS).answer().at("result"))).isEqualTo(DONE);
        assertThat(mcpTestTopic.ran).hasSize(1);
    }

    @Test
    void callsOfOtherIdentitiesAreNotJoined() throws Exception {
        call("helper", ARGUMENTS).next();
        call("stubborn", ARGUMENTS).next();
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }
}
