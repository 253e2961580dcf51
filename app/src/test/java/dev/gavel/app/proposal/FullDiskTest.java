package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gavel.app.interop.GavelProcessCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a server whose disk an agent and another program fill up: a small file system in memory. Only root can mount
 * it, and not in every container, so the test is skipped elsewhere.
 */
@Timeout(180)
@SuppressWarnings("NullAway.Init") // created before each test
class FullDiskTest {
    private static final int LARGE = 900_000;
    private static final int MAX_PROPOSALS = 100;
    private static final int BALLAST_BYTES = 32 << 20;

    @TempDir
    private Path directory;

    private Path disk;
    private TestTopic testTopic;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        // The server reserves 64 MiB, the ballast takes 32 MiB, and the agent can write the rest.
        assumeTrue(
                run(List.of("mount", "-t", "tmpfs", "-o", "size=112m,mode=700", "gavel-test", disk.toString())) == 0);
        testTopic = TestTopic.inSeparateProcess(disk);
    }

    @AfterEach
    void unmount() throws Exception {
        if (testTopic != null) {
            testTopic.close();
        }
        if (disk != null) {
            run(List.of("umount", disk.toString()));
        }
    }

    private static int run(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Writes a file until it has this size or the disk is full. Returns whether the disk is full. */
    private static boolean fill(Path file, long size) throws IOException {
        byte[] zeros = new byte[4096];
        OutputStream out = Files.newOutputStream(file);
        try (out) {
            for (long written = 0; written < size; written += zeros.length) {
                out.write(zeros);
            }
            return false;
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
            return true;
        }
    }

    private static TestEnvelope large(String id) {
        return proposal(id)
                .payload("{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"content\":\""
                        + "x".repeat(LARGE) + "\"}}}");
    }

    private TestTopic.Answer revoke(String name) throws Exception {
        return testTopic.sendRequest("DELETE", "alice", "/tokens/" + name, "");
    }

    @Test
    void aFullDiskStopsProposalsButNoRevocationAndNothingIsLost() throws Exception {
        fill(disk.resolve("ballast"), BALLAST_BYTES);
        assertThat(testTopic.post("helper", proposal("p-1")).status()).isEqualTo(202);

        // The agent fills the disk down to the reserve.
        int stored = 0;
        TestTopic.Answer answer = testTopic.post("helper", large("l-0"));
        while (answer.status() == 202 && stored < MAX_PROPOSALS) {
            stored++;
            answer = testTopic.post("helper", large("l-" + stored));
        }
        assertThat(stored).isPositive();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
        assertThat(answer.body().path("detail").asString()).contains("almost full");
        assertThat(revoke("helper").status()).isEqualTo(200);
        assertThat(testTopic.handshakeStatus("helper", "topic=ops")).isEqualTo(401);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> testTopic.state("p-1").equals("withdrawn"));

        // Another program takes the reserve, too.
        assertThat(fill(disk.resolve("filler"), Long.MAX_VALUE)).isTrue();
        assertThat(testTopic.post("alice", proposal("p-2")).status()).isEqualTo(503);
        TestTopic.Answer revoked = revoke("bob");
        assertThat(revoked.status() == 200 || revoked.code().equals("not_durable"))
                .as(revoked.toString())
                .isTrue();
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        assertThat(testTopic.get("alice", "/topics/ops/proposals/p-1").status()).isEqualTo(200);

        // When there is space again, the server goes on without a restart.
        Files.delete(disk.resolve("filler"));
        Files.delete(disk.resolve("ballast"));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> testTopic.post("alice", proposal("p-2")).status() == 202);
        await().atMost(Duration.ofSeconds(60)).until(() -> revoke("bob").code().equals("already_revoked"));
        testTopic.restart();
        assertThat(testTopic.handshakeStatus("bob", "topic=ops")).isEqualTo(401);
        assertThat(testTopic.state("l-" + (stored - 1))).isEqualTo("withdrawn");
        assertThat(testTopic.state("p-2")).isEqualTo("open");
        testTopic.kill();
        assertThat(run(GavelProcessCommand.command(
                        "ledger", "verify", "--data", disk.resolve("data").toString())))
                .isZero();
    }
}
