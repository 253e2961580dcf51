package dev.gavel.faults.cluster;

import dev.gavel.bench.server.GatewayCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A test that injects faults into a gateway cluster by a plan that a seed determines, and checks guarantees. */
public interface ClusterTest {
    /** The name of its script in {@code faults}. */
    String name();

    /** The configuration of topics and identities that its cluster needs. */
    String configuration();

    /** The faults that a run with these options injects, for people. */
    List<String> describePlan(long seed, Duration time, int gateways);

    /**
     * Runs it once.
     *
     * @param directory where records are written if a guarantee is violated
     * @param time the duration of the faults
     */
    ClusterTestResult run(GatewayCluster gatewayCluster, Path directory, long seed, Duration time)
            throws IOException, InterruptedException;
}
