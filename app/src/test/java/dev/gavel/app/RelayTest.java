package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class RelayTest {
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        server = new TestServer(TestServer.CONFIG, 2);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String chat(String id, String more) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"chat.message\"" + more
                + ",\"payload\":{\"text\":\"hello\"}}";
    }

    @Test
    void theFirstEnvelopeIsAWelcomeThatSaysWhoIsHere() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket helper = server.open("helper", "topic=ops")) {
            JsonNode welcome = helper.envelope();
            assertThat(welcome.path("kind").asString()).isEqualTo("system.welcome");
            assertThat(welcome.path("from").asString()).isEqualTo("system:gateway");
            assertThat(welcome.path("to").toString()).isEqualTo("[\"helper\"]");
            JsonNode payload = welcome.path("payload");
            assertThat(payload.path("you").toString())
                    .isEqualTo("{\"id\":\"helper\",\"capabilities\":[\"mcp.proposal.*\",\"mcpx.withdraw.proposal\","
                            + "\"chat.*\"]}");
            assertThat(payload.path("participants").toString())
                    .isEqualTo("[{\"id\":\"alice\",\"capabilities\":[\"*\"]}]");
            assertThat(payload.path("proposals").isArray()).isTrue();
            assertThat(payload.path("seq").isNumber()).isTrue();
            assertThat(alice.envelope("system.presence")
                            .path("payload")
                            .path("event")
                            .asString())
                    .isEqualTo("join");
        }
    }

    @Test
    void aMessageReachesTheOthersAndNotItsSender() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob");
                TestSocket helper = server.join("helper")) {
            helper.send(chat("m-1", ""));
            for (TestSocket other : List.of(alice, bob)) {
                JsonNode message = other.envelope("chat.message");
                assertThat(message.path("id").asString()).isEqualTo("m-1");
                assertThat(message.path("from").asString()).isEqualTo("helper");
                assertThat(Instant.parse(message.path("ts").asString())).isBeforeOrEqualTo(Instant.now());
            }
            assertThat(helper.everything())
                    .noneMatch(e -> e.path("id").asString().equals("m-1"));
        }
    }
}
