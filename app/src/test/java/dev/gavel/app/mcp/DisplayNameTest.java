package dev.gavel.app.mcp;

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

/** Tests that texts for agents call reviewers by their display names. */
class DisplayNameTest {
    @TempDir
    private Path data;

    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        server = new TestServer("""
            listen: 127.0.0.1:0
            data: %s
            identities:
              you: {token: you-0123456789abcdef, roles: [admin]}
              alice: {token: alice-0123456789abcdef, name: "Alice A."}
              mallory: {token: mallory-0123456789abcdef, name: owner}
              agent: {token: agent-0123456789abcdef, hold: 1s}
              files: {token: files-0123456789abcdef}
            sep: {topic: owned}
            topics:
              owned:
                participants:
                  you: ["*"]
                  agent: ["mcp.proposal.*", "mcp.request.tools/call:sep_*"]
              shared:
                participants:
                  alice: ["*"]
                  mallory: ["*"]
                  you: ["*"]
                  agent: ["mcp.proposal.*"]
            """.formatted(data), 1);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Json propose(String topic) throws Exception {
        TestMcpClient agent = new TestMcpClient(server, topic, "agent");
        agent.initialize();
        TestMcpClient.HTTP.send(
                HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/topics/" + topic + "/messages"))
                        .header("Authorization", "Bearer agent" + TestServer.SECRET)
                        .POST(HttpRequest.BodyPublishers.ofString("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-" + topic
                                + "\",\"kind\":\"mcp.proposal.tools/call:t\",\"payload\":{\"method\":"
                                + "\"tools/call\",\"params\":{\"name\":\"t\"}}}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return agent.call("gavel_status", "{}")
                .at("structuredContent")
                .at("proposals")
                .elements()
                .getFirst();
    }

    @Test
    void theOwnerIsNotCalledYou() throws Exception {
        Json proposal = propose("owned");
        assertThat(proposal.at("status").text()).startsWith("waiting for Owner (not connected)");
        assertThat(proposal.at("next").text()).startsWith("Ask Owner to decide");
    }

    @Test
    void textsAboutSepsDoNotCallTheOwnerYou() throws Exception {
        TestMcpClient owner = new TestMcpClient(server, "owned", "you");
        owner.initialize();
        Json submitted = owner.call(
                "sep_submit",
                "{\"document\":\"# SEP-XXXX: Quiet logs\\n\\n- **Author(s)**: @you\\n\\n## Abstract\\n\\nLess.\\n\\n## Motivation\\n\\nNoise.\\n\"}");
        assertThat(submitted.at("isError").isTrue()).as(submitted.raw()).isFalse();
        TestMcpClient agent = new TestMcpClient(server, "owned", "agent");
        agent.initialize();
        assertThat(agent.call("sep_show", "{\"number\":1}")
                        .at("content")
                        .elements()
                        .getFirst()
                        .at("text")
                        .text())
                .as("another identity is called owner, so the id follows")
                .contains("authors:      Owner (you)", "only the author (Owner (you)) can do this");
    }

    @Test
    void aNameThatLooksLikeAnotherMembersHasTheIdBesideIt() throws Exception {
        assertThat(propose("shared").at("status").text())
                .startsWith("waiting for Alice A., owner (mallory) or Owner (you) (not connected)");
    }
}
