package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests what members can send in a topic and who receives it: §2, §3 and §5 of the protocol, as far as they need no
 * ledger.
 */
class TopicRelayTest {
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

    private static List<String> ids(List<JsonNode> envelopes) {
        return envelopes.stream().map(e -> e.path("id").asString()).toList();
    }

    @Test
    void theFirstEnvelopeIsAWelcomeThatSaysWhoIsHere() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket helper = server.open("helper", "topic=ops")) {
            JsonNode welcome = helper.envelope();
            assertThat(welcome.path("kind").asString()).isEqualTo("system.welcome");
            assertThat(welcome.path("from").asString()).isEqualTo("system:gateway");
            assertThat(welcome.path("protocol").asString()).isEqualTo("mcpx/v0.1");
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
    void othersHearWhoJoinsAndLeaves() throws IOException {
        try (TestSocket alice = server.join("alice")) {
            try (TestSocket helper = server.join("helper")) {
                JsonNode joined = alice.envelope("system.presence").path("payload");
                assertThat(joined.path("event").asString()).isEqualTo("join");
                assertThat(joined.path("participant").path("id").asString()).isEqualTo("helper");
                assertThat(joined.path("participant").path("capabilities").size())
                        .isEqualTo(3);
                alice.send(chat("end", ""));
                assertThat(helper.until("end")).hasSize(1);
            }
            JsonNode left = alice.envelope("system.presence").path("payload");
            assertThat(left.path("event").asString()).isEqualTo("leave");
            assertThat(left.path("participant").path("id").asString()).isEqualTo("helper");
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
            alice.send(chat("end", ""));
            assertThat(ids(helper.until("end"))).doesNotContain("m-1");
        }
    }

    @Test
    void payloadAndUnknownFieldsArriveByteForByte() throws IOException {
        String odd = "{\"protocol\":\"mcpx/v0.1\", \"id\":\"m-1\",\"from\":\"helper\",\"ts\":\"2026-01-05T10:00:00Z\","
                + "\"x-trace\" : { \"a\":1.50 } ,\"kind\":\"chat.message\",\"payload\": {\"text\":\"h\\u00e9 \\/\",  \"n\":1e2}}";
        try (TestSocket alice = server.join("alice");
                TestSocket helper = server.join("helper")) {
            alice.envelope("system.presence");
            helper.send(odd);
            assertThat(alice.read().text()).isEqualTo(odd);
        }
    }

    @Test
    void oneSendersOrderHolds() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket helper = server.join("helper")) {
            alice.envelope("system.presence");
            for (int i = 0; i < 150; i++) {
                helper.send(chat("m-" + i, ""));
            }
            for (int i = 0; i < 150; i++) {
                assertThat(alice.envelope().path("id").asString()).isEqualTo("m-" + i);
            }
        }
    }

    @Test
    void directedModeIsSentBroadcastsAndWhatNamesItAlone() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.open("bob", "topic=ops&mode=directed");
                TestSocket files = server.open("files", "topic=ops&mode=all")) {
            bob.envelope("system.welcome");
            files.envelope("system.welcome");
            alice.send(chat("to-files", ",\"to\":[\"files\"]"));
            alice.send(chat("to-both", ",\"to\":[\"files\",\"bob\"]"));
            alice.send(chat("to-all", ",\"to\":[]"));
            alice.send(chat("end", ""));
            assertThat(ids(bob.until("end"))).contains("to-both", "to-all").doesNotContain("to-files");
            assertThat(ids(files.until("end"))).contains("to-files", "to-both", "to-all");
        }
    }

    @Test
    void modeAllIsSentWhatNamesOthers() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob")) {
            alice.send(chat("to-files", ",\"to\":[\"files\"]"));
            assertThat(bob.envelope("chat.message").path("id").asString()).isEqualTo("to-files");
        }
    }

    @Test
    void canStandsForWhoIsAbleNow() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.open("bob", "topic=ops&mode=directed");
                TestSocket helper = server.open("helper", "topic=ops&mode=directed")) {
            bob.envelope("system.welcome");
            helper.envelope("system.welcome");
            alice.send(chat("m-1", ",\"to\":[\"can:mcp.request.tools/call:write_file\",\"files\"]"));
            assertThat(bob.envelope("chat.message").path("to").toString()).isEqualTo("[\"alice\",\"bob\",\"files\"]");
            alice.send(chat("settled", ""));
            assertThat(helper.envelope("chat.message").path("id").asString()).isEqualTo("settled");
        }
    }

    @Test
    void anUnknownRecipientIsToldAndTheOthersStillGetIt() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob")) {
            alice.envelope("system.presence");
            alice.send(chat("m-1", ",\"to\":[\"ghost\",\"bob\",\"can:x.y\"]"));
            assertThat(bob.envelope("chat.message").path("id").asString()).isEqualTo("m-1");
            JsonNode first = alice.envelope("system.error");
            assertThat(first.path("payload").path("error").asString()).isEqualTo("unknown_recipient");
            assertThat(first.path("payload").path("message").asString()).contains("ghost");
            assertThat(first.path("correlationId").asString()).isEqualTo("m-1");
        }
    }

    @Test
    void whatIsAddressedToNobodyGoesNowhere() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob")) {
            alice.send(chat("lost", ",\"to\":[\"ghost\"]"));
            alice.envelope("system.error");
            alice.send(chat("found", ""));
            assertThat(bob.envelope("chat.message").path("id").asString()).isEqualTo("found");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            not JSON             | nonsense                                                                          | malformed
            not an object        | []                                                                                | malformed
            a field missing      | {"protocol":"mcpx/v0.1","id":"x","kind":"chat.message"}                           | malformed
            a wrong type         | {"protocol":"mcpx/v0.1","id":7,"kind":"chat.message","payload":{"text":"a"}}      | malformed
            a repeated name      | {"protocol":"mcpx/v0.1","id":"x","id":"y","kind":"chat.message","payload":{"text":"a"}} | malformed
            another protocol     | {"protocol":"mcpx/v9","id":"x","kind":"chat.message","payload":{"text":"a"}}      | unsupported_protocol
            somebody else        | {"protocol":"mcpx/v0.1","id":"x","from":"alice","kind":"chat.message","payload":{"text":"a"}} | identity_mismatch
            the gateway's kind   | {"protocol":"mcpx/v0.1","id":"x","kind":"system.welcome","payload":{}}            | reserved_namespace
            kind against payload | {"protocol":"mcpx/v0.1","id":"x","kind":"mcp.proposal.tools/call:a","payload":{"method":"tools/call","params":{"name":"b"}}} | kind_payload_mismatch
            not allowed          | {"protocol":"mcpx/v0.1","id":"x","kind":"mcp.request.tools/list","payload":{"method":"tools/list"}} | capability_violation
            """)
    void aRefusedEnvelopeGoesNowhereButBack(String why, String text, String error) throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket helper = server.join("helper")) {
            alice.envelope("system.presence");
            helper.send(text);
            JsonNode refused = helper.envelope();
            assertThat(refused.path("kind").asString()).isEqualTo("system.error");
            assertThat(refused.path("to").toString()).isEqualTo("[\"helper\"]");
            assertThat(refused.path("payload").path("error").asString()).as(why).isEqualTo(error);
            assertThat(refused.path("payload").path("message").asString()).isNotBlank();
            helper.send(chat("after", ""));
            assertThat(alice.envelope().path("id").asString()).isEqualTo("after");
        }
    }

    @Test
    void aCapabilityViolationSaysWhatWasTriedAndWhatIsAllowed() throws IOException {
        try (TestSocket helper = server.join("helper")) {
            helper.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"env-bad\",\"kind\":\"mcp.request.tools/call\","
                    + "\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}}");
            JsonNode refused = helper.envelope();
            assertThat(refused.path("correlationId").asString()).isEqualTo("env-bad");
            JsonNode payload = refused.path("payload");
            assertThat(payload.path("attemptedKind").asString()).startsWith("mcp.request.tools/call");
            assertThat(payload.path("yourCapabilities").toString())
                    .isEqualTo("[\"mcp.proposal.*\",\"mcpx.withdraw.proposal\",\"chat.*\"]");
            assertThat(payload.path("message").asString()).contains("mcp.proposal.tools/call:rm");
        }
    }

    @Test
    void aSenderAboveItsRateIsToldWhenToTryAgain() throws IOException {
        try (TestServer slow = new TestServer("limits: {ask: off, bytes: off, rate: 5/s}\n" + TestServer.CONFIG, 1);
                TestSocket alice = slow.join("alice")) {
            for (int i = 0; i < 20; i++) {
                alice.send(chat("m-" + i, ""));
            }
            JsonNode refused = alice.envelope("system.error");
            assertThat(refused.path("payload").path("error").asString()).isEqualTo("rate_limited");
            assertThat(refused.path("payload").path("retryAfterMs").asLong()).isBetween(1L, 1000L);
            assertThat(IntStream.range(0, 20).mapToObj(i -> "m-" + i))
                    .contains(refused.path("correlationId").asString());
        }
    }

    @Test
    void nonsenseCountsAgainstTheRateLikeAnythingElse() throws IOException {
        try (TestServer slow = new TestServer("limits: {ask: off, bytes: off, rate: 5/s}\n" + TestServer.CONFIG, 1);
                TestSocket alice = slow.join("alice")) {
            for (int i = 0; i < 20; i++) {
                alice.send("{");
            }
            JsonNode refused = alice.envelope("system.error");
            while (refused.path("payload").path("error").asString().equals("malformed")) {
                refused = alice.envelope("system.error");
            }
            assertThat(refused.path("payload").path("error").asString()).isEqualTo("rate_limited");
        }
    }

    @Test
    void aThousandUnknownRecipientsAreOneError() throws IOException {
        String ghosts = String.join(
                ",",
                IntStream.range(0, 900).mapToObj(i -> "\"ghost-" + i + "\"").toList());
        try (TestSocket alice = server.join("alice")) {
            alice.send(chat("m-1", ",\"to\":[" + ghosts + ",\"ghost-0\"]"));
            assertThat(alice.envelope("system.error")
                            .path("payload")
                            .path("message")
                            .asString())
                    .contains("ghost-0", "895 more");
            alice.send("{");
            assertThat(alice.envelope().path("payload").path("error").asString())
                    .isEqualTo("malformed");
        }
    }

    @Test
    void otherProtocolsPassByCapabilityUnread() throws IOException {
        try (TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob")) {
            alice.send(
                    "{\"protocol\":\"mcpx/v0.1\",\"id\":\"m-1\",\"kind\":\"trace.span.x\",\"payload\":{\"any\":[1]}}");
            assertThat(bob.envelope("trace.span.x").path("payload").toString()).isEqualTo("{\"any\":[1]}");
        }
    }

    @Test
    void aResponseGoesToWhomItIsAddressed() throws IOException {
        try (TestSocket files = server.join("files");
                TestSocket bob = server.join("bob")) {
            bob.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"req-1\",\"to\":[\"files\"],"
                    + "\"kind\":\"mcp.request.tools/call:read_file\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
                    + "\"method\":\"tools/call\",\"params\":{\"name\":\"read_file\",\"arguments\":{}}}}");
            assertThat(files.envelope("mcp.request.tools/call:read_file")
                            .path("from")
                            .asString())
                    .isEqualTo("bob");
            files.send("{\"protocol\":\"mcpx/v0.1\",\"id\":\"res-1\",\"to\":[\"bob\"],\"correlationId\":\"req-1\","
                    + "\"kind\":\"mcp.response.tools/call:read_file\",\"payload\":{\"jsonrpc\":\"2.0\",\"id\":1,"
                    + "\"result\":{}}}");
            assertThat(bob.envelope("mcp.response.tools/call:read_file")
                            .path("correlationId")
                            .asString())
                    .isEqualTo("req-1");
        }
    }
}
