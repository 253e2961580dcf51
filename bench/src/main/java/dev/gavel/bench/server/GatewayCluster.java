package dev.gavel.bench.server;

import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts several gateway processes with the PostgreSQL and NATS servers they share, and stops all of them when closed.
 * A single gateway uses SQLite and no bus. All processes end with the cluster, and with this process, even during the
 * start. One thread starts it; any thread may close or query it.
 */
public final class GatewayCluster implements AutoCloseable {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final String HEAP = "-Xmx192m";

    private final Path directory;
    private final List<String> gavel;
    private final Path configuration;
    private final List<ClusterGatewayProcess> clusterGatewayProcesses = new ArrayList<>();
    private final List<FaultyTcpProxy> natsProxies = new ArrayList<>();
    private final Thread hook = new Thread(this::stopAll, "end the fleet");
    private @Nullable ClusterPostgres clusterPostgres;
    private @Nullable ClusterNats bus;
    private boolean stopped;

    private GatewayCluster(Path directory, List<String> gavel) {
        this.directory = directory;
        this.gavel = List.copyOf(gavel);
        this.configuration = directory.resolve("gavel.yaml");
    }

    /**
     * Starts gateways with everything they need.
     *
     * @param directory for data and logs; it is not deleted
     * @param gavel the command that runs the program, without its arguments
     * @param configuration of topics and identities
     */
    public static GatewayCluster start(Path directory, List<String> gavel, int gateways, String configuration)
            throws IOException, InterruptedException {
        return start(directory, gavel, gateways, gateways > 1, configuration);
    }

    /** Starts gateways that share PostgreSQL and NATS, even a single one, or that share nothing. */
    public static GatewayCluster start(
            Path directory, List<String> gavel, int gateways, boolean shared, String configuration)
            throws IOException, InterruptedException {
        GatewayCluster gatewayCluster = new GatewayCluster(directory, gavel);
        Runtime.getRuntime().addShutdownHook(gatewayCluster.hook);
        try {
            gatewayCluster.startAll(gateways, shared, configuration);
            return gatewayCluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            gatewayCluster.close();
            throw e;
        }
    }

    private void startAll(int gateways, boolean shared, String topics) throws IOException, InterruptedException {
        createComponents(gateways, shared, topics);
        if (bus != null && clusterPostgres != null) {
            bus.start();
            clusterPostgres.start();
        }
        for (ClusterGatewayProcess clusterGatewayProcess : clusterGatewayProcesses) {
            clusterGatewayProcess.launch();
        }
        for (ClusterGatewayProcess clusterGatewayProcess : clusterGatewayProcesses) {
            clusterGatewayProcess.awaitListening();
        }
        awaitReady();
    }

    /**
     * Creates all components before any of them runs, so that a shutdown knows all of them, and closed ones do not
     * start.
     */
    private synchronized void createComponents(int gateways, boolean shared, String topics) throws IOException {
        if (stopped) {
            throw new RunFailedException("the cluster was not started: the run is ending");
        }
        int[] ports = freePorts(gateways + 3);
        if (shared) {
            bus = new ClusterNats(directory, ports[0], ports[1]);
            ClusterPostgres postgres = new ClusterPostgres(directory, ports[2]);
            clusterPostgres = postgres;
            Files.writeString(configuration, """
                    ledger: {url: "%s", user: postgres, password: postgres}
                    bus: nats://127.0.0.1:%d
                    """.formatted(postgres.url(), ports[0]) + topics);
        } else {
            Files.writeString(configuration, topics);
        }
        for (int i = 0; i < gateways; i++) {
            Map<String, String> environment = Map.of("GAVEL_JAVA_OPTS", HEAP);
            if (shared) {
                InetSocketAddress nats = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), ports[0]);
                FaultyTcpProxy faultyTcpProxy = new FaultyTcpProxy(() -> List.of(nats));
                natsProxies.add(faultyTcpProxy);
                environment = Map.of("GAVEL_JAVA_OPTS", HEAP, "GAVEL_BUS", "nats://127.0.0.1:" + faultyTcpProxy.port());
            }
            clusterGatewayProcesses.add(new ClusterGatewayProcess(
                    "gateway-" + i, directory, ports[3 + i], gavel, configuration, environment));
        }
    }

    private static int[] freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1")));
            }
            return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    /** Waits until every gateway reports that it is ready. */
    public void awaitReady() throws InterruptedException {
        for (ClusterGatewayProcess clusterGatewayProcess : clusterGatewayProcesses) {
            if (!ConditionWaiter.waitUntil(READY, () -> clusterGatewayProcess.httpStatus("/health/ready") == 200)) {
                throw new RunFailedException(
                        clusterGatewayProcess + " was not ready within " + READY.toSeconds() + " s: "
                                + clusterGatewayProcess
                                        .httpGet("nobody", "/health/ready")
                                        .map(Object::toString)
                                        .orElse("no answer"));
            }
        }
    }

    public List<ClusterGatewayProcess> gateways() {
        return Collections.unmodifiableList(clusterGatewayProcesses);
    }

    /** The proxy between a gateway and NATS. */
    public FaultyTcpProxy natsProxy(int gateway) {
        return natsProxies.get(gateway);
    }

    /** The processor time that each gateway has used so far. */
    public List<CpuTimeSnapshot> gatewayCpuTimes() {
        return clusterGatewayProcesses.stream()
                .map(clusterGatewayProcess -> CpuTimeSnapshot.of(clusterGatewayProcess.process()))
                .toList();
    }

    /** The processor time that NATS has used so far, if it runs. */
    public Optional<CpuTimeSnapshot> natsCpuTime() {
        return nats().map(server -> CpuTimeSnapshot.of(server.process()));
    }

    /** The URL of NATS's own metrics ({@code /varz}), if it runs. */
    public Optional<URI> natsMonitorUrl() {
        return nats().map(server -> URI.create("http://127.0.0.1:" + server.monitorPort() + "/varz"));
    }

    public Optional<ClusterPostgres> database() {
        return Optional.ofNullable(clusterPostgres);
    }

    public Optional<ClusterNats> nats() {
        return Optional.ofNullable(bus);
    }

    /** Runs {@code gavel ledger} on the gateways' ledger and returns its output; fails if its exit code is not 0. */
    public String runLedgerCommand(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(gavel);
        command.add("ledger");
        command.addAll(List.of(arguments));
        if (clusterPostgres != null) {
            command.addAll(List.of("--config", configuration.toString()));
        } else {
            command.addAll(List.of("--data", directory.resolve("gateway-0").toString()));
        }
        return ExternalCommand.run(command);
    }

    /** Every event of the ledger, as {@code gavel ledger export} writes it. */
    public List<String> exportLedger() throws IOException, InterruptedException {
        Path file = directory.resolve("events.jsonl");
        Files.deleteIfExists(file);
        runLedgerCommand("export", "--out", file.toString());
        return Files.readAllLines(file);
    }

    private synchronized void stopAll() {
        stopped = true;
        clusterGatewayProcesses.forEach(ClusterGatewayProcess::close);
        if (bus != null) {
            bus.close();
        }
        try {
            for (FaultyTcpProxy faultyTcpProxy : natsProxies) {
                faultyTcpProxy.close();
            }
            if (clusterPostgres != null) {
                clusterPostgres.close();
            }
        } catch (IOException e) {
            System.err.println("the cluster did not stop cleanly: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        stopAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // Already shutting down: the hook does the same.
        }
    }
}
