package dev.gavel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that lets nobody ask fast, and commands that must ask often. */
class PatienceTest {
    @TempDir
    Path directory;

    private TypedCommand.Result run(TestServer server, String identity, String... words) throws Exception {
        return TypedCommand.type(
                        directory,
                        Map.of("GAVEL_URL", "http://" + server.listen(), "GAVEL_TOKEN", identity + TestServer.SECRET),
                        words)
                .end();
    }

    @Test
    void aListAndAReviewAreReadToTheirEndsThoughThatTakesTime() throws Exception {
        String config = "limits: {rate: 2/s}\n" + TerminalTest.CONFIG;
        try (TestServer slow = new TestServer(TestServer.config(config).withData(directory.resolve("data")), 1)) {
            String[] propose = {"propose", "ops", "--tool", "x"};
            for (int proposed = 0; proposed < 2; ) {
                proposed += run(slow, "helper", propose).exit() == 0 ? 1 : 0;
            }
            for (int i = 0; i < 5; i++) {
                assertThat(run(slow, "alice", "proposals", "ops", "--state", "open"))
                        .returns(0, TypedCommand.Result::exit);
            }
            try (TestReview alice = new TestReview("http://" + slow.listen(), "alice", "ops", Map.of())) {
                alice.sees("ops: 2 to decide", "a approve").type("s");
                alice.sees("1 of them skipped", "a approve");
            }
        }
    }
}
