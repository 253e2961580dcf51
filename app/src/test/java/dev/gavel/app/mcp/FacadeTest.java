package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static dev.gavel.app.mcp.TestMcpClient.withProgress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Participant;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests what MCP clients see of a topic, on a running server. */
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class FacadeTest {
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

    @Test
    void aClientIsToldWhoItTalksToAndInWhichVersion() throws Exception {
        Json answer = new TestMcpClient(mcpTestTopic.server, "ops", "helper", "2025-06-18").initialize();
        assertThat(answer.at("protocolVersion").text()).isEqualTo("2025-06-18");
        assertThat(answer.at("serverInfo").at("name").text()).isEqualTo("gavel");
        assertThat(answer.at("capabilities").members()).containsKeys("tools", "prompts", "resources");
        assertThat(new TestMcpClient(mcpTestTopic.server, "ops", "helper", "1999-01-01")
                        .initialize()
                        .at("protocolVersion")
                        .text())
                .isEqualTo("2025-11-25");
    }

    @Test
    void everyCallerIsShownWhatTheyMayCallOrPropose() throws Exception {
        assertThat(mcpTestTopic.client("hasty").tools())
                .contains("read_file", "delete_file", "gavel_status", "gavel_withdraw")
                .doesNotContain("gavel_approve", "gavel_pending", "gavel_reject");
        assertThat(mcpTestTopic.client("alice").tools())
                .contains("read_file", "delete_file", "gavel_approve", "gavel_pending", "gavel_reject");
        assertThat(mcpTestTopic.client("guest").tools()).doesNotContain("read_file", "delete_file");
    }

    @Test
    void whatSeveralOfferIsCalledByWhoOffersIt() throws Exception {
        mcpTestTopic.serve("other", "read_file", "search");
        TestMcpClient helper = mcpTestTopic.client("helper");
        await().untilAsserted(() -> assertThat(helper.tools())
                .contains("files__read_file", "other__read_file", "delete_file", "search")
                .doesNotContain("read_file"));
        Json result = helper.call("other__read_file", "{\"path\":\"a\"}");
        assertThat(text(result)).isEqualTo("read_file done: a");
        assertThat(mcpTestTopic.ran).containsExactly("other read_file {\"path\":\"a\"}");
    }

    @Test
    void aClientHearsThatToolsHaveCome() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        helper.tools();
        PendingResponse news = helper.listen(null);
        mcpTestTopic.serve("other", "search");
        assertThat(news.next().orElseThrow().at("method").text()).isEqualTo("notifications/tools/list_changed");
        news.cut();
    }

    @Test
    void whatTheCallerMayCallIsCalledAtOnce() throws Exception {
        Json result =
                mcpTestTopic.client("helper").call("read_file", "{\"path\":\"a.txt\",\"big\":12345678901234567890.10}");
        assertThat(text(result)).isEqualTo("read_file done: a.txt");
        assertThat(mcpTestTopic.ran)
                .containsExactly("files read_file {\"path\":\"a.txt\",\"big\":12345678901234567890.10}");
        assertThat(mcpTestTopic.proposals()).isEmpty();
    }

    @Test
    void whatTheCallerMayOnlyProposeWaitsVisiblyAndBringsTheToolsOwnResult() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", withProgress("delete_file", "{\"path\":\"x\"}", "7"));
        Json progress = call.next().orElseThrow();
        assertThat(progress.at("method").text()).isEqualTo("notifications/progress");
        assertThat(progress.at("params").at("progressToken").raw()).isEqualTo("7");
        assertThat(progress.at("params").at("message").text()).contains("alice").contains("expires");
        assertThat(mcpTestTopic.ran).isEmpty();
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal());
        Json answer = call.answer();
        assertThat(answer.at("id").raw()).isEqualTo(call.id);
        assertThat(text(answer.at("result"))).isEqualTo("delete_file done: x");
        assertThat(mcpTestTopic.ran).hasSize(1);
    }

    @Test
    void progressTellsWhetherAReviewerIsConnected() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", withProgress("delete_file", "{\"path\":\"x\"}", "7"));
        awaitProgress(call, "alice (not connected)");
        Participant alice = mcpTestTopic.connect("alice");
        awaitProgress(call, "alice (connected)");
        alice.close();
        awaitProgress(call, "alice (not connected)");
        call.cut();
    }

    private static void awaitProgress(PendingResponse call, String part) throws Exception {
        String message = "";
        while (!message.contains(part)) {
            message = call.next().orElseThrow().at("params").at("message").text();
        }
    }

    @Test
    void aFailureOfTheToolIsTheToolsOwn() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"fail\":true}"));
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal());
        Json result = call.answer().at("result");
        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(text(result)).isEqualTo("it did not work");
    }

    @Test
    void aRejectionSaysWhoAndWhy() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        Json rejected = mcpTestTopic
                .client("alice")
                .call(
                        "gavel_reject",
                        "{\"proposal\":\"" + mcpTestTopic.awaitOpenProposal()
                                + "\",\"reason\":\"unsafe\",\"note\":\"we need that file\"}");
        assertThat(rejected.at("isError").isTrue()).isFalse();
        Json result = call.answer().at("result");
        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(text(result)).contains("alice").contains("unsafe").contains("we need that file");
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @Test
    void aCallThatNeedsCareIsApprovedOnlyWithConfirmation() throws Exception {
        PendingResponse call = mcpTestTopic
                .client("helper")
                .begin("tools/call", params("delete_file", "{\"path\":\"../\\u0078\\u200b\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        TestMcpClient alice = mcpTestTopic.client("alice");
        await().untilAsserted(() -> assertThat(text(alice.call("gavel_pending", "{}")))
                .contains("{\"path\":\"../x\\u200b\"}")
                .contains("Careful: files does not say what this tool can do")
                .contains("Check: path leaves its folder with \"..\"; path contains 1 hidden character"));
        Json review = alice.call("gavel_pending", "{}")
                .at("structuredContent")
                .at("proposals")
                .elements()
                .getFirst()
                .at("review");
        assertThat(review).isEqualTo(mcpTestTopic.proposal(id).at("review"));
        assertThat(review.at("careful").isTrue()).isTrue();
        assertThat(review.at("effect").text()).isEqualTo("destructive");
        assertThat(review.at("warnings").texts()).hasSize(2);

        for (String without : new String[] {"", ",\"confirm\":false"}) {
            Json refused = alice.call("gavel_approve", "{\"proposal\":\"" + id + "\"" + without + "}");
            assertThat(refused.at("isError").isTrue()).isTrue();
            assertThat(text(refused)).contains("Nothing was approved", "'confirm': true");
        }
        Json wrongType = alice.call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":\"true\"}");
        assertThat(wrongType.at("isError").isTrue()).isTrue();
        assertThat(text(wrongType)).isEqualTo("'confirm' must be of the type boolean. Nothing was done.");
        assertThat(mcpTestTopic.ran).isEmpty();
        mcpTestTopic.approve(id);
        assertThat(text(call.answer().at("result"))).startsWith("delete_file done");
    }

    @Test
    void aRejectionThatDoesNotCountIsAnErrorOfTheTool() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        Json result = mcpTestTopic
                .client("guest")
                .call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"unsafe\"}");
        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(text(result))
                .isEqualTo("Not rejected: " + id + ": recorded; the proposal stays open: only members who could"
                        + " approve it can close it; it waits for alice.");
        assertThat(result.at("structuredContent").at("closed").raw()).isEqualTo("false");
        mcpTestTopic.approve(id);
        assertThat(text(call.answer().at("result"))).isEqualTo("delete_file done: x");
    }

    @Test
    void aCallWithOtherArgumentsIsMadeWithThose() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        mcpTestTopic
                .client("alice")
                .call(
                        "gavel_approve",
                        "{\"proposal\":\"" + mcpTestTopic.awaitOpenProposal()
                                + "\",\"confirm\":true,\"arguments\":{\"path\":\"old/x\"}}");
        assertThat(text(call.answer().at("result"))).isEqualTo("delete_file done: old/x");
    }

    @Test
    void whatTheCallerMayNeitherCallNorProposeNamesTheCapability() throws Exception {
        Json error = mcpTestTopic
                .client("guest")
                .requestAndAwait("tools/call", params("delete_file", "{}"))
                .at("error");
        assertThat(error.at("message").text())
                .contains("mcp.request.tools/call:delete_file")
                .contains("mcp.proposal.tools/call:delete_file");
    }

    @Test
    void parameterNamesThatDifferOnlyInCaseAreInvalid() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        for (String params : List.of(
                "{\"name\":\"read_file\",\"Name\":\"delete_file\",\"arguments\":{}}",
                "{\"name\":\"read_file\",\"arguments\":{},\"Arguments\":{\"path\":\"evil\"}}",
                "{\"name\":\"delete_file\",\"arguments\":{},\"ARGUMENTS\":{\"path\":\"evil\"}}")) {
            Json error = helper.requestAndAwait("tools/call", params).at("error");
            assertThat(error.at("code").asLong(0)).isEqualTo(-32602);
            assertThat(error.at("message").text()).contains("only in case");
        }
        assertThat(mcpTestTopic.ran).isEmpty();
        assertThat(mcpTestTopic.proposals()).isEmpty();
    }

    @Test
    void anUnknownToolIsAnError() throws Exception {
        Json error = mcpTestTopic
                .client("helper")
                .requestAndAwait("tools/call", params("nothing", "{}"))
                .at("error");
        assertThat(error.at("code").raw()).isEqualTo("-32602");
        assertThat(error.at("message").text()).contains("nothing");
    }

    @Test
    void aCallThatNobodyDecidesIsPendingAndIsTakenUpByCallingAgain() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        Json pending = hasty.call("delete_file", "{\"path\":\"x\",\"n\":1}");
        assertThat(pending.at("isError").isTrue()).isFalse();
        assertThat(text(pending)).startsWith("Pending").contains("gavel_status").contains("again");
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(text(pending)).contains(id);
        assertThat(mcpTestTopic.proposal(id).at("guidance").at("status").text()).contains("call again");
        PendingResponse again = hasty.begin("tools/call", params("delete_file", "{\"n\":1,\"path\":\"x\"}"));
        mcpTestTopic.approve(id);
        assertThat(text(again.answer().at("result"))).isEqualTo("delete_file done: x");
        assertThat(mcpTestTopic.proposals()).hasSize(1);
        // The result is returned once: the same call again is a new one.
        assertThat(text(hasty.call("delete_file", "{\"path\":\"x\",\"n\":1}"))).startsWith("Pending");
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }

    @Test
    void whatWasDecidedMeanwhileIsFetchedByCallingAgain() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        hasty.call("delete_file", "{\"path\":\"x\"}");
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id);
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
        assertThat(text(hasty.call("delete_file", "{\"path\":\"x\"}"))).isEqualTo("delete_file done: x");
        assertThat(mcpTestTopic.proposals()).hasSize(1);
        assertThat(mcpTestTopic.ran).hasSize(1);
    }

    @Test
    void otherArgumentsAreAnotherCall() throws Exception {
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        hasty.call("delete_file", "{\"path\":\"x\"}");
        hasty.call("delete_file", "{\"path\":\"y\"}");
        assertThat(mcpTestTopic.proposals()).hasSize(2);
    }

    @Test
    void cancellingWithdrawsTheProposal() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        PendingResponse call = helper.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(helper.notify(
                        "notifications/cancelled", "{\"requestId\":" + call.id + ",\"reason\":\"changed my mind\"}"))
                .isEqualTo(202);
        Json withdrawn = mcpTestTopic.awaitState(id, "withdrawn");
        assertThat(withdrawn.raw()).contains("changed my mind");
        assertThat(call.next()).isEmpty();
    }

    @Test
    void aClientThatGoesAwayLeavesNothingBehind() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() ->
                        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("withdrawn"));
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @Test
    void aClientThatWasCutOffGoesOnWhereItWas() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        PendingResponse call = helper.begin("tools/call", withProgress("delete_file", "{\"path\":\"x\"}", "\"t\""));
        call.next();
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        PendingResponse resumed = helper.listen(call.lastEvent);
        mcpTestTopic.approve(id);
        Json answer = resumed.answer();
        assertThat(answer.at("id").raw()).isEqualTo(call.id);
        assertThat(text(answer.at("result"))).isEqualTo("delete_file done: x");
    }

    @Test
    void whereTheConfigurationSaysSoAProposalOutlivesItsConnection() throws Exception {
        TestMcpClient stubborn = mcpTestTopic.client("stubborn");
        PendingResponse call = stubborn.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        call.cut();
        Json proposal = mcpTestTopic.awaitCallerDisconnected(id);
        assertThat(proposal.at("callerDisconnected").at("until").isPresent())
                .as("the proposal stays open until it expires")
                .isFalse();
        assertThat(text(stubborn.call("delete_file", "{\"path\":\"x\"}"))).startsWith("Pending:");
        mcpTestTopic.approve(id);
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
        assertThat(text(stubborn.call("delete_file", "{\"path\":\"x\"}"))).isEqualTo("delete_file done: x");
    }

    @Test
    void endingTheSessionWithdrawsWhatWaits() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        helper.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(helper.end()).isEqualTo(204);
        mcpTestTopic.awaitState(id, "withdrawn");
        assertThat(helper.begin("ping", "{}").status).isEqualTo(404);
    }

    @Test
    void myProposalsCanBeSeenAndWithdrawn() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        PendingResponse call = helper.begin("tools/call", params("delete_file", "{\"path\":\"x\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(text(helper.call("gavel_status", "{\"id\":\"zzz\"}")))
                .isEqualTo("gavel_status has no argument 'id'. Its arguments are: proposal. Nothing was done.");
        assertThat(text(helper.call("gavel_status", "{}")))
                .contains(id)
                .contains("open")
                .contains("delete_file");
        assertThat(text(mcpTestTopic.client("alice").call("gavel_pending", "{}")))
                .contains(id)
                .contains("\"path\":\"x\"");
        assertThat(text(mcpTestTopic.client("hasty").call("gavel_status", "{\"proposal\":\"" + id + "\"}")))
                .contains("no proposal");
        assertThat(mcpTestTopic
                        .client("hasty")
                        .call("gavel_withdraw", "{\"proposal\":\"" + id + "\"}")
                        .at("isError")
                        .isTrue())
                .isTrue();
        assertThat(text(helper.call("gavel_withdraw", "{\"proposal\":\"" + id + "\",\"reason\":\"no need\"}")))
                .startsWith("Withdrawn");
        assertThat(text(call.answer().at("result"))).contains("withdrawn").contains("no need");
    }

    @Test
    void whereNothingIsKeptNothingIsProposed() throws Exception {
        TestMcpClient helper = new TestMcpClient(mcpTestTopic.server, "relay", "helper");
        helper.initialize();
        assertThat(helper.tools()).isEmpty();
    }

    @Test
    void aThousandCallsWaitAtOnceWithoutAThreadEach() throws Exception {
        TestMcpClient helper = mcpTestTopic.client("helper");
        int before = Thread.getAllStackTraces().size();
        List<CompletableFuture<PendingResponse>> calls = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            calls.add(helper.beginLater("tools/call", params("delete_file", "{\"path\":\"" + i + "\"}")));
        }
        for (var call : calls) {
            assertThat(call.join().status).isEqualTo(200);
        }
        assertThat(Thread.getAllStackTraces().size()).isLessThan(before + 500);
        assertThat(helper.end()).isEqualTo(204);
        await().until(() -> mcpTestTopic.proposals().stream()
                .allMatch(each -> each.at("state").text().equals("withdrawn")));
        assertThat(Optional.of(mcpTestTopic.ran)).hasValue(List.of());
    }

    @Test
    void aCallBeyondTheAskLimitIsDeniedAsAToolResultAndARepeatedCallIsNot() throws Exception {
        TestMcpClient eager = mcpTestTopic.client("eager");
        PendingResponse call = eager.begin("tools/call", params("delete_file", "{\"path\":\"first\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        Json denied = eager.call("delete_file", "{\"path\":\"second\"}");
        assertThat(denied.at("isError").isTrue()).isTrue();
        assertThat(text(denied)).startsWith("Denied: 1 of your proposals");
        assertThat(denied.at("_meta").at("dev.gavel/error").text()).isEqualTo("ask_limit");
        mcpTestTopic.approve(id);
        assertThat(text(call.answer().at("result"))).isEqualTo("delete_file done: first");
    }

    @Test
    void callsThatTheClientWithdrawsOrCancelsStillCountForTheHour() throws Exception {
        TestMcpClient restless = mcpTestTopic.client("restless");
        PendingResponse withdrawn = restless.begin("tools/call", params("delete_file", "{\"path\":\"first\"}"));
        String first = mcpTestTopic.awaitOpenProposal();
        restless.call("gavel_withdraw", "{\"proposal\":\"" + first + "\"}");
        assertThat(withdrawn.answer().at("result").at("isError").isTrue()).isTrue();
        PendingResponse cancelled = restless.begin("tools/call", params("delete_file", "{\"path\":\"second\"}"));
        String second = mcpTestTopic.awaitOpenProposal();
        assertThat(restless.notify("notifications/cancelled", "{\"requestId\":" + cancelled.id + "}"))
                .isEqualTo(202);
        mcpTestTopic.awaitState(second, "withdrawn");
        Json denied = restless.call("delete_file", "{\"path\":\"third\"}");
        assertThat(text(denied)).startsWith("Denied: you made 2 proposals within the last hour");
        assertThat(denied.at("_meta").at("dev.gavel/error").text()).isEqualTo("ask_limit");
    }
}
