package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the official conformance suites, the stable and the newest one, against a topic and against bridges: exactly the
 * known failures occur. Excludes the scenarios that need an OAuth login, which {@code interop/conformance} runs.
 */
final class ConformanceTest {
    @Test
    @Timeout(value = 8, unit = TimeUnit.MINUTES) // some hundred scenarios, perhaps on a busy machine
    void everyScenarioPassesButThoseThatAreKnownNotTo() throws Exception {
        try (BridgeControlServer bridges = new BridgeControlServer()) {
            List<String> command = new ArrayList<>(List.of(
                    InteropPrograms.folder().resolve("conformance").toString(),
                    "--quick",
                    "--bridges",
                    bridges.url(),
                    "--"));
            command.addAll(GavelProcessCommand.command());
            Process suite =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String report = new String(suite.getInputStream().readAllBytes(), UTF_8);

            assertThat(suite.waitFor()).as(report).isZero();
            assertThat(Stream.of("stable", "newest")
                            .flatMap(name -> Stream.of(name + " suite, server", name + " suite, client")))
                    .allMatch(report::contains);
        }
    }
}
