package dev.gavel.app.mcp;

import static dev.gavel.app.mcp.TestMcpClient.params;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no call can contain a marker of a hidden value, which would hide its arguments from the reviewer. */
class ForgedMarkerTest {
    private static final String NAME = "the marker of a hidden secret value";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path data;

    @SuppressWarnings("NullAway.Init") // set before each test
    private McpTestTopic mcpTestTopic;

    @BeforeEach
    void start() throws Exception {
        mcpTestTopic = McpTestTopic.withFiles(data);
    }

    @AfterEach
    void stop() {
        mcpTestTopic.close();
    }

    private Json post(String identity, String topic, String kind, String more, String params) throws Exception {
        String envelope = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"e-1\",\"kind\":\"" + kind + "\"" + more
                + ",\"payload\":{\"method\":\"tools/call\",\"params\":" + params + "}}";
        HttpResponse<String> response = TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(
                                URI.create("http://" + mcpTestTopic.server.listen() + "/topics/" + topic + "/messages"))
                        .header("Authorization", "Bearer " + identity + TestServer.SECRET)
                        .POST(HttpRequest.BodyPublishers.ofString(envelope))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return Json.parse(response.body()).orElseThrow();
    }

    private static void assertRefused(Json response) {
        assertThat(response.at("code").text()).as(response.raw()).isEqualTo("malformed");
        assertThat(response.raw()).contains(NAME);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"delete_file\",\"arguments\":{\"opts\":{\"dev.gavel/redacted\":\"secret\",\"mode\":\"evil\"}}}",
                "{\"name\":\"delete_file\",\"arguments\":{\"opts\":{\"dev\\u002egavel/redacted\":\"secret\",\"mode\":\"evil\"}}}",
                "{\"name\":\"delete_file\",\"arguments\":{\"dev\\u002egavel/redacted\":\"secret\",\"mode\":\"evil\"}}",
                "{\"name\":\"delete_file\",\"_meta\":{\"a\":[{\"\\u0064ev.gavel\\/redacted\":\"secret\"}]}}"
            })
    void aProposalOrADirectCallWithAMarkerIsRefused(String params) throws Exception {
        assertRefused(post("helper", "ops", "mcp.proposal.tools/call", "", params));
        assertRefused(post("alice", "ops", "mcp.request.tools/call", ",\"to\":[\"files\"]", params));
        assertRefused(post("helper", "relay", "mcp.proposal.tools/call", "", params));
        assertThat(mcpTestTopic.proposals()).isEmpty();
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete_file", "read_file"})
    void anMcpClientCannotSendAMarkerEither(String tool) throws Exception {
        Json answer = mcpTestTopic
                .client("helper")
                .begin(
                        "tools/call",
                        params(tool, "{\"opts\":{\"dev\\u002egavel/redacted\":\"secret\",\"mode\":\"evil\"}}"))
                .answer();
        assertThat(answer.raw()).contains(NAME);
        assertThat(mcpTestTopic.proposals()).isEmpty();
        assertThat(mcpTestTopic.ran).isEmpty();
    }

    @Test
    void anEmptyListOfDefinitionsIsRefused() throws Exception {
        mcpTestTopic.propose("p-1", "delete_file");
        Json refused = post(
                "alice",
                "ops",
                "mcp.request.tools/call",
                ",\"to\":[\"files\"],\"correlationId\":\"p-1\",\"definition\":[]",
                "{\"name\":\"delete_file\"}");
        assertThat(refused.at("code").text()).as(refused.raw()).isEqualTo("malformed");
        assertThat(refused.raw()).contains("'definition' is an empty array");
        assertThat(mcpTestTopic.proposal("p-1").at("state").text()).isEqualTo("open");
    }
}
