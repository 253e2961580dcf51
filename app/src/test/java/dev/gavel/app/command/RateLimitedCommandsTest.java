package dev.gavel.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.cli.review.TestReviewer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests commands against a server with a low rate limit. */
class RateLimitedCommandsTest {
    @TempDir
    Path directory;

    private RunningCommand.Result run(TestServer server, String identity, String... words) throws Exception {
        return RunningCommand.start(
                        directory,
                        Map.of("GAVEL_URL", "http://" + server.listen(), "GAVEL_TOKEN", identity + TestServer.SECRET),
                        words)
                .awaitEnd();
    }

    @Test
    void aListAndAReviewAreReadToTheirEndsThoughThatTakesTime() throws Exception {
        String config = "limits: {ask: off, bytes: off, rate: 2/s}\n" + CommandTestBase.CONFIG;
        try (TestServer slow = new TestServer(TestServer.config(config).withData(directory.resolve("data")), 1)) {
            String[] propose = {"propose", "ops", "--tool", "x"};
            for (int proposed = 0; proposed < 2; ) {
                proposed += run(slow, "helper", propose).exit() == 0 ? 1 : 0;
            }
            for (int i = 0; i < 5; i++) {
                assertThat(run(slow, "alice", "proposals", "ops", "--state", "open"))
                        .returns(0, RunningCommand.Result::exit);
            }
            try (TestReviewer alice = new TestReviewer("http://" + slow.listen(), "alice", "ops", Map.of())) {
                alice.awaitShown("ops: 2 to decide", "a approve").type("s");
                alice.awaitShown("to decide, 1 skipped", "a approve");
            }
        }
    }
}
