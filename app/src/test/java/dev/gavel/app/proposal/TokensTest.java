package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.web.identity.TokenHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tests tokens that are created and revoked while the server runs, and what happens to the connections they opened. */
@Timeout(60)
class TokensTest {
    private static final String NEWCOMER =
            "{\"name\":\"newcomer\",\"topic\":\"ops\",\"capabilities\":[\"mcp.proposal.*\",\"chat.*\"]}";

    @TempDir
    private Path data;

    private TestTopic testTopic;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private TestTopic.Answer revoke(String path) throws Exception {
        return testTopic.sendRequest("DELETE", "alice", "/tokens/" + path, "");
    }

    private JsonNode listed(String id) throws Exception {
        return testTopic.get("alice", "/tokens").body().path("tokens").values().stream()
                .filter(each -> each.path("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNewTokenIsGoodAtOnce() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        JsonNode tokenResponse = testTopic.makeToken("newcomer", NEWCOMER);
        assertThat(tokenResponse.path("name").asString()).isEqualTo("newcomer");
        assertThat(tokenResponse.path("token").asString()).startsWith("gvl_").hasSizeGreaterThan(40);
        assertThat(tokenResponse.has("expiresAt")).isFalse();
        assertThat(TestParticipant.texts(tokenResponse.path("topics"))).containsExactly("ops");
        TestParticipant newcomer = testTopic.join("newcomer");
        newcomer.sendAndAwaitEcho(proposal("p-1"));
        assertThat(bob.awaitId("p-1").path("from").asString()).isEqualTo("newcomer");
    }

    @Test
    void noListShowsASecretOrAHash() throws Exception {
        String secret = testTopic.makeToken("newcomer", NEWCOMER).path("token").asString();
        String list = testTopic.get("alice", "/tokens").body().toString();
        assertThat(list)
                .contains("newcomer")
                .doesNotContain(secret, TokenHash.of(secret).hex(), TestServer.SECRET);
    }

    @Test
    void noLogLineHoldsASecret() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger("dev.gavel");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        root.addAppender(lines);
        try {
            String secret =
                    testTopic.makeToken("newcomer", NEWCOMER).path("token").asString();
            revoke("newcomer");
            testTopic.restart();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.matches("'alice' created token k-\\w+ for 'newcomer'\\."))
                    .anyMatch(line -> line.matches("'alice' revoked token k-\\w+ of 'newcomer'\\."))
                    .anyMatch(line ->
                            line.equals("Identities created at run time that are not in the configuration: newcomer"))
                    .noneMatch(line -> line.contains(secret)
                            || line.contains(TokenHash.of(secret).hex()));
        } finally {
            root.detachAppender(lines);
        }
    }

    @Test
    void theListSaysWhoMadeAndRevokedWhat() throws Exception {
        String id = testTopic
                .makeToken("newcomer", "{\"name\":\"newcomer\",\"roles\":[\"maintainer\"],\"expiresIn\":\"30d\"}")
                .path("id")
                .asString();
        JsonNode active = listed(id);
        assertThat(active.path("state").asString()).isEqualTo("active");
        assertThat(active.path("source").asString()).isEqualTo("run-time");
        assertThat(active.path("createdBy").asString()).isEqualTo("alice");
        assertThat(active.path("expiresAt").asString()).endsWith("Z");
        assertThat(TestParticipant.texts(active.path("roles"))).containsExactly("maintainer");
        revoke("newcomer/" + id);
        assertThat(listed(id).path("state").asString()).isEqualTo("revoked");
        assertThat(listed(id).path("revokedBy").asString()).isEqualTo("alice");
        assertThat(listed("configured").path("source").asString()).isEqualTo("configuration");
    }

    @Test
    void aRevokedTokenClosesItsSocketAndIsRefusedFromThenOn() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        String id = testTopic.makeToken("newcomer", NEWCOMER).path("id").asString();
        TestParticipant newcomer = testTopic.join("newcomer");
        TestTopic.Answer answer = revoke("newcomer");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(TestParticipant.texts(answer.body().path("revoked"))).containsExactly(id);
        assertThat(newcomer.closeCode()).isEqualTo(4003);
        assertThat(bob.await("system.presence").path("payload").path("event").asString())
                .isEqualTo("join");
        assertThat(bob.await("system.presence").path("payload").path("event").asString())
                .isEqualTo("leave");
        assertThat(testTopic.handshakeStatus("newcomer", "topic=ops")).isEqualTo(401);
        TestTopic.Answer posted = testTopic.post("newcomer", chat("c-1"));
        assertThat(posted.status()).isEqualTo(401);
        assertThat(posted.code()).isEqualTo("unauthenticated");
    }

    @Test
    void whatIsSentAfterTheRevocationIsNotTaken() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        testTopic.makeToken("newcomer", NEWCOMER);
        for (int i = 0; i < 20; i++) {
            testTopic.makeToken("newcomer", NEWCOMER);
            TestParticipant newcomer = testTopic.join("newcomer");
            revoke("newcomer");
            try {
                newcomer.send(chat("late-" + i));
            } catch (IOException e) {
                // The connection is already closed.
            }
        }
        testTopic.join("carol");
        TestParticipant alice = testTopic.join("alice");
        assertThat(TestParticipant.ids(bob.receivedBefore(alice))).noneMatch(id -> id.startsWith("late-"));
    }

    @Test
    void anEnvelopeWhoseTokenIsRevokedBeforeAllOfItHasComeIsNotTaken() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        String token = testTopic.makeToken("newcomer", NEWCOMER).path("token").asString();
        byte[] body = chat("late").toString().getBytes(UTF_8);
        try (Socket socket = testTopic.socket()) {
            socket.getOutputStream()
                    .write(("POST /topics/ops/messages HTTP/1.1\r\nHost: gavel\r\nAuthorization: Bearer " + token
                                    + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                            .getBytes(UTF_8));
            socket.getOutputStream().write(body, 0, 10);
            // Another request has been answered in the meantime, so the server has very probably accepted this one as
            // well.
            assertThat(testTopic.post("newcomer", chat("early")).status()).isEqualTo(202);
            revoke("newcomer");
            socket.getOutputStream().write(body, 10, body.length - 10);
            socket.getOutputStream().flush();
            BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            assertThat(lines.lines()
                            .filter(line -> line.startsWith("HTTP/1.1 4"))
                            .findFirst())
                    .contains("HTTP/1.1 401 Unauthorized");
        }
        TestParticipant alice = testTopic.join("alice");
        assertThat(TestParticipant.ids(bob.receivedBefore(alice)))
                .contains("early")
                .doesNotContain("late");
    }

    @Test
    void aRevokedTokensEventStreamEnds() throws Exception {
        testTopic.makeToken("newcomer", NEWCOMER);
        TestEventStream testEventStream = testTopic.listen("newcomer", "", "");
        testEventStream.next();
        revoke("newcomer");
        assertThatThrownBy(() -> {
                    while (true) {
                        testEventStream.next();
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void aRevokedTokensPollEnds() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        testTopic.makeToken("newcomer", NEWCOMER);
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            Future<TestTopic.Answer> poll =
                    executor.submit(() -> testTopic.get("newcomer", "/topics/ops/messages?wait=50"));
            bob.await("system.presence");
            revoke("newcomer");
            assertThat(poll.get().status()).isEqualTo(401);
            assertThat(poll.get().code()).isEqualTo("unauthenticated");
        }
        assertThat(bob.await("system.presence").path("payload").path("event").asString())
                .isEqualTo("leave");
    }

    @Test
    void whoPolledAMomentAgoIsNotHereOnceTheTokenIsRevoked() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        testTopic.makeToken("newcomer", NEWCOMER);
        testTopic.poll("newcomer", 0, 0);
        bob.await("system.presence");
        revoke("newcomer");
        assertThat(bob.await("system.presence").path("payload").path("event").asString())
                .isEqualTo("leave");
    }

    @Test
    void onlyTheRevokedOneOfTwoTokensCounts() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        String first = testTopic.makeToken("one", NEWCOMER).path("id").asString();
        testTopic.makeToken("two", "{\"name\":\"newcomer\",\"topic\":\"ops\"}");
        TestParticipant socket = testTopic.join("one");
        TestEventStream testEventStream = testTopic.listen("two", "", "");
        testEventStream.next();
        assertThat(revoke("newcomer/" + first).status()).isEqualTo(200);
        assertThat(socket.closeCode()).isEqualTo(4003);
        bob.send(chat("c-1"));
        assertThat(testEventStream.await("c-1").envelope().path("from").asString())
                .isEqualTo("bob");
        assertThat(testTopic.post("two", chat("c-2")).status()).isEqualTo(202);
        assertThat(testTopic.post("one", chat("c-3")).status()).isEqualTo(401);
    }

    @Test
    void whenATokensTimeIsOverItsConnectionEnds() throws Exception {
        String id = testTopic
                .makeToken("newcomer", NEWCOMER.replace("}", ",\"expiresIn\":\"2s\"}"))
                .path("id")
                .asString();
        TestParticipant newcomer = testTopic.join("newcomer");
        assertThat(newcomer.closeCode()).isEqualTo(4003);
        assertThat(testTopic.handshakeStatus("newcomer", "topic=ops")).isEqualTo(401);
        assertThat(listed(id).path("state").asString()).isEqualTo("expired");
    }

    @Test
    void whoConnectsWhileTheTokenIsRevokedDoesNotSlipThrough() throws Exception {
        try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 60; i++) {
                testTopic.makeToken("newcomer", NEWCOMER);
                Future<TestTopic.Answer> revoked = executor.submit(() -> revoke("newcomer"));
                try (TestSocket socket = testTopic.open("newcomer", "topic=ops")) {
                    if (socket.status() == 101) {
                        assertThat(socket.closeCode()).isEqualTo(4003);
                    } else {
                        assertThat(socket.status()).isEqualTo(401);
                    }
                }
                assertThat(revoked.get().status()).isEqualTo(200);
            }
        }
        assertThat(TestParticipant.texts(
                        testTopic.get("alice", "/topics/ops").body().path("participants"), "id"))
                .isEmpty();
    }

    @Test
    void aRevokedConfiguredTokenStaysRefusedAndAnotherTokenCanBeMade() throws Exception {
        assertThat(revoke("bob").status()).isEqualTo(200);
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        testTopic.restart();
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        assertThat(revoke("bob").code()).isEqualTo("already_revoked");
        testTopic.makeToken("bob again", "{\"name\":\"bob\"}");
        testTopic.restart();
        assertThat(testTopic.handshakeStatus("bob again", "topic=ops")).isEqualTo(101);
    }

    @Test
    void aRestartForgetsNothing() throws Exception {
        String gone = testTopic.makeToken("gone", NEWCOMER).path("id").asString();
        testTopic.makeToken("newcomer", NEWCOMER.replace("}", ",\"roles\":[\"admin\"]}"));
        revoke("newcomer/" + gone);
        String before = testTopic.get("alice", "/tokens").body().toString();
        testTopic.restart();
        assertThat(testTopic.get("alice", "/tokens").body().toString()).isEqualTo(before);
        assertThat(testTopic.handshakeStatus("gone", "topic=ops")).isEqualTo(401);
        testTopic.join("newcomer").sendAndAwaitEcho(proposal("p-1"));
        assertThat(testTopic.get("newcomer", "/tokens").status()).isEqualTo(200);
    }

    @Test
    void aKilledServerForgetsNothing() throws Exception {
        try (TestTopic separateTopic = TestTopic.inSeparateProcess(data)) {
            separateTopic.makeToken("newcomer", NEWCOMER);
            assertThat(separateTopic
                            .sendRequest("DELETE", "alice", "/tokens/bob", "")
                            .status())
                    .isEqualTo(200);
            separateTopic.kill();
            separateTopic.start();
            assertThat(separateTopic.handshakeStatus("newcomer", "topic=ops")).isEqualTo(101);
            assertThat(separateTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        }
    }

    @Test
    void rolesTakeEffectAtOnce() throws Exception {
        assertThat(testTopic.get("bob", "/tokens").code()).isEqualTo("not_admin");
        testTopic.makeToken("bob too", "{\"name\":\"bob\",\"roles\":[\"admin\"]}");
        assertThat(testTopic.get("bob", "/tokens").status()).isEqualTo(200);
        assertThat(testTopic
                        .sendRequest("POST", "bob", "/tokens", "{\"name\":\"alice\",\"roles\":[]}")
                        .status())
                .isEqualTo(201);
        assertThat(testTopic.get("alice", "/tokens").code()).isEqualTo("not_admin");
    }

    @Test
    void rolesAreSetWithoutAToken() throws Exception {
        TestTopic.Answer answer =
                testTopic.sendRequest("PUT", "alice", "/tokens/bob/roles", "{\"roles\":[\"maintainer\",\"admin\"]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(TestParticipant.texts(answer.body().path("roles"))).containsExactly("admin", "maintainer");
        assertThat(testTopic.get("bob", "/tokens").status()).isEqualTo(200);
        testTopic.restart();
        assertThat(testTopic
                        .sendRequest("PUT", "bob", "/tokens/bob/roles", "{\"roles\":[]}")
                        .status())
                .isEqualTo(200);
        assertThat(testTopic.get("bob", "/tokens").code()).isEqualTo("not_admin");
    }

    @Test
    void whoGetsANameThatWasUsedBeforeFindsNothingOfIt() throws Exception {
        testTopic.makeToken("newcomer", NEWCOMER.replace("}", ",\"roles\":[\"admin\"]}"));
        revoke("newcomer");
        JsonNode tokenResponse = testTopic.makeToken("newcomer", "{\"name\":\"newcomer\"}");
        assertThat(tokenResponse.path("roles").isEmpty()).isTrue();
        assertThat(tokenResponse.path("topics").isEmpty()).isTrue();
        assertThat(testTopic.get("newcomer", "/tokens").code()).isEqualTo("not_admin");
        assertThat(testTopic.handshakeStatus("newcomer", "topic=ops")).isEqualTo(403);
        testTopic.restart();
        assertThat(testTopic.get("newcomer", "/tokens").code()).isEqualTo("not_admin");
        assertThat(testTopic.handshakeStatus("newcomer", "topic=ops")).isEqualTo(403);
    }

    @Test
    void theLastAdminIsNotLockedOut() throws Exception {
        assertThat(revoke("alice").code()).isEqualTo("last_admin");
        assertThat(revoke("alice/configured").code()).isEqualTo("last_admin");
        TestTopic.Answer roles = testTopic.sendRequest("POST", "alice", "/tokens", "{\"name\":\"alice\",\"roles\":[]}");
        assertThat(roles.code()).isEqualTo("last_admin");
        assertThat(roles.status()).isEqualTo(409);
        testTopic.makeToken("other", "{\"name\":\"other\",\"roles\":[\"admin\"]}");
        assertThat(revoke("alice").status()).isEqualTo(200);
        assertThat(testTopic.get("alice", "/tokens").status()).isEqualTo(401);
        assertThat(testTopic.sendRequest("DELETE", "other", "/tokens/other", "").code())
                .isEqualTo("last_admin");
    }
}
