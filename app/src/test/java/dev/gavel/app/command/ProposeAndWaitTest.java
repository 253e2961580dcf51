package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestSocket;
import dev.gavel.mcpx.json.Json;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests {@code gavel propose --wait}: every outcome and its exit code. */
class ProposeAndWaitTest extends CommandTestBase {
    private RunningCommand startProposeAndWait(String... more) {
        String[] words = new String[more.length + 7];
        System.arraycopy(
                new String[] {"propose", "ops", "--tool", "write_file", "--arg", "path=/tmp/x", "--wait"},
                0,
                words,
                0,
                7);
        System.arraycopy(more, 0, words, 7, more.length);
        return type("helper", words);
    }

    /** Waits for the only open proposal and returns its id. */
    private String awaitOpenProposal() {
        return Awaitility.await()
                .ignoreExceptions()
                .until(
                        () -> run("alice", "proposals", "ops", "--state", "open", "--json")
                                .json()
                                .at("proposals")
                                .elements()
                                .getFirst()
                                .at("id")
                                .text(),
                        id -> !id.isEmpty());
    }

    @Test
    void aCallThatSucceedsPrintsItsResult() throws Exception {
        try (TestSocket files = runner("files")) {
            RunningCommand waiting = startProposeAndWait();
            String id = id(waiting.awaitLine("proposed "));
            waiting.awaitLine("waiting for alice or bob (not connected)");
            run("alice", "approve", "ops", id, "--yes");
            waiting.awaitLine("approved by alice");
            answer(files, "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"5 bytes\\nwritten\\u001b[2J\"}]}");
            RunningCommand.Result result = waiting.awaitEnd();
            assertThat(result.exit()).isZero();
            assertThat(result.out())
                    .containsPattern("\nsucceeded: approved by alice at .+\n5 bytes\n")
                    .endsWith("\n5 bytes\nwritten\\u001b[2J\n");
        }
    }

    @Test
    void aCallThatFailsSaysWhatWentWrong() throws Exception {
        try (TestSocket files = runner("files")) {
            RunningCommand waiting = startProposeAndWait();
            run("alice", "approve", "ops", id(waiting.awaitLine("proposed ")), "--yes");
            answer(files, "\"error\":{\"code\":-32000,\"message\":\"disk full\"}");
            RunningCommand.Result result = waiting.awaitEnd();
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.out()).contains("failed: approved by alice").endsWith("error -32000: disk full\n");
        }
    }

    @Test
    void aProgramIsToldTheOutcomeAndTheResult() throws Exception {
        try (TestSocket files = runner("files")) {
            RunningCommand waiting = startProposeAndWait("--json");
            run("alice", "approve", "ops", awaitOpenProposal(), "--yes");
            answer(files, "\"result\":{\"content\":[],\"n\":1.50}");
            RunningCommand.Result result = waiting.awaitEnd();
            assertThat(result.exit()).isZero();
            assertThat(result.json().at("state").text()).isEqualTo("fulfilled");
            assertThat(result.json().at("outcome").text()).isEqualTo("succeeded");
            assertThat(result.json().at("result").raw()).isEqualTo("{\"content\":[],\"n\":1.50}");
        }
    }

    @Test
    void aRejectionSaysWhoAndWhy() throws Exception {
        RunningCommand waiting = startProposeAndWait("--json");
        run("alice", "reject", "ops", awaitOpenProposal(), "--reason", "unsafe", "--note", "not there");
        RunningCommand.Result result = waiting.awaitEnd();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().at("state").text()).isEqualTo("rejected");
        Json reason = result.json().at("reasons").elements().getFirst();
        assertThat(reason.at("from").text()).isEqualTo("alice");
        assertThat(reason.at("note").text()).isEqualTo("not there");
    }

    @Test
    void aRejectionIsReadable() throws Exception {
        RunningCommand waiting = startProposeAndWait();
        run("alice", "reject", "ops", id(waiting.awaitLine("proposed ")), "--reason", "unsafe");
        RunningCommand.Result result = waiting.awaitEnd();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).containsPattern("\nrejected at .* by alice \\(unsafe\\)\n$");
    }

    @Test
    void aWithdrawalEndsTheWaiting() throws Exception {
        RunningCommand waiting = startProposeAndWait("--json");
        run("helper", "withdraw", "ops", awaitOpenProposal());
        RunningCommand.Result result = waiting.awaitEnd();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().at("state").text()).isEqualTo("withdrawn");
    }

    @Test
    void expiryEndsTheWaiting() throws Exception {
        RunningCommand.Result result =
                startProposeAndWait("--ttl", "1s", "--json").awaitEnd();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().at("state").text()).isEqualTo("expired");
    }

    @Test
    void anOutcomeThatNobodyKnowsEndsTheWaiting() throws Exception {
        RunningCommand waiting;
        try (TestSocket files = runner("files")) {
            waiting = startProposeAndWait("--json");
            run("alice", "approve", "ops", awaitOpenProposal(), "--yes");
            assertThat(request(files)).contains("write_file");
        }
        RunningCommand.Result result = waiting.awaitEnd();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.json().at("state").text()).isEqualTo("fulfilled");
        assertThat(result.json().at("outcome").text()).isEqualTo("unknown");
    }

    @Test
    void aServerThatIsStartedAnewIsWaitedFor() throws Exception {
        RunningCommand waiting = startProposeAndWait();
        String id = id(waiting.awaitLine("proposed "));
        waiting.awaitLine("waiting for alice or bob (not connected)");
        restart(() ->
                Awaitility.await().untilAsserted(() -> assertThat(waiting.err()).contains("reconnecting")));
        run("alice", "reject", "ops", id, "--reason", "unsafe");
        RunningCommand.Result result = waiting.awaitEnd();
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains("alice (unsafe)");
        assertThat(result.err()).contains("reconnected to the server");
    }
}
