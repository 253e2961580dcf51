package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests a server that is killed repeatedly while several participants propose and withdraw, and each participant
 * resends, under the same id, what was not echoed. {@code faults/reliability kill} does the same for longer, and with
 * all kinds of envelopes.
 */
@Timeout(120)
class KilledServerTest {
    private static final int KILLS = 3;
    private static final int ECHOES_A_LIFE = 300;
    private static final List<String> PROPOSERS = List.of("ann", "ben");

    @TempDir
    private Path directory;

    private String config() {
        return """
                listen: 127.0.0.1:0
                data: "%s"
                limits: {ask: off, bytes: off, rate: 1000000/s}
                identities:
                  ann: {token: ann-0123456789abcdef}
                  ben: {token: ben-0123456789abcdef}
                  eve: {token: eve-0123456789abcdef}
                topics:
                  ops:
                    participants:
                      ann: ["mcp.proposal.*", "mcpx.withdraw.proposal"]
                      ben: ["mcp.proposal.*", "mcpx.withdraw.proposal"]
                      eve: ["*"]
                """.formatted(directory.resolve("data"));
    }

    /** What one proposer has sent without an echo, and what was echoed to it, over all restarts. */
    private static final class ProposerRecord {
        final String name;
        final Map<String, String> pending = new LinkedHashMap<>();
        final Set<String> echoed = new HashSet<>();
        int made;

        ProposerRecord(String name) {
            this.name = name;
        }
    }

    @Test
    void nothingThatWasEchoedIsLostAndNothingIsThereTwice() throws Exception {
        List<ProposerRecord> proposerRecords =
                PROPOSERS.stream().map(ProposerRecord::new).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int life = 0; life < KILLS; life++) {
                try (TestProcess server = new TestProcess(directory, config());
                        TestSocket reviewer = server.join("eve")) {
                    List<Future<?>> busy = new ArrayList<>();
                    for (ProposerRecord proposerRecord : proposerRecords) {
                        busy.add(threads.submit(() -> runUntilKilled(server, proposerRecord)));
                    }
                    for (int echoCount = 0; echoCount < ECHOES_A_LIFE; echoCount++) {
                        reviewer.envelope();
                    }
                    server.kill();
                    for (Future<?> each : busy) {
                        each.get();
                    }
                }
            }
        }
        try (TestProcess server = new TestProcess(directory, config())) {
            for (ProposerRecord proposerRecord : proposerRecords) {
                resendUntilEchoed(server, proposerRecord);
            }
            List<String> storedIds = replayedIds(server);
            Set<String> echoed = new LinkedHashSet<>();
            proposerRecords.forEach(proposerRecord -> echoed.addAll(proposerRecord.echoed));
            assertThat(storedIds).doesNotHaveDuplicates();
            assertThat(storedIds).containsExactlyInAnyOrderElementsOf(echoed);
            assertThat(echoed).hasSizeGreaterThan(KILLS * ECHOES_A_LIFE / 2);
        }
    }

    /** Proposes and withdraws until the server is gone. */
    private static void runUntilKilled(TestProcess server, ProposerRecord proposerRecord) {
        try (TestSocket socket = server.join(proposerRecord.name)) {
            for (String envelopeText : proposerRecord.pending.values()) {
                socket.send(envelopeText);
            }
            while (true) {
                while (proposerRecord.pending.size() < 20) {
                    String id = proposerRecord.name + "-" + proposerRecord.made++;
                    send(socket, proposerRecord, id, StressEnvelopes.proposal(id));
                    send(socket, proposerRecord, "w-" + id, StressEnvelopes.withdrawal("w-" + id, id));
                }
                take(proposerRecord, socket.envelope());
            }
        } catch (IOException e) {
            // The server was killed, as the test intends.
        }
    }

    private static void send(TestSocket socket, ProposerRecord proposerRecord, String id, String envelopeText)
            throws IOException {
        proposerRecord.pending.put(id, envelopeText);
        socket.send(envelopeText);
    }

    private static void take(ProposerRecord proposerRecord, JsonNode envelope) {
        assertThat(envelope.path("kind").asString()).isNotEqualTo("system.error");
        if (envelope.path("from").asString().equals(proposerRecord.name)) {
            proposerRecord.echoed.add(envelope.path("id").asString());
            proposerRecord.pending.remove(envelope.path("id").asString());
        }
    }

    /** Resends what was not echoed, until everything is. */
    private static void resendUntilEchoed(TestProcess server, ProposerRecord proposerRecord) throws IOException {
        try (TestSocket socket = server.join(proposerRecord.name)) {
            for (String envelopeText : proposerRecord.pending.values()) {
                socket.send(envelopeText);
            }
            while (!proposerRecord.pending.isEmpty()) {
                take(proposerRecord, socket.envelope());
            }
        }
    }

    /** The ids of all stored envelopes that participants sent, in order. */
    private static List<String> replayedIds(TestProcess server) throws IOException {
        try (TestSocket eve = server.open("eve", "&since=0");
                TestSocket ann = server.join("ann")) {
            // Live envelopes follow the replay: this is the first one that is not part of it.
            ann.send(StressEnvelopes.proposal("mark"));
            return eve.until("mark").stream()
                    .filter(envelope -> envelope.path("kind").asString().startsWith("mcp"))
                    .map(envelope -> envelope.path("id").asString())
                    .filter(id -> !id.equals("mark"))
                    .toList();
        }
    }
}
