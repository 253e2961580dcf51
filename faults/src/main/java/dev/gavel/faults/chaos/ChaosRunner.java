package dev.gavel.faults.chaos;

import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.faults.cluster.ClusterTest;
import dev.gavel.faults.cluster.ClusterTestResult;
import dev.gavel.faults.cluster.ClusterTestRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The program of the chaos test; see {@code faults/chaos --help}. Stateless. */
public final class ChaosRunner implements ClusterTest {
    private ChaosRunner() {}

    public static void main(String[] args) {
        System.exit(ClusterTestRunner.run(new ChaosRunner(), args));
    }

    @Override
    public String name() {
        return "chaos";
    }

    @Override
    public String configuration() {
        return ChaosRun.configuration();
    }

    @Override
    public List<String> describePlan(long seed, Duration time, int gateways) {
        return ChaosPlan.of(seed, Math.toIntExact(time.toMillis()), gateways, gateways > 1).faults().stream()
                .map(Object::toString)
                .toList();
    }

    @Override
    public ClusterTestResult run(GatewayCluster gatewayCluster, Path directory, long seed, Duration time)
            throws IOException, InterruptedException {
        return ChaosRun.run(gatewayCluster, directory, seed, time);
    }
}
