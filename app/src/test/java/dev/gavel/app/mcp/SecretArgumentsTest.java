package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.client.Decision;
import dev.gavel.client.Proposal;
import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that secret arguments are hidden from MCP clients and over HTTP, and run as proposed. */
class SecretArgumentsTest {
    private static final String SECRET = "hunter2-hunter2";
    private static final String HIDDEN = "{\"dev.gavel/redacted\":\"secret\"}";

    @TempDir
    private Path data;

    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void start() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data, "secret: [password]");
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private PendingResponse propose(String arguments) throws Exception {
        return mcpTestTopic.client("helper").begin("tools/call", params("delete_file", arguments));
    }

    @Test
    void aReviewerThatDoesNotRevealSecretsStillApprovesTheRealCall() throws Exception {
        PendingResponse call = propose("{\"path\":\"x\",\"password\":\"" + SECRET + "\"}");
        String id = mcpTestTopic.awaitOpenProposal();
        Json pending = mcpTestTopic.client("alice").call("gavel_pending", "{}");
        assertThat(pending.raw()).doesNotContain(SECRET);
        assertThat(pending.at("structuredContent")
                        .at("proposals")
                        .elements()
                        .getFirst()
                        .at("params")
                        .at("arguments")
                        .raw())
                .isEqualTo("{\"path\":\"x\",\"password\":" + HIDDEN + "}");
        assertThat(mcpTestTopic.proposal(id).raw()).doesNotContain(SECRET).contains("\"redacted\":true");
        mcpTestTopic.approve(id, "{\"path\":\"y\",\"password\":" + HIDDEN + "}");
        Json result = call.answer().at("result");
        assertThat(mcpTestTopic.ran)
                .containsExactly("files delete_file {\"path\":\"y\",\"password\":\"" + SECRET + "\"}");
        assertThat(result.raw()).contains("\"edited\":true").doesNotContain(SECRET);
        assertThat(mcpTestTopic.client("helper").call("gavel_status", "{}").raw())
                .doesNotContain(SECRET);
    }

    @Test
    void aRevealIsRecordedBeforeTheSecretsAreShown() throws Exception {
        propose("{\"password\":\"" + SECRET + "\"}");
        String id = mcpTestTopic.awaitOpenProposal();
        Json revealed = mcpTestTopic.client("alice").call("gavel_pending", "{\"reveal\":\"" + id + "\"}");
        assertThat(revealed.raw()).contains(SECRET);
        assertThat(mcpTestTopic.proposal(id).at("timeline").elements()).anySatisfy(step -> {
            assertThat(step.at("event").text()).isEqualTo("secrets_revealed");
            assertThat(step.at("by").text()).isEqualTo("alice");
        });
        Json refused = mcpTestTopic.client("guest").call("gavel_pending", "{\"reveal\":\"" + id + "\"}");
        assertThat(refused.at("isError").isTrue()).isTrue();
        assertThat(refused.raw()).doesNotContain(SECRET);
    }

    @Test
    void theToolsSchemaMarksArgumentsAsSecret() throws Exception {
        mcpTestTopic.serveMarked(
                "log_in",
                "{\"type\":\"object\",\"properties\":{\"user\":{\"type\":\"string\"},\"pin\":"
                        + "{\"type\":\"string\",\"format\":\"password\"}}}");
        TestMcpClient helper = mcpTestTopic.client("helper");
        await().until(() -> helper.tools().contains("log_in"));
        PendingResponse call = helper.begin("tools/call", params("log_in", "{\"user\":\"a\",\"pin\":\"4711-4711\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        assertThat(mcpTestTopic
                        .proposal(id)
                        .at("payload")
                        .at("params")
                        .at("arguments")
                        .raw())
                .isEqualTo("{\"user\":\"a\",\"pin\":" + HIDDEN + "}");
        mcpTestTopic.approve(id);
        call.answer();
        assertThat(mcpTestTopic.ran).containsExactly("third log_in {\"user\":\"a\",\"pin\":\"4711-4711\"}");
    }

    @Test
    void aSecretThatTheReviewerAddsIsHidden() throws Exception {
        mcpTestTopic.serveMarked(
                "vault",
                "{\"type\":\"object\",\"properties\":{\"pin\":{\"type\":\"string\",\"format\":\"password\"}}}");
        TestMcpClient helper = mcpTestTopic.client("helper");
        await().until(() -> helper.tools().contains("vault"));
        PendingResponse call = helper.begin("tools/call", params("vault", "{}"));
        String id = mcpTestTopic.awaitOpenProposal();

        mcpTestTopic.approve(id, "{\"pin\":\"" + SECRET + "\"}");

        assertThat(call.answer().raw())
                .contains("\"edited\":true", "secret, edited by the reviewer")
                .doesNotContain(SECRET);
        assertThat(mcpTestTopic.ran).containsExactly("third vault {\"pin\":\"" + SECRET + "\"}");
        assertThat(helper.call("gavel_status", "{}").raw()).doesNotContain(SECRET);
        assertThat(mcpTestTopic.proposal(id).raw())
                .contains("secret, edited by the reviewer", "\"redacted\":true")
                .doesNotContain(SECRET);
    }

    @Test
    void aSecretValueGivesWarningsThatDoNotRevealIt() throws Exception {
        propose("{\"path\":\"x\",\"password\":\"../../etc/passwd\\u200b\"}");
        Json proposal = mcpTestTopic.proposal(mcpTestTopic.awaitOpenProposal());
        assertThat(proposal.at("review").at("warnings").texts())
                .containsExactly(
                        "password (secret) leaves its folder with \"..\"",
                        "password (secret) contains hidden characters or unusual spaces");
        assertThat(proposal.raw()).doesNotContain("etc/passwd");
    }

    @Test
    void anEditIsNotCheckedAgainstASchemaThatAllowsEverything() throws Exception {
        mcpTestTopic.serveMarked("anything", "true");
        TestMcpClient helper = mcpTestTopic.client("helper");
        await().until(() -> helper.tools().contains("anything"));
        helper.begin("tools/call", params("anything", "{}"));
        String id = mcpTestTopic.awaitOpenProposal();
        mcpTestTopic.approve(id, "{\"path\":\"y\"}");
        assertThat(check(id)).isEqualTo("no_schema");
    }

    private String proposeLogIn() throws Exception {
        mcpTestTopic.serveMarked("log_in", """
                {"type":"object","required":["user","pin"],"properties":{"user":{"type":"string"},"pin":\
                {"type":"string","format":"password","pattern":"^[0-9]{4}-[0-9]{4}$"}}}""");
        TestMcpClient helper = mcpTestTopic.client("helper");
        await().until(() -> helper.tools().contains("log_in"));
        helper.begin("tools/call", params("log_in", "{\"user\":\"a\",\"pin\":\"4711-4711\"}"));
        return mcpTestTopic.awaitOpenProposal();
    }

    private String check(String id) throws Exception {
        return mcpTestTopic
                .awaitState(id, "fulfilled")
                .at("timeline")
                .elements()
                .get(1)
                .at("check")
                .text();
    }

    @Test
    void anEditThatKeepsAHiddenSecretIsCheckedWithItsValue() throws Exception {
        String id = proposeLogIn();
        mcpTestTopic.approve(id, "{\"user\":\"b\",\"pin\":" + HIDDEN + "}");
        assertThat(check(id)).isEqualTo("passed");
        await().until(() -> mcpTestTopic.ran.contains("third log_in {\"user\":\"b\",\"pin\":\"4711-4711\"}"));
    }

    @Test
    void anEditOfASecretIsCheckedAndShownWithoutItsValue() throws Exception {
        String id = proposeLogIn();
        Json refused = mcpTestTopic
                .client("alice")
                .call(
                        "gavel_approve",
                        "{\"confirm\":true,\"proposal\":\"" + id
                                + "\",\"arguments\":{\"user\":\"a\",\"pin\":\"mistyped-1234\"}}");
        assertThat(refused.at("isError").isTrue()).isTrue();
        assertThat(refused.raw()).contains("'pin'").doesNotContain("mistyped-1234", "4711-4711");

        mcpTestTopic.approve(id, "{\"user\":\"a\",\"pin\":\"1234-1234\"}");
        assertThat(check(id)).isEqualTo("passed");
        assertThat(mcpTestTopic.proposal(id).raw())
                .contains("secret, edited by the reviewer")
                .doesNotContain("4711-4711", "1234-1234");
        await().until(() -> mcpTestTopic.ran.contains("third log_in {\"user\":\"a\",\"pin\":\"1234-1234\"}"));
    }

    @Test
    void aReviewerWithTheLibraryEditsOtherArgumentsWithoutSeeingTheSecret() throws Exception {
        CompletableFuture<Proposal> shown = new CompletableFuture<>();
        mcpTestTopic.connect("alice").review(proposal -> {
            shown.complete(proposal);
            return Decision.approve(proposal.call().argument("path", "y"));
        });
        propose("{\"path\":\"x\",\"password\":\"" + SECRET + "\"}").answer();
        assertThat(shown.join().call().arguments().raw()).isEqualTo("{\"path\":\"x\",\"password\":" + HIDDEN + "}");
        assertThat(mcpTestTopic.ran)
                .containsExactly("files delete_file {\"path\":\"y\",\"password\":\"" + SECRET + "\"}");
    }

    @Test
    void anArgumentThatAnotherParticipantHidesNeedsCareAndNamesIt() throws Exception {
        mcpTestTopic.serveMarked(
                "delete_file",
                "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\",\"writeOnly\":true}}}");
        await().until(() -> mcpTestTopic.client("helper").tools().contains("third__delete_file"));
        mcpTestTopic.propose("p-1", "delete_file", "{'path':'/etc/shadow'}");

        Json review = mcpTestTopic.proposal("p-1").at("review");
        assertThat(review.at("careful").isTrue()).isTrue();
        assertThat(review.at("warnings").texts())
                .containsExactly("path is hidden because third marks it as secret, but files, which could run the call,"
                        + " does not: reveal the value before you approve");
        assertThat(mcpTestTopic
                        .client("alice")
                        .call("gavel_pending", "{\"reveal\":\"p-1\"}")
                        .raw())
                .contains("/etc/shadow")
                .doesNotContain("is hidden because");
    }
}
