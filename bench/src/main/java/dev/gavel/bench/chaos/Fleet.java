package dev.gavel.bench.chaos;

import dev.gavel.bench.CpuTime;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.reliability.Patience;
import dev.gavel.bench.reliability.Tool;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gateways that serve the same topics, and what they share: PostgreSQL, NATS, and to NATS a way each. One alone has SQLite
 * and no bus. All of it ends with the fleet, and with this process, also where that comes while it is being started.
 * Started by one thread; closed and asked by any.
 */
public final class Fleet implements AutoCloseable {
    private static final Duration READY = Duration.ofSeconds(60);
    private static final String HEAP = "-Xmx192m";

    private final Path directory;
    private final List<String> gavel;
    private final Path configuration;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final Thread hook = new Thread(this::end, "end the fleet");
    private @Nullable Database database;
    private @Nullable BusServer bus;
    private @Nullable Link entrance;
    private boolean ended;

    private Fleet(Path directory, List<String> gavel) {
        this.directory = directory;
        this.gavel = List.copyOf(gavel);
        this.configuration = directory.resolve("gavel.yaml");
    }

    /**
     * Starts gateways with all they need.
     *
     * @param directory for data and logs; stays
     * @param gavel the command that runs the program, up to its arguments
     * @param configuration of topics and identities
     */
    public static Fleet start(Path directory, List<String> gavel, int gateways, String configuration)
            throws IOException, InterruptedException {
        return start(directory, gavel, gateways, gateways > 1, configuration);
    }

    /** Starts gateways that share PostgreSQL and NATS, even if it is only one, or that share nothing. */
    public static Fleet start(Path directory, List<String> gavel, int gateways, boolean shared, String configuration)
            throws IOException, InterruptedException {
        Fleet fleet = new Fleet(directory, gavel);
        Runtime.getRuntime().addShutdownHook(fleet.hook);
        try {
            fleet.begin(gateways, shared, configuration);
            return fleet;
        } catch (IOException | InterruptedException | RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private void begin(int gateways, boolean shared, String topics) throws IOException, InterruptedException {
        prepare(gateways, shared, topics);
        if (bus != null && database != null) {
            bus.start();
            database.start();
        }
        for (Node node : nodes) {
            node.begin();
        }
        for (Node node : nodes) {
            node.awaitListening();
        }
        awaitReady();
    }

    /** Makes all its parts before any runs: whoever ends it knows them all, and what was closed does not start. */
    private synchronized void prepare(int gateways, boolean shared, String topics) throws IOException {
        if (ended) {
            throw new LoadFailure("nothing is started: the run is over");
        }
        int[] ports = freePorts(gateways + 3);
        if (shared) {
            bus = new BusServer(directory, ports[0], ports[1]);
            Database postgres = new Database(directory, ports[2]);
            database = postgres;
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
                Link link = new Link(() -> List.of(nats));
                links.add(link);
                environment = Map.of("GAVEL_JAVA_OPTS", HEAP, "GAVEL_BUS", "nats://127.0.0.1:" + link.port());
            }
            nodes.add(new Node("gateway-" + i, directory, ports[3 + i], gavel, configuration, environment));
        }
        entrance = new Link(this::anyNode);
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

    /** Where somebody may connect who does not care which gateway it is: those first that are up, in any order. */
    private List<InetSocketAddress> anyNode() {
        List<Node> any = new ArrayList<>(nodes);
        Collections.shuffle(any);
        return any.stream().filter(Node::isUp).map(Node::address).collect(Collectors.toList());
    }

    /** Waits until every gateway says that it is ready. */
    public void awaitReady() throws InterruptedException {
        for (Node node : nodes) {
            if (!Patience.until(READY, () -> node.get("/health/ready") == 200)) {
                throw new LoadFailure(node + " is not ready after " + READY.toSeconds() + " s: "
                        + node.ask("nobody", "/health/ready")
                                .map(Object::toString)
                                .orElse("no answer"));
            }
        }
    }

    public List<Node> nodes() {
        return Collections.unmodifiableList(nodes);
    }

    /** A gateway's own way to NATS. */
    public Link link(int gateway) {
        return links.get(gateway);
    }

    /** An address that leads to any gateway, for clients that know only one. */
    public String url() {
        Link way = entrance;
        if (way == null) {
            throw new IllegalStateException("not started");
        }
        return "http://127.0.0.1:" + way.port();
    }

    /** The addresses of the gateways, for clients that know them all. */
    List<String> urls() {
        return nodes.stream()
                .map(node -> "http://127.0.0.1:" + node.address().getPort())
                .toList();
    }

    /** The processor time that the gateways have used so far, each. */
    public List<CpuTime> cpuTimes() {
        return nodes.stream().map(node -> CpuTime.of(node.process())).toList();
    }

    /** The processor time that NATS has used so far, where there is one. */
    public Optional<CpuTime> busTime() {
        return bus().map(server -> CpuTime.of(server.process()));
    }

    /** What NATS says of itself ({@code /varz}), where there is one. */
    public Optional<URI> busMonitor() {
        return bus().map(server -> URI.create("http://127.0.0.1:" + server.monitor() + "/varz"));
    }

    Optional<Database> database() {
        return Optional.ofNullable(database);
    }

    Optional<BusServer> bus() {
        return Optional.ofNullable(bus);
    }

    /** Runs {@code gavel ledger} on what the gateways keep, and gives what it printed; it must end well. */
    String ledger(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(gavel);
        command.add("ledger");
        command.addAll(List.of(arguments));
        if (database != null) {
            command.addAll(List.of("--config", configuration.toString()));
        } else {
            command.addAll(List.of("--data", directory.resolve("gateway-0").toString()));
        }
        return Tool.run(command);
    }

    /** Every event of the ledger, as {@code gavel ledger export} writes it. */
    List<String> export() throws IOException, InterruptedException {
        Path file = directory.resolve("events.jsonl");
        Files.deleteIfExists(file);
        ledger("export", "--out", file.toString());
        return Files.readAllLines(file);
    }

    private synchronized void end() {
        ended = true;
        nodes.forEach(Node::close);
        if (bus != null) {
            bus.close();
        }
        try {
            for (Link link : links) {
                link.close();
            }
            if (entrance != null) {
                entrance.close();
            }
            if (database != null) {
                database.close();
            }
        } catch (IOException e) {
            System.err.println("the fleet did not end well: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // Shutting down already: the hook does the same.
        }
    }
}
