package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gavel.app.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Tests invalid requests of admins: the response describes the problem, and nothing changes. */
@Timeout(60)
class RuntimeAdministrationTest {
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

    @Test
    void whereThereIsNoLedgerThereIsNowhereToKeepIt() throws Exception {
        try (TestServer server = new TestServer(TestServer.CONFIG, 1);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/tokens"))
                    .header("Authorization", "Bearer alice" + TestServer.SECRET);
            HttpResponse<String> made = client.send(
                    request.POST(HttpRequest.BodyPublishers.ofString("{\"name\":\"x\"}"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(made.statusCode()).isEqualTo(409);
            assertThat(made.body()).contains("no_ledger");
            HttpResponse<String> list = client.send(request.GET().build(), HttpResponse.BodyHandlers.ofString());
            assertThat(list.statusCode()).isEqualTo(200);
            assertThat(list.body()).contains("mallory").doesNotContain("\"x\"");
        }
    }

    @Test
    void whatWasChangedHoldsThoughNoTopicKeepsALedgerAnyMore() throws Exception {
        assertThat(revoke("bob").status()).isEqualTo(200);
        testTopic.close();
        testTopic = new TestTopic(data.resolve("room"), "ledger: off");
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        assertThat(revoke("carol").status()).isEqualTo(200);
        testTopic.restart();
        assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(401);
        assertThat(testTopic.handshakeStatus("alice", "topic=ops")).isEqualTo(101);
    }

    @Test
    void aChangeThatSomebodyTookOutOfTheLedgerIsSaidAndTheOthersCountOnce() throws Exception {
        String id = testTopic.makeToken("newcomer", NEWCOMER).path("id").asString();
        revoke("bob");
        testTopic.makeToken("last", "{\"name\":\"last\"}");
        testTopic.stop();
        try (Connection ledger = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("room/ledger.db"));
                Statement statement = ledger.createStatement()) {
            assertThat(statement.executeUpdate("DELETE FROM event WHERE seq = 2"
                            + " AND stream = (SELECT id FROM stream WHERE name = 'system:identities')"))
                    .isEqualTo(1);
        }
        Logger logger = (Logger) LoggerFactory.getLogger("dev.gavel.app.server");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            testTopic.start();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel() == Level.ERROR)
                .extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.contains("'system:identities' seq 2") && line.contains("gavel ledger verify"));
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        assertThat(TestParticipant.texts(
                        testTopic.get("alice", "/tokens").body().path("tokens"), "name"))
                .containsOnlyOnce("newcomer", "last");
        assertThat(testTopic.get("alice", "/tokens").body().toString()).contains(id);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /tokens
            POST   | /tokens
            DELETE | /tokens/carol
            DELETE | /tokens/carol/configured
            PUT    | /tokens/carol/roles
            PUT    | /topics/ops/members/carol
            DELETE | /topics/ops/members/carol
            POST   | /topics/ops/members/carol/reset
            """)
    void whoIsNoAdminChangesNothing(String method, String path) throws Exception {
        TestTopic.Answer answer =
                testTopic.sendRequest(method, "bob", path, "{\"name\":\"carol\",\"capabilities\":[]}");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.code()).isEqualTo("not_admin");
        assertThat(testTopic.sendRequest(method, "nobody", path, "{}").status()).isEqualTo(401);
        assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(101);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            no JSON                      | {                                                              | bad_body
            no object                    | []                                                             | bad_body
            nothing                      |                                                                | bad_body
            a misspelt field             | {"name":"x","expiresin":"1d"}                                  | bad_body
            a field twice                | {"name":"x","name":"y"}                                        | bad_body
            a number for a text          | {"name":7}                                                     | bad_body
            nobody                       | {}                                                             | bad_name
            an empty name                | {"name":""}                                                    | bad_name
            a name with a colon          | {"name":"system:x"}                                            | bad_name
            an unknown role              | {"name":"x","roles":["king"]}                                  | bad_role
            roles that are no list       | {"name":"x","roles":{}}                                        | bad_body
            a time that is none          | {"name":"x","expiresIn":"soon"}                                | bad_expiry
            no time at all               | {"name":"x","expiresIn":"0s"}                                  | bad_expiry
            more than ten years          | {"name":"x","expiresIn":"3651d"}                               | bad_expiry
            a topic that cannot be       | {"name":"x","topic":"A B","capabilities":[]}                   | bad_topic
            a topic that is not          | {"name":"x","topic":"nowhere","capabilities":[]}               | no_such_topic
            capabilities for nowhere     | {"name":"x","capabilities":["chat.*"]}                         | bad_topic
            a place without capabilities | {"name":"x","topic":"ops"}                                     | bad_capability
            a capability that cannot be  | {"name":"x","topic":"ops","capabilities":["a b"]}              | bad_capability
            capabilities that are none   | {"name":"x","topic":"ops","capabilities":"chat.*"}             | bad_capability
            """)
    void whatIsWrongWithARequestIsSaid(String what, String body, String code) throws Exception {
        TestTopic.Answer answer = testTopic.sendRequest("POST", "alice", "/tokens", body == null ? "" : body);
        assertThat(answer.code()).as(what).isEqualTo(code);
        assertThat(answer.status()).isEqualTo(code.equals("no_such_topic") ? 404 : 400);
        assertThat(testTopic.get("alice", "/tokens").body().toString()).doesNotContain("\"x\"");
    }

    @Test
    void aBodyThatIsTooLongIsNotRead() throws Exception {
        TestTopic.Answer answer =
                testTopic.sendRequest("POST", "alice", "/tokens", "{\"name\":\"" + "x".repeat(70_000) + "\"}");
        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body().path("detail").asString()).contains("65536");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            bob      | {"roles":["king"]}        | bad_role
            bob      | {}                        | bad_role
            bob      | {"roles":"admin"}         | bad_body
            bob      | {"role":["admin"]}        | bad_body
            b:b      | {"roles":[]}              | bad_name
            stranger | {"roles":[]}              | unknown_identity
            alice    | {"roles":["maintainer"]}  | last_admin
            """)
    void rolesThatCannotBeSetAreRefused(String name, String body, String code) throws Exception {
        assertThat(testTopic
                        .sendRequest("PUT", "alice", "/tokens/" + name + "/roles", body)
                        .code())
                .isEqualTo(code);
        assertThat(testTopic.get("bob", "/tokens").code()).isEqualTo("not_admin");
        assertThat(testTopic.get("alice", "/tokens").status()).isEqualTo(200);
    }

    @Test
    void moreCapabilitiesThanAnybodyNeedsAreRefused() throws Exception {
        String many = "\"chat.a\",".repeat(200) + "\"chat.a\"";
        TestTopic.Answer answer = testTopic.sendRequest(
                "POST", "alice", "/tokens", "{\"name\":\"x\",\"topic\":\"ops\",\"capabilities\":[" + many + "]}");
        assertThat(answer.code()).isEqualTo("bad_capability");
    }

    @Test
    void whatIsNotThereCannotBeRevoked() throws Exception {
        assertThat(revoke("stranger").code()).isEqualTo("unknown_identity");
        assertThat(revoke("bob/k-1").code()).isEqualTo("unknown_token");
        revoke("bob/configured");
        assertThat(revoke("bob/configured").code()).isEqualTo("already_revoked");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            DELETE | /tokens/carol/
            DELETE | /tokens/carol//
            DELETE | /tokens/carol/.
            DELETE | /tokens/carol/%2e
            DELETE | /tokens/carol/configured/..
            DELETE | /tokens/carol/configured/
            DELETE | /topics/ops/members/carol/
            PUT    | /topics/ops/members/carol/
            POST   | /topics/ops/members/carol/reset/
            POST   | /tokens/
            GET    | /tokens/
            """)
    void aPathThatBreaksOffMeansNothing(String method, String path) throws Exception {
        TestTopic.Answer answer =
                testTopic.sendRequest(method, "alice", path, "{\"name\":\"carol\",\"capabilities\":[]}");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("not_found");
        assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(101);
    }

    @Test
    void whileTheLedgerIsAwayNothingIsGranted() throws Exception {
        TestParticipant bob = testTopic.join("bob");
        TestParticipant alice = testTopic.join("alice");
        try (Connection _ = LedgerUnavailableTest.lockLedger(data.resolve("room"))) {
            for (TestTopic.Answer answer : List.of(
                    testTopic.sendRequest("POST", "alice", "/tokens", NEWCOMER),
                    testTopic.sendRequest(
                            "PUT", "alice", "/topics/ops/members/bob", "{\"capabilities\":[\"chat.*\",\"mcp.**\"]}"))) {
                assertThat(answer.status()).isEqualTo(503);
                assertThat(answer.code()).isEqualTo("unavailable");
                assertThat(answer.body().path("retryAfterMs").asLong()).isPositive();
            }
            bob.send(chat("c-1"));
            alice.awaitId("c-1");
        }
        assertThat(testTopic.get("alice", "/tokens").body().toString()).doesNotContain("newcomer", "revoked");
        assertThat(revoke("bob").status()).isEqualTo(200);
        assertThat(bob.closeCode()).isEqualTo(4003);
    }
}
