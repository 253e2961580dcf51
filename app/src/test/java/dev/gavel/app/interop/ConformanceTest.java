package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official conformance suite against a topic whose bridge offers what its scenarios need. */
final class ConformanceTest {
    @Test
    void everyServerScenarioPassesButThoseThatAreKnownNotTo(@TempDir Path directory) throws Exception {
        String config = """
                listen: 127.0.0.1:0
                data: "%s"
                identities:
                  suite: {token: suite-0123456789abcdef}
                  fixtures: {}
                topics:
                  conformance:
                    participants:
                      suite: ["*"]
                      fixtures: ["mcp.response.*", "mcp.request.notifications/*"]
                bridges:
                  fixtures: {topic: conformance, command: %s}
                """.formatted(directory.resolve("data"), Interop.yaml(Interop.script("fixtures.mjs")));
        try (TestServer server = new TestServer(config, 2)) {
            Process suite = new ProcessBuilder(
                            Interop.folder().resolve("conformance").toString(),
                            "http://" + server.listen() + "/mcp/conformance",
                            "suite" + TestServer.SECRET)
                    .redirectErrorStream(true)
                    .start();
            String report = new String(suite.getInputStream().readAllBytes(), UTF_8);
            assertThat(suite.waitFor()).as(report).isZero();
        }
    }
}
