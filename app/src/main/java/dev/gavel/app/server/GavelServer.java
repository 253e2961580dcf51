package dev.gavel.app.server;

import dev.gavel.app.config.LedgerConfig;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.app.trace.OtlpHeaders;
import dev.gavel.app.trace.SpanExporter;
import dev.gavel.cli.build.BuildInfo;
import dev.gavel.client.http.ListenAddress;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.MemberRegistry;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.ledger.lease.SingleProcessLeaseService;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.facade.McpFacade;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.web.WebServer;
import dev.gavel.web.console.ConsoleRoutes;
import dev.gavel.web.console.ConsoleServices;
import dev.gavel.web.console.admin.LedgerInspector;
import dev.gavel.web.console.live.ChangeFeed;
import dev.gavel.web.console.session.SignInCodes;
import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.web.http.ProxyAddresses;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.SessionSigningKey;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.ConnectionLimitCounts;
import dev.gavel.web.metrics.MetricsExporter;
import dev.gavel.web.oauth.AccessTokenAuthenticator;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.registry.UnwrittenRevocations;
import dev.gavel.web.sep.SepRoutes;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running gateway: builds the object graph, listens, and stops gracefully. Thread-safe. */
public final class GavelServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(GavelServer.class);

    /** How long connections have to close when the process stops. */
    private static final long DRAIN_MILLIS = 5_000;

    /** How long bridges have to leave their topics, before the connections close. */
    private static final Duration BRIDGE_LEAVE_TIMEOUT = Duration.ofSeconds(3);

    /** How long the bridged servers have to end in total; they are killed long before that. */
    private static final Duration BRIDGE_CLOSE_TIMEOUT = Duration.ofSeconds(30);

    /** How much of {@link #DRAIN_MILLIS} MCP clients wait for running calls. */
    private static final long CALL_DRAIN_MILLIS = 3_000;

    /** How many reads of one identity may be pending. */
    private static final int MAX_PENDING_READS = 200;

    private final Vertx vertx;
    private final ServerConfig config;
    private final Gateway gateway;
    private final McpFacade facade;
    private final LeaseService leaseService;
    private final WebServer edge;
    private final Optional<ServerLedger> ledger;
    private final ServerClusterConnection clusterConnection;
    private final IdentityRegistry registry;
    private final Optional<AccessTokenAuthenticator> accessTokens;
    private final FairExecutor readExecutor;
    private final Optional<SpanExporter> spanExporter;
    private final BridgeSupervisor bridgeSupervisor;
    private final Optional<SepServiceRunner> sepRunner;
    private final Optional<BackgroundLedgerVerifier> ledgerVerifier;
    private final ServerUrlBuilder links;
    private final ListenAddress listenAddress;

    private GavelServer(
            Vertx vertx,
            ServerConfig config,
            Gateway gateway,
            McpFacade facade,
            LeaseService leaseService,
            WebServer edge,
            Optional<ServerLedger> ledger,
            ServerClusterConnection clusterConnection,
            IdentityRegistry identityRegistry,
            Optional<AccessTokenAuthenticator> accessTokens,
            FairExecutor readers,
            Optional<SpanExporter> spans,
            BridgeSupervisor bridgeSupervisor,
            Optional<SepServiceRunner> sepServiceRunner,
            Optional<BackgroundLedgerVerifier> ledgerVerifier,
            ServerUrlBuilder links,
            ListenAddress listenAddress) {
        this.vertx = vertx;
        this.config = config;
        this.gateway = gateway;
        this.facade = facade;
        this.leaseService = leaseService;
        this.edge = edge;
        this.ledger = ledger;
        this.clusterConnection = clusterConnection;
        this.registry = identityRegistry;
        this.accessTokens = accessTokens;
        this.readExecutor = readers;
        this.spanExporter = spans;
        this.bridgeSupervisor = bridgeSupervisor;
        this.sepRunner = sepServiceRunner;
        this.ledgerVerifier = ledgerVerifier;
        this.links = links;
        this.listenAddress = listenAddress;
    }

    /**
     * The number of event loops for a number of cores: half of them. With few cores, handing work between loops costs
     * more than a second loop gains, and the compiler, the garbage collector and the kernel need cores too
     * (docs/benchmarks.md).
     */
    public static int eventLoopsFor(int cores) {
        return Math.max(1, cores / 2);
    }

    /** Builds the server and returns once it listens. */
    public static GavelServer start(ServerConfig config, int loops) throws IOException {
        return start(config, ServerEventLoops.start(loops));
    }

    /** Builds the server on started event loops and returns once it listens. Closes the event loops if that fails. */
    public static GavelServer start(ServerConfig config, ServerEventLoops serverEventLoops) throws IOException {
        GavelServer server = null;
        try {
            server = startOn(serverEventLoops, config);
            return server;
        } finally {
            if (server == null) {
                serverEventLoops.close();
            }
        }
    }

    private static GavelServer startOn(ServerEventLoops serverEventLoops, ServerConfig config) throws IOException {
        OtlpHeaders headers = config.observability().traces().isPresent() ? collectorHeaders() : OtlpHeaders.NONE;
        Optional<String> configProblem = config.ledgerFileProblem().or(config::audienceProblem);
        if (configProblem.isPresent()) {
            throw new IOException(configProblem.get());
        }
        InstantSource clock = InstantSource.system();
        Optional<ServerLedger> ledger =
                needsLedger(config) ? Optional.of(ServerLedger.open(config, clock)) : Optional.empty();
        // As many threads as the ledger allows concurrent reads: the data they read stays in memory until it is passed
        // on.
        FairExecutor readers =
                FairExecutor.start("gavel-ledger-read-", SqliteOptions.DEFAULT.readers(), MAX_PENDING_READS);
        Optional<SpanExporter> spans =
                config.observability().traces().map(collector -> new SpanExporter(collector, headers));
        ServerClusterConnection clusterConnection = ServerClusterConnection.open(config.bus());
        LeaseService leaseService = ledger.map(ServerLedger::leases).orElseGet(SingleProcessLeaseService::new);
        GavelServer server = null;
        Optional<SepServiceRunner> sepServiceRunner = Optional.empty();
        Optional<AccessTokenAuthenticator> accessTokens = Optional.empty();
        try {
            RegistrySnapshot registrySnapshot = loadRegistry(config, ledger);
            ledger.ifPresent(it -> it.startCallAudit(config.audit(), clusterConnection.bus(), clock));
            Gateway gateway = new Gateway(
                    topicConfigs(config, registrySnapshot, ledger),
                    serverEventLoops.loops(),
                    gatewayLimits(config),
                    readers,
                    clock,
                    clusterConnection.bus(),
                    clusterConnection.remoteLedgerWriteNotifier());
            ledger.ifPresent(clusterConnection::watchLedger);
            spans.ifPresent(gateway::addListener);
            ChangeFeed changeFeed = new ChangeFeed();
            gateway.addListener(changeFeed);
            gateway.loadOpenProposals();
            TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(clock);
            CatalogRegistry catalogRegistry = new CatalogRegistry(gateway, clock, config::ownParticipantsIn);
            McpFacade facade = new McpFacade(
                    gateway,
                    catalogRegistry,
                    new ReviewDecisionSubmitter(gateway, clock),
                    clock,
                    config.retention(),
                    BuildInfo.version());
            gateway.setCallOfferDirectory(catalogRegistry);
            gateway.setToolDefinitionDirectory(catalogRegistry);
            catalogRegistry.addChangeListener((topic, what) -> changeFeed.onOffersChanged(topic));
            gateway.addListener(catalogRegistry);
            catalogRegistry.start();
            gateway.addListener(facade);
            IdentityRegistry identityRegistry = new IdentityRegistry(
                    registrySnapshot,
                    ledger.map(ServerLedger::registryLedger),
                    UnwrittenRevocations.inDirectory(config.data()),
                    tokenAuthenticator,
                    gateway::topic,
                    clock);
            gateway.setAccessSource(identityRegistry);
            accessTokens = startAccessTokens(config, identityRegistry, clock);
            identityRegistry.follow(clusterConnection.remoteLedgerWriteNotifier());
            BridgeSupervisor bridgeSupervisor = new BridgeSupervisor(config, gateway);
            Optional<SepServiceRunner> sepService =
                    ledger.map(serverLedger -> new SepServiceRunner(config, serverLedger, identityRegistry, clock));
            sepService.ifPresent(it -> {
                it.onChange(changeFeed::onSepsChanged);
                it.follow(clusterConnection.remoteLedgerWriteNotifier());
            });
            sepServiceRunner = sepService;
            Optional<BackgroundLedgerVerifier> ledgerVerifier = ledger.map(serverLedger ->
                    new BackgroundLedgerVerifier(serverLedger.handle(), serverLedger::isAvailable, readers, clock));
            Optional<String> startProblem = sepService.flatMap(SepServiceRunner::adoptionProblem);
            if (startProblem.isPresent()) {
                throw new IOException(startProblem.get());
            }
            WebConfig web = config.web(BuildInfo.version());
            ConnectionLimiter connectionLimiter = serverEventLoops.connectionLimiter();
            connectionLimiter.configure(web.connectionLimits(), ProxyAddresses.of(web));
            MetricsExporter metricsExporter = new MetricsExporter(
                    web.version(),
                    gateway,
                    () -> ledger.map(ServerLedger::metrics),
                    clusterConnection::metrics,
                    () -> spans.map(SpanExporter::counts),
                    bridgeSupervisor::statuses,
                    () -> new ConnectionLimitCounts(
                            connectionLimiter.unauthenticatedCount(), connectionLimiter.closedCounts()));
            Optional<SessionSigningKey> shared = ledger.filter(ServerLedger::isShared)
                    .map(it -> SessionSigningKey.shared(it.sharedSecret("session")));
            SignInCodes codes = new SignInCodes(clock, shared);
            WebServer edge = new WebServer(
                    serverEventLoops.vertx(),
                    serverEventLoops.size(),
                    web,
                    gateway,
                    tokenAuthenticator,
                    accessTokens,
                    identityRegistry,
                    facade,
                    () -> ledger.map(ServerLedger::isAvailable).orElse(true),
                    metricsExporter,
                    List.of(
                            new ConsoleRoutes(new ConsoleServices(
                                    web,
                                    gateway,
                                    tokenAuthenticator,
                                    identityRegistry,
                                    catalogRegistry,
                                    sepService.map(SepServiceRunner::sepService),
                                    bridgeSupervisor::statuses,
                                    ledgerVerifier.map(LedgerInspector.class::cast),
                                    changeFeed,
                                    codes,
                                    shared.orElseGet(() -> SessionSigningKey.inDirectory(config.data())),
                                    metricsExporter.failedSignIns(),
                                    clock)),
                            new SepRoutes(
                                    TopicAccess.of(web, gateway, tokenAuthenticator, metricsExporter.refusedRequests()),
                                    sepService.map(SepServiceRunner::sepService),
                                    identity -> sepService
                                            .map(runner -> runner.feed(identity))
                                            .orElseGet(() -> CompletableFuture.completedStage("")),
                                    web.processDefinition().terms())));
            serverEventLoops.awaitSelfTest();
            ListenAddress listenAddress = await(edge.listen());
            ServerUrlBuilder links = new ServerUrlBuilder(config, web.consoleHost(), listenAddress, codes);
            server = new GavelServer(
                    serverEventLoops.vertx(),
                    config,
                    gateway,
                    facade,
                    leaseService,
                    edge,
                    ledger,
                    clusterConnection,
                    identityRegistry,
                    accessTokens,
                    readers,
                    spans,
                    bridgeSupervisor,
                    sepService,
                    ledgerVerifier,
                    links,
                    listenAddress);
            bridgeSupervisor.start(leaseService);
            sepService.ifPresent(it -> it.start(gateway, leaseService));
            facade.startOrphanSweepers(config::pendingCallSettingsOf);
            log.atDebug().addKeyValue("address", server.listenAddress).log("The server started.");
            return server;
        } catch (CompletionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getMessage(), e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (LedgerException e) {
            throw new IOException("the ledger cannot be read: " + e.getMessage(), e);
        } finally {
            if (server == null) {
                serverEventLoops.close();
                readers.shutdown();
                sepServiceRunner.ifPresent(SepServiceRunner::close);
                accessTokens.ifPresent(AccessTokenAuthenticator::close);
                leaseService.close();
                clusterConnection.close();
                spans.ifPresent(SpanExporter::close);
                ledger.ifPresent(ServerLedger::close);
            }
        }
    }

    private static Optional<AccessTokenAuthenticator> startAccessTokens(
            ServerConfig config, IdentityRegistry identityRegistry, InstantSource clock) {
        if (config.issuers().isEmpty()) {
            return Optional.empty();
        }
        AccessTokenAuthenticator authenticator = new AccessTokenAuthenticator(
                config.issuers(),
                identity -> identityRegistry.snapshot().lookupForAccessToken(identity, clock.instant()),
                clock);
        identityRegistry.setChangeListener(authenticator::onIdentitiesChanged);
        return Optional.of(authenticator);
    }

    /**
     * Whether the server opens a ledger. It reads an existing one even if no topic uses it any more, so that revoked
     * access stays revoked.
     */
    private static boolean needsLedger(ServerConfig config) {
        return config.sepConfig().configured()
                || config.topics().values().stream().anyMatch(ServerConfig.Topic::ledger)
                || config.ledger() instanceof LedgerConfig.Postgres
                || Files.exists(config.ledgerFile());
    }

    /** The address on which it listens, with the actual port. */
    public ListenAddress listen() {
        return listenAddress;
    }

    /** The URLs that the server prints for people. */
    public ServerUrlBuilder links() {
        return links;
    }

    /**
     * Reports that the server is not ready, so that load balancers use other processes. Then asks every connection to
     * reconnect elsewhere and explains to waiting clients how to continue, waits a bounded time for that, gives up its
     * leases and stops.
     */
    @Override
    public void close() {
        log.atDebug().addKeyValue("connections", edge.connections()).log("The server is shutting down.");
        gateway.markShuttingDown();
        pause(config.drain());
        facade.drain();
        // Bridges answer running calls before they leave, and need their connections for that. A server that takes
        // longer to end has until the connections are closed.
        Thread closing = Thread.ofVirtual().name("bridges").start(bridgeSupervisor::close);
        await(closing, BRIDGE_LEAVE_TIMEOUT);
        gateway.drain();
        awaitNoConnections(CALL_DRAIN_MILLIS);
        // Even without connections: calls may be left whose clients have disconnected.
        facade.shutdownNow();
        awaitNoConnections(DRAIN_MILLIS - CALL_DRAIN_MILLIS);
        await(closing, BRIDGE_CLOSE_TIMEOUT);
        sepRunner.ifPresent(SepServiceRunner::close);
        leaseService.close();
        ledger.ifPresent(ServerLedger::drainWriter);
        registry.close();
        accessTokens.ifPresent(AccessTokenAuthenticator::close);
        // After the last writes have been announced, and after all local participants have left.
        clusterConnection.close();
        // Does not wait longer for connections that are still open.
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .completeOnTimeout(null, DRAIN_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        readExecutor.shutdown();
        spanExporter.ifPresent(SpanExporter::close);
        ledgerVerifier.ifPresent(BackgroundLedgerVerifier::close);
        ledger.ifPresent(ServerLedger::close);
    }

    /** Waits until every connection has closed; returns whether that happened in time. */
    private void awaitNoConnections(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (edge.connections() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The status of each bridge. */
    public List<BridgeStatus> bridges() {
        return bridgeSupervisor.statuses();
    }

    private static void await(Thread thread, Duration timeout) {
        try {
            thread.join(timeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The headers from the environment. They may contain a secret, so they are not part of the configuration. */
    private static OtlpHeaders collectorHeaders() throws IOException {
        String text = Objects.requireNonNullElse(System.getenv("OTEL_EXPORTER_OTLP_HEADERS"), "");
        return switch (OtlpHeaders.parse(text)) {
            case ValueParseResult.Valid<OtlpHeaders>(OtlpHeaders headers) -> headers;
            case ValueParseResult.Invalid<OtlpHeaders>(String problem) ->
                throw new IOException("OTEL_EXPORTER_OTLP_HEADERS " + problem);
        };
    }

    /** The identities and members of the configuration, with the changes made at run time. */
    private static RegistrySnapshot loadRegistry(ServerConfig config, Optional<ServerLedger> ledger) {
        Map<String, Map<String, CapabilitySet>> topics = new LinkedHashMap<>();
        config.topics().forEach((name, topic) -> topics.put(name, topic.members()));
        RegistrySnapshot registrySnapshot =
                RegistrySnapshot.of(config.identities(), topics).withOwnParticipants(config.ownParticipants());
        if (!config.issuers().isEmpty()) {
            registrySnapshot = registrySnapshot.withAccessTokens();
        }
        if (ledger.isPresent()) {
            ServerLedger from = ledger.get();
            from.logFindings(RegistrySnapshot.STREAM);
            registrySnapshot = registrySnapshot.replay(sink -> from.replay(RegistrySnapshot.STREAM, sink));
        }
        registrySnapshot.differences().forEach(log::info);
        return registrySnapshot;
    }

    private static Map<String, TopicConfig> topicConfigs(
            ServerConfig config, RegistrySnapshot registrySnapshot, Optional<ServerLedger> ledger) {
        Map<String, TopicConfig> topicConfigs = new LinkedHashMap<>();
        config.topics().forEach((name, topic) -> {
            Map<String, CapabilitySet> capabilities = registrySnapshot.members(name);
            List<Member> members = capabilities.entrySet().stream()
                    .map(entry -> new Member(
                            entry.getKey(),
                            registrySnapshot.identity(entry.getKey()).name(),
                            entry.getValue()))
                    .toList();
            topicConfigs.put(
                    name,
                    new TopicConfig(
                            members,
                            ledger.filter(it -> topic.ledger())
                                    .map(it -> it.proposalStore(
                                            topic,
                                            MemberRegistry.capabilities(members),
                                            config.limits().proposals())),
                            topic.rules().visibility(),
                            ledger.filter(it -> topic.ledger()).flatMap(it -> it.callAudit(topic)),
                            config.pinsIn(name)));
        });
        return topicConfigs;
    }

    private static Gateway.GatewayLimits gatewayLimits(ServerConfig config) {
        ServerConfig.Limits limits = config.limits();
        return new Gateway.GatewayLimits(limits.envelopes(), limits.rate(), limits.open());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
