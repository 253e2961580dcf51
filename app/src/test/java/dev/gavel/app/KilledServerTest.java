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
                limits: {rate: 1000000/s}
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
    private static final class Memory {
        final String name;
        final Map<String, String> pending = new LinkedHashMap<>();
        final Set<String> echoed = new HashSet<>();
        int made;

        Memory(String name) {
            this.name = name;
        }
    }

    @Test
    void nothingThatWasEchoedIsLostAndNothingIsThereTwice() throws Exception {
        List<Memory> memories = PROPOSERS.stream().map(Memory::new).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int life = 0; life < KILLS; life++) {
                try (TestProcess server = new TestProcess(directory, config());
                        TestSocket reviewer = server.join("eve")) {
                    List<Future<?>> busy = new ArrayList<>();
                    for (Memory memory : memories) {
                        busy.add(threads.submit(() -> live(server, memory)));
                    }
                    for (int heard = 0; heard < ECHOES_A_LIFE; heard++) {
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
            for (Memory memory : memories) {
                settle(server, memory);
            }
            List<String> kept = replayed(server);
            Set<String> echoed = new LinkedHashSet<>();
            memories.forEach(memory -> echoed.addAll(memory.echoed));
            assertThat(kept).doesNotHaveDuplicates();
            assertThat(kept).containsExactlyInAnyOrderElementsOf(echoed);
            assertThat(echoed).hasSizeGreaterThan(KILLS * ECHOES_A_LIFE / 2);
        }
    }

    /** Proposes and withdraws until the server is gone. */
    private static void live(TestProcess server, Memory memory) {
        try (TestSocket socket = server.join(memory.name)) {
            for (String letter : memory.pending.values()) {
                socket.send(letter);
            }
            while (true) {
                while (memory.pending.size() < 20) {
                    String id = memory.name + "-" + memory.made++;
                    send(socket, memory, id, StressEnvelopes.proposal(id));
                    send(socket, memory, "w-" + id, StressEnvelopes.withdrawal("w-" + id, id));
                }
                take(memory, socket.envelope());
            }
        } catch (IOException e) {
            // The server was killed, as the test intends.
        }
    }

    private static void send(TestSocket socket, Memory memory, String id, String letter) throws IOException {
        memory.pending.put(id, letter);
        socket.send(letter);
    }

    private static void take(Memory memory, JsonNode envelope) {
        assertThat(envelope.path("kind").asString()).isNotEqualTo("system.error");
        if (envelope.path("from").asString().equals(memory.name)) {
            memory.echoed.add(envelope.path("id").asString());
            memory.pending.remove(envelope.path("id").asString());
        }
    }

    /** Resends what was not echoed, until everything is. */
    private static void settle(TestProcess server, Memory memory) throws IOException {
        try (TestSocket socket = server.join(memory.name)) {
            for (String letter : memory.pending.values()) {
                socket.send(letter);
            }
            while (!memory.pending.isEmpty()) {
                take(memory, socket.envelope());
            }
        }
    }

    /** The ids of all stored envelopes that participants sent, in order. */
    private static List<String> replayed(TestProcess server) throws IOException {
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
