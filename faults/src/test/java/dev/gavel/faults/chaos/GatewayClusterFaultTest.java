package dev.gavel.faults.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.ConditionWaiter;
import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.faults.chaos.ChaosPlan.FaultType;
import dev.gavel.faults.chaos.ChaosPlan.PlannedFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how a gateway cluster is started, stopped and disturbed, with the JDK's web server in place of the gateways.
 */
@Timeout(120)
class GatewayClusterFaultTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private Path starts;

    @BeforeEach
    void prepare() throws IOException {
        starts = Files.createFile(directory.resolve("starts"));
        Path health = Files.createDirectories(directory.resolve("served").resolve("health"));
        Files.createFile(health.resolve("live"));
        Files.createFile(health.resolve("ready"));
    }

    /** A program that records its start, runs a command, and then listens on the gateway's port. */
    private List<String> program(String before) throws IOException {
        Path script = directory.resolve("program");
        Files.writeString(
                script, """
                echo $$ >>%s
                %s
                exec %s/bin/jwebserver -b 127.0.0.1 -p "${5#*:}" -d %s
                """.formatted(starts, before, System.getProperty("java.home"), directory.resolve("served")));
        return List.of("sh", script.toString());
    }

    private GatewayCluster fleet(String before) throws IOException, InterruptedException {
        return GatewayCluster.start(directory, program(before), 1, "");
    }

    private List<Long> started() throws IOException {
        return Files.readAllLines(starts).stream().map(Long::valueOf).toList();
    }

    private boolean isAnyAlive() throws IOException {
        return started().stream().flatMap(pid -> ProcessHandle.of(pid).stream()).anyMatch(ProcessHandle::isAlive);
    }

    @Test
    void aGatewayThatGivesUpAtItsStartIsStartedAgain() throws Exception {
        try (GatewayCluster gatewayCluster = fleet("[ $(wc -l <%s) -ge 3 ] || exit 2".formatted(starts))) {
            ClusterGatewayProcess clusterGatewayProcess =
                    gatewayCluster.gateways().getFirst();
            assertThat(clusterGatewayProcess.isUp()).isTrue();
            assertThat(started()).hasSize(3);
            assertThat(clusterGatewayProcess.unexpectedErrors()).isEmpty();
        }
        assertThat(isAnyAlive()).isFalse();
    }

    @Test
    void soIsOneThatDiesOfAnythingElseButThatIsTold() throws Exception {
        try (GatewayCluster gatewayCluster = fleet("[ $(wc -l <%s) -ge 2 ] || exit 134".formatted(starts))) {
            assertThat(gatewayCluster.gateways().getFirst().unexpectedErrors())
                    .containsExactly("gateway-0 ended with exit code 134 during its start");
        }
    }

    @Test
    void whatAGatewayEndsWithAndSaysOfItsOwnMistakesIsTold() throws Exception {
        try (GatewayCluster gatewayCluster =
                fleet("echo all is well; echo 'Exception in thread \"drain\" java.lang.Error'")) {
            assertThat(gatewayCluster.gateways().getFirst().unexpectedErrors())
                    .containsExactly("gateway-0 logged: Exception in thread \"drain\" java.lang.Error");
            ChaosPlan plan = new ChaosPlan(1, List.of(new PlannedFault(FaultType.DRAIN, 0, 0, 1, 0)));
            FaultInjector faultInjector = new FaultInjector(gatewayCluster, List::of, System.nanoTime());
            faultInjector.inject(plan);
            assertThat(faultInjector.completedFaults()).containsExactly(Map.entry(FaultType.DRAIN, 1));
            assertThat(faultInjector.unexpectedErrors())
                    .singleElement()
                    .asString()
                    .startsWith("gateway-0 shut down with exit code 143 (");
        }
    }

    @Test
    void onceClosedNothingIsStarted() throws Exception {
        GatewayCluster gatewayCluster = fleet("");
        gatewayCluster.close();
        assertThatThrownBy(() -> gatewayCluster.gateways().getFirst().start()).isInstanceOf(RunFailedException.class);
        assertThat(started()).hasSize(1);
        assertThat(isAnyAlive()).isFalse();
    }

    @Test
    void wherePerformingIsInterruptedNothingIsUnderWayAfterwards() throws Exception {
        try (GatewayCluster gatewayCluster = fleet("")) {
            ClusterGatewayProcess clusterGatewayProcess =
                    gatewayCluster.gateways().getFirst();
            ChaosPlan plan = new ChaosPlan(1, List.of(new PlannedFault(FaultType.KILL, 0, 0, Integer.MAX_VALUE, 0)));
            FaultInjector faultInjector = new FaultInjector(gatewayCluster, List::of, System.nanoTime());
            CompletableFuture<String> came = new CompletableFuture<>();
            Thread performing = Thread.ofVirtual().start(() -> {
                try {
                    faultInjector.inject(plan);
                    came.complete("done");
                } catch (InterruptedException _) {
                    came.complete("interrupted");
                }
            });
            ConditionWaiter.require("it is killed", SOON, () -> !clusterGatewayProcess.isUp());
            performing.interrupt();
            assertThat(ConditionWaiter.require("end", SOON, came)).isEqualTo("interrupted");
            assertThat(faultInjector.log()).last().asString().contains("interrupted");
            assertThat(faultInjector.completedFaults()).isEmpty();
        }
        assertThat(started()).hasSize(1);
    }

    @Test
    void thatAParticipantsThreadDiesIsTold() throws Exception {
        CompletableFuture<Throwable> died = new CompletableFuture<>();
        try (GatewayCluster none = GatewayCluster.start(directory, program(""), 0, "");
                RecordingGatewayProxies proxies = new RecordingGatewayProxies(none);
                JournalingSocketParticipant lost = new JournalingSocketParticipant(
                        proxies,
                        "p0",
                        false,
                        0,
                        1,
                        (who, receivedEnvelope) -> {},
                        (thread, why) -> died.complete(why))) {
            lost.start();
            // It looks for a gateway in an empty cluster.
            assertThat(ConditionWaiter.require("death", SOON, died)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
