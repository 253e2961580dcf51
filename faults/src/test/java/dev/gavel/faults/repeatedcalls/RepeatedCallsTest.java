package dev.gavel.faults.repeatedcalls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.faults.cluster.ClusterTestResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the test of repeated calls for a few seconds against the built program. */
@Timeout(300)
class RepeatedCallsTest {
    @TempDir
    private static Path directory;

    private static GatewayCluster gatewayCluster;

    @BeforeAll
    @Timeout(180) // longer than the gateways may take, so that a failure shows their logs
    static void start() throws IOException, InterruptedException {
        // The program that this build has made. The script ./gavel would make another one first.
        Path gavel = Path.of("../app/target/gavel/gavel").toAbsolutePath().normalize();
        List<String> command = List.of("env", "JAVA_HOME=" + System.getProperty("java.home"), gavel.toString());
        gatewayCluster = GatewayCluster.start(directory, command, 2, RepeatedCallsTopicConfig.configuration());
    }

    @AfterAll
    static void end() {
        if (gatewayCluster != null) {
            gatewayCluster.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noCallRunsTwiceAndEveryClientThatKeepsCallingGetsAnAnswer(long seed) throws Exception {
        ClusterTestResult result = new RepeatedCallsRunner(RepeatedCallsLoad.SHORT)
                .run(gatewayCluster, directory, seed, Duration.ofSeconds(5));
        assertThat(result.violations())
                .as("seed " + seed + ": " + result.figures())
                .isEmpty();
    }
}
