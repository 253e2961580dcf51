package dev.gavel.bench.server;

import dev.gavel.bench.client.RawSocketClient;
import dev.gavel.bench.client.ReceivedEnvelope;
import dev.gavel.bench.load.RunFailedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Runs one Gavel server on its own, kills and restarts it on the same data, and inspects its memory, health and ledger.
 * By default its heap is small, so that unbounded growth becomes visible. One thread starts and ends it; any thread may
 * query it.
 */
public final class SingleGatewayProcess {
    public static final Duration START_TIMEOUT = Duration.ofSeconds(60);

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String HEAP = "-Xmx256m";
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)$");

    private final RunWorkspace runWorkspace;
    private final Path configuration;
    private final Path data;
    private final String options;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(SOON)
            .build();
    private volatile @Nullable ServerProcess process;
    private volatile @Nullable InetSocketAddress address;

    /** Creates a server that does not run yet, with its data in the workspace. */
    public SingleGatewayProcess(RunWorkspace runWorkspace, String name, GavelConfigBuilder gavelConfigBuilder)
            throws IOException {
        this(runWorkspace, name, gavelConfigBuilder, runWorkspace.directory().resolve(name));
    }

    public SingleGatewayProcess(
            RunWorkspace runWorkspace, String name, GavelConfigBuilder gavelConfigBuilder, Path data)
            throws IOException {
        this(runWorkspace, name, gavelConfigBuilder.configuration(), data, HEAP);
    }

    /**
     * Creates a server that does not run yet.
     *
     * @param configuration the text of its configuration file
     * @param options additional JVM options
     */
    public SingleGatewayProcess(RunWorkspace runWorkspace, String name, String configuration, Path data, String options)
            throws IOException {
        this.runWorkspace = runWorkspace;
        this.configuration = Files.writeString(runWorkspace.directory().resolve(name + ".yaml"), configuration);
        this.data = data;
        this.options = options;
    }

    /** Starts it, and returns after how many nanoseconds it listened. */
    public long start() throws InterruptedException {
        long begin = System.nanoTime();
        ServerProcess started = runWorkspace.start(
                "gavel",
                List.of(
                        "./gavel",
                        "serve",
                        "--config",
                        configuration.toString(),
                        "--listen",
                        "127.0.0.1:0",
                        "--data",
                        data.toString()),
                Map.of("GAVEL_JAVA_OPTS", options));
        process = started;
        address = started.awaitAddress(START_TIMEOUT);
        return System.nanoTime() - begin;
    }

    public ServerProcess process() {
        ServerProcess started = process;
        if (started == null) {
            throw new IllegalStateException("the gateway was not started");
        }
        return started;
    }

    public InetSocketAddress address() {
        InetSocketAddress known = address;
        if (known == null) {
            throw new IllegalStateException("the gateway was not started");
        }
        return known;
    }

    /** Ends it with {@code kill -9}. */
    public void kill() throws InterruptedException {
        process().kill();
    }

    /** Stops it gracefully. */
    public void stop() {
        process().close();
    }

    public boolean isAlive() {
        return process().isAlive();
    }

    public Path data() {
        return data;
    }

    /** Connects an identity to a topic by WebSocket, and waits for the welcome. */
    public RawSocketClient join(String identity, String topic, Consumer<ReceivedEnvelope> listener)
            throws IOException, InterruptedException {
        return join(identity, topic, "", listener);
    }

    public RawSocketClient join(String identity, String topic, String extraQuery, Consumer<ReceivedEnvelope> listener)
            throws IOException, InterruptedException {
        RawSocketClient client = RawSocketClient.webSocket(
                address(), "/ws?topic=" + topic + extraQuery, GavelConfigBuilder.token(identity), listener);
        var _ = ConditionWaiter.require("the welcome of " + identity, SOON, client.welcome());
        return client;
    }

    /** Connects an identity to a topic by event stream. */
    public RawSocketClient openEventStream(
            String identity, String topic, String query, Consumer<ReceivedEnvelope> listener) throws IOException {
        return RawSocketClient.eventStream(
                address(), "/topics/" + topic + "/messages" + query, GavelConfigBuilder.token(identity), listener);
    }

    public HttpResponse<String> httpGet(String identity, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(
                        "http://" + address().getHostString() + ":" + address().getPort() + path))
                .header("Authorization", "Bearer " + GavelConfigBuilder.token(identity))
                .timeout(SOON)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    /** The status of {@code /health/ready}; 0 if there is no response. */
    public int readyStatus() {
        try {
            return httpGet("nobody", "/health/ready").statusCode();
        } catch (IOException _) {
            return 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** The resident memory of the process in bytes; 0 if the system does not report it. */
    public long residentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process().pid()), "status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        Matcher matcher = RESIDENT.matcher(Files.readString(status));
        return matcher.find() ? Long.parseLong(matcher.group(1)) * 1024 : 0;
    }

    /** The live heap in bytes, after a garbage collection. */
    public long heapBytes() throws IOException, InterruptedException {
        Matcher matcher = TOTAL.matcher(jcmd("GC.class_histogram"));
        if (!matcher.find()) {
            throw new RunFailedException("jcmd did not report the heap");
        }
        return Long.parseLong(matcher.group(1));
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        return ExternalCommand.run(List.of(jcmd, Long.toString(process().pid()), command));
    }

    /** Every event of the ledger, in order; the server may be running or not. */
    public List<LedgerExportLine> exportLedger() throws IOException, InterruptedException {
        Path file = Files.createTempFile(runWorkspace.directory(), "events", ".jsonl");
        Files.delete(file);
        ExternalCommand.run(
                List.of("./gavel", "ledger", "export", "--data", data.toString(), "--out", file.toString()));
        List<LedgerExportLine> events = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            events.add(LedgerExportLine.parse(line));
        }
        Files.delete(file);
        return events;
    }

    /** Whether SQLite's integrity check finds no problem in the file. */
    public boolean isLedgerIntact() throws IOException, InterruptedException {
        return ExternalCommand.run(ExternalCommand.javaWithSqliteDriver(
                        SqliteLockAndCheckProgram.class,
                        "check",
                        data.resolve("ledger.db").toString()))
                .strip()
                .equals("ok");
    }

    /** Creates a failure; if the server has ended, its output explains what clients could not do. */
    public RunFailedException failure(String message) {
        return new RunFailedException(
                isAlive() ? message : message + "\n" + process().outputTail());
    }
}
