package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that an MCP client learns that a reviewer edited its call. */
@Execution(ExecutionMode.CONCURRENT) // each test has its own server, and mostly waits
class EditedCallTest {
    private static final String SENTENCE =
            " edited this call before approving it. It ran with these arguments: {\"path\":\"old/x\"}]";

    @TempDir
    private Path data;

    @SuppressWarnings("NullAway.Init") // each test sets it
    private McpTestTopic mcpTestTopic;

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private static List<String> texts(Json result) {
        return result.at("content").elements().stream()
                .map(each -> each.at("text").text())
                .toList();
    }

    private static Json decision(Json result) {
        return result.at("_meta").at("dev.gavel/decision");
    }

    private PendingResponse propose(String arguments) throws Exception {
        return mcpTestTopic.client("helper").begin("tools/call", params("delete_file", arguments));
    }

    @Test
    void theResultSaysWhoEditedTheCallAndHowItRan() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal(), "{\"path\":\"old/x\"}");
        Json result = call.answer().at("result");
        assertThat(texts(result)).containsExactly("delete_file done: old/x", "[Gavel: alice" + SENTENCE);
        assertThat(decision(result).raw())
                .isEqualTo("{\"decidedBy\":\"alice\",\"edited\":true,\"arguments\":{\"path\":\"old/x\"}}");
    }

    @Test
    void aCallThatRanAsProposedIsReturnedAsItIs() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal(), "{ \"path\" : \"x\" }");
        Json result = call.answer().at("result");
        assertThat(texts(result)).containsExactly("delete_file done: x");
        assertThat(decision(result).isPresent()).isFalse();
    }

    @Test
    void theRestOfTheResultStaysAsTheToolReturnedIt() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        mcpTestTopic.approve(
                mcpTestTopic.awaitOpenProposal(),
                "{\"odd\":{\"content\":[],\"structuredContent\":{\"n\":1.50},\"isError\":true,\"_meta\":{\"a\":1}}}");
        Json result = call.answer().at("result");
        assertThat(result.at("structuredContent").raw()).isEqualTo("{\"n\":1.50}");
        assertThat(result.at("isError").isTrue()).isTrue();
        assertThat(result.at("_meta").at("a").raw()).isEqualTo("1");
        assertThat(decision(result).at("edited").isTrue()).isTrue();
        assertThat(texts(result)).hasSize(1);
    }

    @Test
    void aResultWithoutContentGetsTheSentenceAsItsOnlyContent() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal(), "{\"odd\":{\"structuredContent\":{\"n\":1}}}");
        Json result = call.answer().at("result");
        assertThat(texts(result)).singleElement().asString().startsWith("[Gavel: alice edited this call");
        assertThat(result.at("structuredContent").raw()).isEqualTo("{\"n\":1}");
    }

    @Test
    void contentThatIsNotAListStaysAsItIs() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal(), "{\"odd\":{\"content\":\"done\"}}");
        Json result = call.answer().at("result");
        assertThat(result.at("content").raw()).isEqualTo("\"done\"");
        assertThat(decision(result).at("edited").isTrue()).isTrue();
    }

    @Test
    void aResourceNamesTheParametersThatTheReviewerChanged() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        mcpTestTopic.serve(
                "third",
                new Tools()
                        .method("resources/list", McpTestTopic.fixed("{\"resources\":[{\"uri\":\"file:///a\"}]}"))
                        .method("resources/read", McpTestTopic.fixed("{\"contents\":[]}")));
        PendingResponse read =
                mcpTestTopic.client("helper").begin("resources/read", "{\"uri\":\"file:///a\",\"lines\":\"all\"}");
        mcpTestTopic.fulfil(
                mcpTestTopic.awaitOpenProposal(),
                "third",
                "resources/read:file:///a",
                "{\"uri\":\"file:///a\",\"range\":\"0-10\"}");
        assertThat(decision(read.answer().at("result")).raw())
                .isEqualTo("{\"decidedBy\":\"alice\",\"edited\":true,"
                        + "\"changedParams\":{\"lines\":null,\"range\":\"0-10\"}}");
    }

    @Test
    void aProtocolErrorOfAnEditedCallSaysSo() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        mcpTestTopic.approve(mcpTestTopic.awaitOpenProposal(), "{\"fault\":true}");
        Json error = call.answer().at("error");
        assertThat(error.at("message").text()).startsWith("it broke [Gavel: alice edited this call");
        assertThat(error.at("data").at("dev.gavel/decision").at("arguments").raw())
                .isEqualTo("{\"fault\":true}");
    }

    @Test
    void aResultThatIsFetchedLaterSaysItToo() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        assertThat(texts(hasty.call("delete_file", "{\"path\":\"x\"}")).getFirst())
                .startsWith("Pending");
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id, "{\"path\":\"old/x\"}");
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
        Json result = hasty.call("delete_file", "{\"path\":\"x\"}");
        assertThat(texts(result)).containsExactly("delete_file done: old/x", "[Gavel: alice" + SENTENCE);
        assertThat(decision(result).at("decidedBy").text()).isEqualTo("alice");
    }

    @Test
    void aTaskSaysItToo() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        StatelessMcpClient helper =
                new StatelessMcpClient(mcpTestTopic.server, "helper").withCapabilities(StatelessMcpClient.TASKS);
        String id = helper.call("delete_file", "{\"path\":\"x\"}").at("taskId").text();
        mcpTestTopic.approve(id, "{\"path\":\"old/x\"}");
        Json task = await().until(
                        () -> helper.task(id), it -> it.at("status").text().equals("completed"));
        assertThat(texts(task.at("result"))).contains("[Gavel: alice" + SENTENCE);
        assertThat(decision(task.at("result")).at("edited").isTrue()).isTrue();
    }

    @Test
    void listsShowTheArgumentsAsRun() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        PendingResponse call = propose("{\"path\":\"x\"}");
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id, "{\"path\":\"old/x\"}");
        call.answer();
        Json listed = mcpTestTopic.proposals().getFirst();
        assertThat(listed.at("edited").isTrue()).isTrue();
        assertThat(listed.at("fulfilledParams").at("arguments").raw()).isEqualTo("{\"path\":\"old/x\"}");
        assertThat(listed.at("payload").at("params").at("arguments").raw()).isEqualTo("{\"path\":\"x\"}");
        Json status = mcpTestTopic.client("helper").call("gavel_status", "{}");
        assertThat(texts(status).getFirst())
                .contains("delete_file {\"path\":\"old/x\"} (arguments edited by the reviewer) from helper");
        Json proposal =
                status.at("structuredContent").at("proposals").elements().getFirst();
        assertThat(proposal.at("edited").isTrue()).isTrue();
        assertThat(proposal.at("params").at("arguments").raw()).isEqualTo("{\"path\":\"old/x\"}");
    }

    @Test
    void whereReviewersAreHiddenNoTextForTheProposerNamesThem() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data, "showApprovers: false");
        TestMcpClient hasty = mcpTestTopic.client("hasty");
        Json pending = hasty.call("delete_file", "{\"path\":\"x\"}");
        assertThat(texts(pending).getFirst())
                .contains("waiting for a reviewer (not connected)")
                .doesNotContain("alice");
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(mcpTestTopic.proposal(id).at("guidance").at("status").text())
                .as("alice is not the proposer")
                .contains("waiting for alice");
        assertThat(hasty.call("gavel_status", "{}").raw()).doesNotContain("alice");
        mcpTestTopic.approve(id, "{\"path\":\"old/x\"}");
        await().until(() -> mcpTestTopic.proposal(id).at("outcome").text().equals("succeeded"));
        Json result = hasty.call("delete_file", "{\"path\":\"x\"}");
        assertThat(texts(result)).contains("[Gavel: a reviewer" + SENTENCE);
        assertThat(result.raw()).doesNotContain("alice");
        assertThat(decision(result).members()).doesNotContainKey("decidedBy");
        String shown =
                mcpTestTopic.getAs("hasty", "/topics/ops/proposals/" + id).raw();
        assertThat(shown).doesNotContain("alice").contains("\"by\":\"a reviewer\"");

        hasty.call("delete_file", "{\"path\":\"y\"}");
        String second = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.client("alice").call("gavel_reject", "{\"proposal\":\"" + second + "\",\"reason\":\"unsafe\"}");
        mcpTestTopic.awaitState(second, "rejected");
        assertThat(texts(hasty.call("delete_file", "{\"path\":\"y\"}")).getFirst())
                .startsWith("Not run: rejected by a reviewer: unsafe");
    }
}
