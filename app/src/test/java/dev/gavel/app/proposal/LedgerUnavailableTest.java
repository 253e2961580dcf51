package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.chat;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests an unavailable ledger: no participant receives what is not durable, and later envelopes wait, within limits.
 */
class LedgerUnavailableTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;
    private TestParticipant alice;
    private TestParticipant carol;
    private TestParticipant helper;

    @BeforeEach
    void open() throws IOException {
        testTopic = new TestTopic(data.resolve("room"));
        alice = testTopic.join("alice");
        carol = testTopic.join("carol");
        helper = testTopic.join("helper");
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    /** Locks the ledger's file with a write transaction until the connection is closed. */
    private Connection lockLedger() throws SQLException {
        return lockLedger(data.resolve("room"));
    }

    static Connection lockLedger(Path dataDirectory) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + dataDirectory.resolve("ledger.db"));
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
        }
        return connection;
    }

    @Test
    void whatCannotBeKeptIsRefusedAndCanBeSentAgain() throws Exception {
        try (Connection _ = lockLedger()) {
            JsonNode error = helper.sendAndAwaitError(proposal("p-1"));
            assertThat(error.path("error").asString()).isEqualTo("unavailable");
            assertThat(error.path("retryAfterMs").asLong()).isPositive();
            assertThat(TestParticipant.ids(alice.receivedBefore(helper))).doesNotContain("p-1");
        }
        helper.sendAndAwaitEcho(proposal("p-1"));
        assertThat(TestParticipant.id(alice.awaitId("p-1"))).isEqualTo("p-1");
    }

    @Test
    void byHttpItIsAServiceThatIsUnavailable() throws Exception {
        try (Connection _ = lockLedger()) {
            TestTopic.Answer answer = testTopic.post("helper", proposal("p-1"));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("unavailable");
            assertThat(answer.body().path("retryAfterMs").asLong()).isPositive();
        }
        assertThat(testTopic.post("helper", proposal("p-1")).status()).isEqualTo(202);
    }

    @Test
    void whatASenderSaysNextWaitsForItAndOthersDoNot() throws Exception {
        try (Connection _ = lockLedger()) {
            helper.send(proposal("p-1"));
            helper.send(chat("c-1"));
            assertThat(TestParticipant.ids(alice.receivedBefore(carol))).doesNotContain("p-1", "c-1");
        }
        assertThat(TestParticipant.id(alice.next())).isEqualTo("p-1");
        assertThat(TestParticipant.id(alice.next())).isEqualTo("c-1");
        helper.awaitId("p-1");
    }

    @Test
    void notMoreThanSoMuchWaits() throws Exception {
        try (Connection _ = lockLedger()) {
            helper.send(proposal("p-1"));
            for (int i = 0; i < 3000; i++) {
                helper.send(chat("c-" + i));
            }
            JsonNode error = helper.await("system.error");
            assertThat(error.path("payload").path("error").asString()).isEqualTo("unavailable");
            assertThat(TestParticipant.about(error).getFirst()).startsWith("c-");
        }
    }

    @Test
    void whatIsDueMeanwhileIsTooLateAllTheSameAndIsToldAfterwards() throws Exception {
        helper.sendAndAwaitEcho(proposal("p-1").ttl(1));
        try (Connection _ = lockLedger()) {
            helper.sendAndAwaitError(proposal("p-2"));
            assertThat(testTopic.state("p-1")).isEqualTo("expired");
        }
        for (TestParticipant testParticipant : List.of(helper, carol)) {
            testParticipant.await("system.proposal.expired", "p-1");
        }
    }
}
