package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static dev.gavel.app.mcp.TestMcpClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.client.Answer;
import dev.gavel.client.Participant;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a call that is addressed to one server runs on another one only if the reviewer says so. */
class AddressedCallTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path data;

    @SuppressWarnings("NullAway.Init") // set before each test
    private McpTestTopic mcpTestTopic;

    @SuppressWarnings("NullAway.Init") // set before each test
    private TestMcpClient.PendingResponse call;

    @SuppressWarnings("NullAway.Init") // set before each test
    private String id;

    /** Two servers offer the tool. The call is addressed to one of them, which then disconnects. */
    @BeforeEach
    void proposeToAServerThatLeaves() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
        Participant other =
                mcpTestTopic.serve("other", new Tools().tool("delete_file", McpTestTopic.fixed("{\"content\":[]}")));
        await().until(() -> mcpTestTopic.client("helper").tools().contains("other__delete_file"));
        call = mcpTestTopic.client("helper").begin("tools/call", params("other__delete_file", "{\"path\":\"x\"}"));
        id = mcpTestTopic.awaitOpenProposal();
        assertThat(mcpTestTopic.proposal(id).at("couldRun").texts()).containsExactly("other");
        other.close();
        await().until(() -> mcpTestTopic.proposal(id).at("couldRun").texts().isEmpty());
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private Json approve(String extra) throws Exception {
        return mcpTestTopic.client("alice").call("gavel_approve", "{\"proposal\":\"" + id + "\"" + extra + "}");
    }

    @Test
    void withoutTheReviewersChoiceItDoesNotRunOnAnotherServer() throws Exception {
        Json view = mcpTestTopic.proposal(id);
        assertThat(view.at("couldRunInstead").texts()).containsExactly("files");
        assertThat(view.at("review").at("careful").isTrue()).isTrue();
        assertThat(view.at("review").at("warnings").texts().getFirst()).contains("addressed to other");

        Json refused = approve(",\"confirm\":true");

        assertThat(refused.at("isError").isTrue()).isTrue();
        assertThat(text(refused)).contains("set 'to' to files");
        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("open");
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @Test
    void theReviewersChoiceNeedsAConfirmationAndTheCallerIsTold() throws Exception {
        Json unconfirmed = approve(",\"to\":\"files\"");
        assertThat(unconfirmed.at("isError").isTrue()).isTrue();
        assertThat(text(unconfirmed)).contains("needs care", "addressed to other");
        // What the call could do on the chosen server counts, not the claim of another one.
        assertThat(text(unconfirmed)).contains("files does not say what this tool can do");

        assertThat(approve(",\"to\":\"files\",\"confirm\":true").at("isError").isTrue())
                .isFalse();

        Json result = call.answer().at("result");
        assertThat(mcpTestTopic.ran).containsExactly("files delete_file {\"path\":\"x\"}");
        assertThat(result.at("_meta").at("dev.gavel/decision").raw())
                .isEqualTo("{\"decidedBy\":\"alice\",\"edited\":false,\"addressedTo\":[\"other\"],"
                        + "\"ranOn\":[\"files\"]}");
        assertThat(result.at("content").elements().getLast().at("text").text())
                .isEqualTo("[Gavel: alice chose another participant to run this call. Instead of on other, it ran on"
                        + " files.]");
        assertThat(mcpTestTopic.proposal(id).at("guidance").at("status").text())
                .startsWith("succeeded: approved by alice at ")
                .endsWith(" to run on files instead of other");
    }

    @Test
    void theConfirmationNamesTheEffectOnTheChosenServer() throws Exception {
        mcpTestTopic.client("alice").call("gavel_reject", "{\"proposal\":\"" + id + "\",\"reason\":\"unsafe\"}");
        call.answer();
        mcpTestTopic.serve(
                "third",
                new Tools()
                        .tool("delete_file", McpTestTopic.fixed("{\"content\":[]}"))
                        .method(
                                "tools/list",
                                _ -> Answer.result(
                                        Json.parse("{\"tools\":[{\"name\":\"delete_file\",\"inputSchema\":{},"
                                                        + "\"annotations\":{\"readOnlyHint\":true}}]}")
                                                .orElseThrow())));
        await().until(() -> mcpTestTopic.client("helper").tools().contains("third__delete_file"));
        mcpTestTopic.client("helper").begin("tools/call", params("third__delete_file", "{\"path\":\"x\"}"));
        id = mcpTestTopic.awaitOpenProposal();
        assertThat(mcpTestTopic.proposal(id).at("review").at("effect").text()).isEqualTo("read-only");

        String unconfirmed = text(approve(",\"to\":\"files\""));

        assertThat(unconfirmed)
                .contains("needs care", "the call is addressed to third, but would run on files", "files does not say")
                .doesNotContain("changes nothing");
        assertThat(mcpTestTopic.ran).isEmpty();
    }
}
