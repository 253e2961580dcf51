package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that Gavel refuses arguments of its own tools, and parts of an approval, that it would otherwise ignore. */
class GavelToolArgumentsTest {
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

    private static String text(Json result) {
        return result.at("content").elements().getFirst().at("text").text();
    }

    @Test
    void aMistypedArgumentOfAnApprovalApprovesNothing() throws Exception {
        PendingResponse call =
                mcpTestTopic.client("helper").begin("tools/call", params("delete_file", "{\"path\":\"danger\"}"));
        String id = mcpTestTopic.awaitOpenProposal();
        TestMcpClient alice = mcpTestTopic.client("alice");
        for (String mistyped : new String[] {
            "\"argument\":{\"path\":\"safe\"}",
            "\"args\":{\"path\":\"safe\"}",
            "\"Arguments\":{\"path\":\"safe\"}",
            "\"arguments\":\"{}\"",
            "\"arguments\":null",
            "\"To\":\"files\"",
            "\"to\":[\"files\"]",
        }) {
            Json result =
                    alice.call("gavel_approve", "{\"proposal\":\"" + id + "\",\"confirm\":true," + mistyped + "}");
            assertThat(result.at("isError").isTrue()).as(mistyped).isTrue();
            assertThat(text(result)).as(mistyped).endsWith("Nothing was done.");
        }
        assertThat(text(alice.call("gavel_approve", "{\"argument\":{}}")))
                .isEqualTo("gavel_approve has no argument 'argument'; did you mean 'arguments'? Nothing was done.");
        assertThat(mcpTestTopic.proposal(id).at("state").text()).isEqualTo("open");
        assertThat(mcpTestTopic.ran).isEmpty();
        Json approved = alice.call(
                "gavel_approve",
                "{\"proposal\":\"" + id + "\",\"confirm\":true,\"to\":null,\"arguments\":{\"path\":\"safe\"}}");
        assertThat(approved.at("isError").isTrue()).as(approved.raw()).isFalse();
        call.answer();
        assertThat(mcpTestTopic.ran).containsExactly("files delete_file {\"path\":\"safe\"}");
    }

    @Test
    void everyToolRefusesUnknownArgumentsAndSaysSoInItsSchema() throws Exception {
        TestMcpClient alice = mcpTestTopic.client("alice");
        for (Json tool : alice.requestAndAwait("tools/list", "{}")
                .at("result")
                .at("tools")
                .elements()) {
            String name = tool.at("name").text();
            if (name.startsWith("gavel_")) {
                assertThat(tool.at("inputSchema").at("additionalProperties").raw())
                        .as(name)
                        .isEqualTo("false");
                assertThat(text(alice.call(name, "{\"unknown\":1}")))
                        .startsWith(name + " has no argument 'unknown'. Its arguments are: ");
            }
        }
    }

    @Test
    void anEditBesideTheParametersOfAnApprovalIsRefused() throws Exception {
        mcpTestTopic.propose("p-1", "delete_file");
        String envelope = "{'protocol':'mcpx/v0.1','id':'f-1','correlationId':'p-1','to':['files'],"
                + "'kind':'mcp.request.tools/call:delete_file','payload':{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                + "'params':{'name':'delete_file'},'arguments':{'path':'safe'}}}";
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + mcpTestTopic.server.listen() + "/topics/ops/messages"))
                        .header("Authorization", "Bearer alice" + TestServer.SECRET)
                        .POST(HttpRequest.BodyPublishers.ofString(envelope.replace('\'', '"')))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("fulfilment_mismatch", "'arguments'");
        assertThat(mcpTestTopic.proposal("p-1").at("state").text()).isEqualTo("open");
        mcpTestTopic.fulfil("p-1", "files", "tools/call:delete_file", "{'name':'delete_file'}");
        await().until(() -> mcpTestTopic.ran.size() == 1);
    }

    @Test
    void aListSaysHowManyProposalsItDoesNotShow() throws Exception {
        for (int i = 0; i < 53; i++) {
            mcpTestTopic.propose("p-" + i, "delete_file");
        }
        Json pending = mcpTestTopic.client("alice").call("gavel_pending", "{}");
        assertThat(pending.at("structuredContent").at("proposals").elements()).hasSize(50);
        assertThat(pending.at("structuredContent").at("truncated").isTrue()).isTrue();
        assertThat(text(pending).lines().toList().getLast()).startsWith("3 more wait for your decision.");
        Json status = mcpTestTopic.client("helper").call("gavel_status", "{}");
        assertThat(text(status)).endsWith("Older proposals are not shown.");
    }
}
