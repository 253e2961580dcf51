package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.TestEnvelope.fulfilment;
import static dev.gavel.app.proposal.TestEnvelope.proposal;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Tests a gateway that is killed while it is busy, and another that continues: nothing that a participant received is
 * lost or done twice.
 */
@Timeout(180)
class KilledGatewayTest {
    private static final int MOST = 2000;

    @TempDir
    private Path directory;

    @Test
    void whatAnybodyWasSentIsKeptAndNothingIsRoutedTwice() throws Exception {
        try (TestTopic testTopic = TestTopic.inSeparateProcess(directory);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            TestParticipant files = testTopic.join("files");
            TestParticipant alice = testTopic.join("alice");
            TestParticipant bob = testTopic.join("bob");
            TestParticipant helper = testTopic.join("helper");
            List<Future<?>> busy = List.of(
                    threads.submit(() -> propose(helper)),
                    threads.submit(() -> fulfil(alice, "fa-")),
                    threads.submit(() -> fulfil(bob, "fb-")));
            List<JsonNode> run = new ArrayList<>();
            while (fulfilments(run).size() < 100) {
                run.add(files.next());
            }
            testTopic.kill();
            run.addAll(files.readToEnd());
            for (Future<?> each : busy) {
                each.get();
            }
            Set<String> proposed = new LinkedHashSet<>(TestParticipant.ids(run));
            proposed.addAll(TestParticipant.ids(helper.readToEnd()));
            proposed.removeIf(id -> !id.startsWith("p-"));
            assertThat(proposed).hasSizeGreaterThanOrEqualTo(100);
            assertThat(fulfilments(run)).doesNotHaveDuplicates();

            testTopic.restart();
            for (String id : proposed) {
                assertThat(testTopic.get("carol", "/topics/ops/proposals/" + id).status())
                        .isEqualTo(200);
            }
            for (String id : fulfilments(run)) {
                assertThat(testTopic.state(id)).isEqualTo("fulfilled");
            }
            TestParticipant again = testTopic.join("files");
            TestParticipant reviewer = testTopic.join("alice");
            for (String id : fulfilments(run)) {
                assertThat(reviewer.sendAndAwaitError(fulfilment("again-" + id, id))
                                .path("error")
                                .asString())
                        .isEqualTo("already_fulfilled");
            }
            assertThat(fulfilments(again.receivedBefore(reviewer))).isEmpty();
        }
    }

    /** Proposes as fast as it can until the gateway is gone. */
    private static void propose(TestParticipant testParticipant) {
        try {
            for (int i = 0; i < MOST; i++) {
                testParticipant.send(proposal("p-" + i));
            }
        } catch (IOException e) {
            // The gateway was killed, as the test intends.
        }
    }

    /** Fulfils every proposal it receives, as others do at the same time. */
    private static void fulfil(TestParticipant testParticipant, String prefix) {
        try {
            while (true) {
                JsonNode envelope = testParticipant.next();
                if (TestParticipant.kind(envelope).startsWith("mcp.proposal")) {
                    testParticipant.send(
                            fulfilment(prefix + TestParticipant.id(envelope), TestParticipant.id(envelope)));
                }
            }
        } catch (IOException e) {
            // The gateway was killed, as the test intends.
        }
    }

    /** The proposals that requests among these fulfilled. */
    private static List<String> fulfilments(List<JsonNode> envelopes) {
        return envelopes.stream()
                .filter(each -> TestParticipant.kind(each).startsWith("mcp.request"))
                .flatMap(each -> TestParticipant.about(each).stream())
                .toList();
    }
}
