package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an admin can revoke access while the ledger is unavailable or its disk is almost full. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test starts its own
class RevocationUnderPressureTest {
    @TempDir
    private Path data;

    private TestTopic testTopic;

    private void start(String limits) throws IOException {
        testTopic = TestTopic.withLimits(data.resolve("room"), limits);
    }

    @AfterEach
    void close() throws IOException {
        testTopic.close();
    }

    private TestTopic.Answer delete(String path) throws Exception {
        return testTopic.sendRequest("DELETE", "alice", path, "");
    }

    private boolean isStoredRevoked(String name) throws Exception {
        return testTopic.get("alice", "/tokens").body().path("tokens").values().stream()
                .anyMatch(token -> token.path("name").asString().equals(name)
                        && token.path("state").asString().equals("revoked"));
    }

    @Test
    void aRevocationIsInEffectWhileTheLedgerIsUnavailableAndIsStoredLater() throws Exception {
        start("ask: off");
        testTopic.post("helper", proposal("p-1"));
        try (Connection _ = LedgerUnavailableTest.lockLedger(data.resolve("room"))) {
            TestTopic.Answer answer = delete("/tokens/helper");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.code()).isEqualTo("not_durable");
            assertThat(answer.body().path("detail").asString())
                    .contains("in effect on this server")
                    .contains("not stored in the ledger yet");
            assertThat(testTopic.handshakeStatus("helper", "topic=ops")).isEqualTo(401);
            assertThat(delete("/tokens/helper").code()).isEqualTo("not_durable");
            assertThat(delete("/topics/ops/members/carol").code()).isEqualTo("not_durable");
            assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(403);
        }
        await().until(() -> testTopic.state("p-1").equals("withdrawn"));
        await().until(() -> delete("/tokens/helper").code().equals("already_revoked"));
        testTopic.restart();
        assertThat(isStoredRevoked("helper")).isTrue();
        assertThat(testTopic.handshakeStatus("helper", "topic=ops")).isEqualTo(401);
        assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(403);
    }

    @Test
    @Timeout(180)
    void aRevocationThatIsNotInTheLedgerYetSurvivesAKillOfTheServer() throws Exception {
        testTopic = TestTopic.inSeparateProcess(data);
        Path room = data.resolve("data");
        Path file = room.resolve("unwritten-revocations");
        testTopic.post("helper", proposal("p-1"));
        try (Connection _ = LedgerUnavailableTest.lockLedger(room)) {
            assertThat(delete("/tokens/helper").code()).isEqualTo("not_durable");
            TestTopic.Answer answer = delete("/topics/ops/members/carol");
            assertThat(answer.code()).isEqualTo("not_durable");
            assertThat(answer.body().path("detail").asString()).doesNotContain("restart");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            testTopic.kill();
            testTopic.start();
            assertThat(testTopic.handshakeStatus("helper", "topic=ops")).isEqualTo(401);
            assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(403);
            testTopic.kill();
        }
        testTopic.start();
        assertThat(testTopic.handshakeStatus("helper", "topic=ops")).isEqualTo(401);
        assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(403);
        await().until(() -> testTopic.state("p-1").equals("withdrawn"));
        await().until(() -> !Files.exists(file));
        testTopic.restart();
        assertThat(isStoredRevoked("helper")).isTrue();
        assertThat(testTopic.handshakeStatus("helper", "topic=ops")).isEqualTo(401);
        assertThat(testTopic.handshakeStatus("carol", "topic=ops")).isEqualTo(403);
    }

    @Test
    void theLastAdminIsNotRevokedInMemoryEither() throws Exception {
        start("ask: off");
        try (Connection _ = LedgerUnavailableTest.lockLedger(data.resolve("room"))) {
            assertThat(delete("/tokens/alice").code()).isEqualTo("last_admin");
        }
        assertThat(testTopic.handshakeStatus("alice", "topic=ops")).isEqualTo(101);
    }

    @Test
    void onAnAlmostFullDiskProposalsAreRefusedAndRevocationsAreStored() throws Exception {
        start("ask: off");
        testTopic.post("helper", proposal("p-1"));
        testTopic.close();
        start("ask: off, reserve: 900000000GiB");
        TestTopic.Answer refused = testTopic.post("alice", proposal("p-2"));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body().path("detail").asString()).contains("almost full");
        assertThat(testTopic.text("/health/ready")).contains("ledger");
        assertThat(delete("/tokens/helper").status()).isEqualTo(200);
        assertThat(isStoredRevoked("helper")).isTrue();
        assertThat(testTopic.state("p-1")).isEqualTo("withdrawn");
    }
}
