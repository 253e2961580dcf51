package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests that the syntax from before ADR-008 still works, beside the current one, in one topic. */
class LegacySyntaxTopicTest {
    private static final String OLD_CHAT =
            "{\"protocol\":\"mcpx/v0.1\",\"id\":\"c-1\",\"kind\":\"chat\",\"payload\":{\"text\":\"hello\"}}";
    private static final String OLD_REQUEST = """
            {"protocol":"mcpx/v0.1","id":"req-1","to":["files"],"kind":"mcp/request:tools/call:read_file",
             "payload":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file"}}}""";

    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        String config = TestServer.CONFIG.replace(
                "bob: [\"mcp.request.*\", \"chat.*\"]", "bob: [\"mcp/request:tools/*\", \"chat\"]");
        server = new TestServer(config, 2);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whatIsWrittenInTheOldSpellingReachesOthersInTheirs() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket _ = server.join("files");
                TestSocket bob = server.join("bob")) {
            bob.send(OLD_CHAT);
            JsonNode chat = alice.envelope("chat.message");
            assertThat(chat.path("id").asString()).isEqualTo("c-1");
            bob.send(OLD_REQUEST);
            JsonNode request = alice.envelope("mcp.request.tools/call:read_file");
            assertThat(request.path("payload").path("method").asString()).isEqualTo("tools/call");
        }
    }

    @Test
    void aConnectionThatWroteTheOldSpellingOnceIsSentItFromThenOn() throws IOException {
        try (TestSocket bob = server.join("bob");
                TestSocket files = server.join("files");
                TestSocket alice = server.join("alice")) {
            bob.send(OLD_REQUEST);
            files.envelope("mcp.request.tools/call:read_file");
            files.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"res-1\",\"to\":[\"bob\"],\"correlationId\":\"req-1\","
                    + "\"kind\":\"mcp.response.tools/call:read_file\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
                    + "\"result\":{}}}");
            JsonNode response = bob.envelope("mcp/response:tools/call:read_file");
            assertThat(response.path("correlation_id").asString()).isEqualTo("req-1");
            assertThat(response.has("correlationId")).isFalse();
            assertThat(alice.envelope("mcp.response.tools/call:read_file")
                            .path("correlationId")
                            .asString())
                    .isEqualTo("req-1");
            try (TestSocket helper = server.join("helper")) {
                assertThat(helper.status()).isEqualTo(101);
                JsonNode presence = bob.envelope("system/presence").path("payload");
                assertThat(presence.path("participant").path("id").asString()).isEqualTo("helper");
            }
        }
    }

    @Test
    void theWelcomeIsInTheOldSpellingWhereThatIsAskedFor() throws IOException {
        try (TestSocket bob = server.open("bob", "topic=ops&spelling=v0.1")) {
            JsonNode welcome = bob.envelope();
            assertThat(welcome.path("kind").asString()).isEqualTo("system/welcome");
            assertThat(welcome.path("payload").path("you").path("capabilities").toString())
                    .isEqualTo("[\"mcp/request:tools/*\",\"chat\"]");
        }
    }

    @Test
    void anErrorIsInTheSpellingOfWhatItRefuses() throws IOException {
        try (TestSocket bob = server.join("bob")) {
            bob.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"mcp/proposal:tools/call:rm\","
                    + "\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}}");
            JsonNode error = bob.envelope("system/error");
            assertThat(error.path("correlation_id").asString()).isEqualTo("p-1");
            assertThat(error.path("payload").path("error").asString()).isEqualTo("capability_violation");
            assertThat(error.path("payload").path("attempted_kind").asString()).isEqualTo("mcp/proposal:tools/call:rm");
            assertThat(error.path("payload").path("your_capabilities").toString())
                    .isEqualTo("[\"mcp/request:tools/*\",\"chat\"]");
        }
    }

    @Test
    void aWithdrawalIsForwardedInTheOldSpelling() throws IOException {
        try (TestSocket bob = server.open("bob", "topic=ops&spelling=v0.1");
                TestSocket helper = server.join("helper")) {
            // By then bob is connected.
            bob.envelope("system/welcome");
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"w-1\",\"kind\":\"mcpx.withdraw.proposal\","
                    + "\"correlationId\":\"p-1\",\"payload\":{}}");
            assertThat(bob.envelope("mcpx/withdraw:proposal")
                            .path("correlation_id")
                            .asString())
                    .isEqualTo("p-1");
        }
    }
}
