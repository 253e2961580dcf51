package dev.gavel.faults.repeatedcalls;

import dev.gavel.bench.server.GatewayCluster;
import dev.gavel.faults.chaos.ChaosPlan;
import dev.gavel.faults.chaos.ChaosPlan.FaultType;
import dev.gavel.faults.cluster.ClusterTest;
import dev.gavel.faults.cluster.ClusterTestResult;
import dev.gavel.faults.cluster.ClusterTestRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The program of the repeated-calls test; see {@code faults/repeated-calls --help}. Immutable. */
public final class RepeatedCallsRunner implements ClusterTest {
    /** Kills are the most frequent faults, because they are the ones that break connections and lose memory. */
    private static final List<FaultType> FAULTS =
            List.of(FaultType.KILL, FaultType.KILL, FaultType.DRAIN, FaultType.PAUSE, FaultType.CUT);

    private final RepeatedCallsLoad load;

    RepeatedCallsRunner(RepeatedCallsLoad load) {
        this.load = load;
    }

    public static void main(String[] args) {
        System.exit(ClusterTestRunner.run(new RepeatedCallsRunner(RepeatedCallsLoad.FULL), args));
    }

    @Override
    public String name() {
        return "repeated-calls";
    }

    @Override
    public String configuration() {
        return RepeatedCallsTopicConfig.configuration();
    }

    private static ChaosPlan plan(long seed, Duration time, int gateways) {
        return ChaosPlan.of(
                seed,
                Math.toIntExact(time.toMillis()),
                gateways,
                gateways > 1 ? FAULTS : List.of(FaultType.KILL, FaultType.DRAIN, FaultType.PAUSE));
    }

    @Override
    public List<String> describePlan(long seed, Duration time, int gateways) {
        return plan(seed, time, gateways).faults().stream()
                .map(Object::toString)
                .toList();
    }

    @Override
    public ClusterTestResult run(GatewayCluster gatewayCluster, Path directory, long seed, Duration time)
            throws IOException, InterruptedException {
        return new RepeatedCallsRun(
                        gatewayCluster,
                        directory,
                        plan(seed, time, gatewayCluster.gateways().size()),
                        load,
                        time)
                .run();
    }
}
