package dev.gavel.app.server;

import dev.gavel.app.build.Build;
import dev.gavel.app.config.Config;
import dev.gavel.app.config.LedgerPlace;
import dev.gavel.app.config.Listen;
import dev.gavel.app.edge.HttpEdge;
import dev.gavel.app.edge.Visits;
import dev.gavel.app.edge.WebConfig;
import dev.gavel.app.edge.console.Backstage;
import dev.gavel.app.edge.console.Console;
import dev.gavel.app.edge.console.admin.Auditor;
import dev.gavel.app.edge.console.live.Newsroom;
import dev.gavel.app.edge.console.session.SignInCodes;
import dev.gavel.app.edge.sep.SepRoutes;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.SessionKey;
import dev.gavel.app.metrics.Metrics;
import dev.gavel.app.register.Register;
import dev.gavel.app.register.Registrar;
import dev.gavel.app.trace.CollectorHeaders;
import dev.gavel.app.trace.SpanExporter;
import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.TopicPlan;
import dev.gavel.gateway.proposal.Members;
import dev.gavel.ledger.LedgerFailure;
import dev.gavel.ledger.lease.Alone;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.facade.Facade;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Parsed;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running gateway: {@link #start} builds the object graph, {@link #close} takes it down gently. Thread-safe. */
public final class Server implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Server.class);

    /** How long connections have to take their leave when the process ends. */
    private static final long DRAIN_MILLIS = 5_000;

    /** How long bridges have before that to leave their topics. */
    private static final Duration LEAVING = Duration.ofSeconds(3);

    /** How long their servers have in all, which are killed long before that. */
    private static final Duration ENDING = Duration.ofSeconds(30);

    /** How long of that MCP clients wait for calls that run. */
    private static final long RUNNING_MILLIS = 3_000;

    private final Vertx vertx;
    private final Config config;
    private final Gateway gateway;
    private final Facade facade;
    private final Leases leases;
    private final HttpEdge edge;
    private final Optional<OpenLedger> ledger;
    private final OpenBus bus;
    private final Registrar registrar;
    private final ExecutorService reading;
    private final Optional<SpanExporter> spans;
    private final Bridges bridges;
    private final Optional<SepOffice> office;
    private final Optional<LedgerAuditor> auditor;
    private final Links links;
    private final Listen listen;

    private Server(
            Vertx vertx,
            Config config,
            Gateway gateway,
            Facade facade,
            Leases leases,
            HttpEdge edge,
            Optional<OpenLedger> ledger,
            OpenBus bus,
            Registrar registrar,
            ExecutorService reading,
            Optional<SpanExporter> spans,
            Bridges bridges,
            Optional<SepOffice> office,
            Optional<LedgerAuditor> auditor,
            Links links,
            Listen listen) {
        this.vertx = vertx;
        this.config = config;
        this.gateway = gateway;
        this.facade = facade;
        this.leases = leases;
        this.edge = edge;
        this.ledger = ledger;
        this.bus = bus;
        this.registrar = registrar;
        this.reading = reading;
        this.spans = spans;
        this.bridges = bridges;
        this.office = office;
        this.auditor = auditor;
        this.links = links;
        this.listen = listen;
    }

    /**
     * How many event loops to run on so many cores: half of them. What the loops hand to each other costs more than a
     * second loop brings while cores are few, and the compiler, the garbage collector and the kernel need some too
     * (docs/benchmarks.md).
     */
    public static int loopsFor(int cores) {
        return Math.max(1, cores / 2);
    }

    /** Builds everything and returns once it listens. */
    public static Server start(Config config, int loops) throws IOException {
        return start(config, Engine.start(loops));
    }

    /** Builds everything on an engine, which is closed where that fails; returns once it listens. */
    public static Server start(Config config, Engine engine) throws IOException {
        Server server = null;
        try {
            server = on(engine, config);
            return server;
        } finally {
            if (server == null) {
                engine.close();
            }
        }
    }

    private static Server on(Engine engine, Config config) throws IOException {
        CollectorHeaders headers = config.observing().traces().isPresent() ? collectorHeaders() : CollectorHeaders.NONE;
        Optional<String> unusable = config.objectionToFile();
        if (unusable.isPresent()) {
            throw new IOException(unusable.get());
        }
        InstantSource clock = InstantSource.system();
        Optional<OpenLedger> ledger =
                keepsLedger(config) ? Optional.of(OpenLedger.open(config, clock)) : Optional.empty();
        // As many as the ledger lets read at once: what they read is in memory until it is handed on.
        ExecutorService reading = Executors.newFixedThreadPool(
                SqliteOptions.DEFAULT.readers(),
                Thread.ofPlatform().daemon().name("gavel-reading-", 0).factory());
        Optional<SpanExporter> spans =
                config.observing().traces().map(collector -> new SpanExporter(collector, headers));
        OpenBus bus = OpenBus.open(config.bus());
        Leases leases = ledger.map(OpenLedger::leases).orElseGet(Alone::new);
        Server server = null;
        Optional<SepOffice> office = Optional.empty();
        try {
            Register register = register(config, ledger);
            Gateway gateway = new Gateway(
                    plans(config, register, ledger),
                    engine.loops(),
                    bounds(config),
                    reading,
                    clock,
                    bus.bus(),
                    bus.lookout());
            ledger.ifPresent(bus::watch);
            spans.ifPresent(gateway::listen);
            Newsroom newsroom = new Newsroom();
            gateway.listen(newsroom);
            gateway.open();
            Identities identities = new Identities(clock);
            Directory directory = new Directory(gateway, clock, config::ownIn);
            Facade facade = new Facade(
                    gateway, directory, new Decisions(gateway, clock), clock, config.retention(), Build.version());
            gateway.consult(directory);
            directory.whenChanged((topic, what) -> newsroom.offered(topic));
            gateway.listen(directory);
            directory.begin();
            gateway.listen(facade);
            Registrar registrar =
                    new Registrar(register, ledger.map(OpenLedger::rolls), identities, gateway::topic, clock);
            registrar.follow(bus.lookout());
            Bridges bridges = new Bridges(config, gateway);
            Optional<SepOffice> desk = ledger.map(kept -> new SepOffice(config, kept, registrar::register, clock));
            desk.ifPresent(it -> {
                it.whenChanged(newsroom::sepsChanged);
                it.follow(bus.lookout());
            });
            office = desk;
            Optional<LedgerAuditor> auditor =
                    ledger.map(kept -> new LedgerAuditor(kept.keeping(), kept::available, reading, clock));
            Optional<String> objection = desk.flatMap(SepOffice::objection);
            if (objection.isPresent()) {
                throw new IOException(objection.get());
            }
            WebConfig web = config.web(Build.version());
            Metrics metrics = new Metrics(
                    web.version(),
                    gateway,
                    () -> ledger.map(OpenLedger::reading),
                    bus::measures,
                    () -> spans.map(SpanExporter::counts),
                    bridges::statuses);
            Optional<SessionKey> shared =
                    ledger.filter(OpenLedger::shared).map(it -> SessionKey.shared(it.secret("session")));
            SignInCodes codes = new SignInCodes(clock, shared);
            HttpEdge edge = new HttpEdge(
                    engine.vertx(),
                    engine.size(),
                    web,
                    gateway,
                    identities,
                    registrar,
                    facade,
                    () -> ledger.map(OpenLedger::available).orElse(true),
                    metrics,
                    List.of(
                            new Console(new Backstage(
                                    web,
                                    gateway,
                                    identities,
                                    registrar,
                                    directory,
                                    desk.map(SepOffice::desk),
                                    bridges::statuses,
                                    auditor.map(Auditor.class::cast),
                                    newsroom,
                                    codes,
                                    shared.orElseGet(() -> SessionKey.in(config.data())),
                                    clock)),
                            new SepRoutes(
                                    Visits.of(web, gateway, identities, metrics.refusals()),
                                    desk.map(SepOffice::desk),
                                    () -> desk.map(SepOffice::feed)
                                            .orElseGet(() -> CompletableFuture.completedStage("")))));
            engine.await();
            Listen listen = await(edge.listen());
            Links links = new Links(config, listen, codes);
            server = new Server(
                    engine.vertx(),
                    config,
                    gateway,
                    facade,
                    leases,
                    edge,
                    ledger,
                    bus,
                    registrar,
                    reading,
                    spans,
                    bridges,
                    desk,
                    auditor,
                    links,
                    listen);
            bridges.start(leases);
            desk.ifPresent(it -> it.start(gateway, leases));
            facade.start(identity -> config.waitingOf(identity).keep());
            log.atDebug().addKeyValue("address", server.listen).log("started");
            return server;
        } catch (CompletionException | UncheckedIOException e) {
            throw cannotListen(config, e.getCause() == null ? e : e.getCause());
        } catch (LedgerFailure e) {
            throw new IOException("the ledger cannot be read: " + e.getMessage(), e);
        } finally {
            if (server == null) {
                engine.close();
                reading.shutdown();
                office.ifPresent(SepOffice::close);
                leases.close();
                bus.close();
                spans.ifPresent(SpanExporter::close);
                ledger.ifPresent(OpenLedger::close);
            }
        }
    }

    /** One that is there is read even where no topic keeps one any more: who was shut out stays out. */
    private static boolean keepsLedger(Config config) {
        return config.sep().stated()
                || config.topics().values().stream().anyMatch(Config.Topic::ledger)
                || config.ledger() instanceof LedgerPlace.Postgres
                || Files.exists(config.ledgerFile());
    }

    private static IOException cannotListen(Config config, Throwable cause) {
        String message = "cannot listen on " + config.listen() + ": " + cause.getMessage();
        IOException failure = cause instanceof BindException ? new BindException(message) : new IOException(message);
        failure.initCause(cause);
        return failure;
    }

    /** Where it listens; the port is the real one. */
    public Listen listen() {
        return listen;
    }

    /** Where people find the console. */
    public Links links() {
        return links;
    }

    /**
     * Says that it is not ready, so that balancers look elsewhere; tells every connection to go elsewhere, and whoever
     * waits how to go on; waits a bounded time until they have, gives up what others are to do in its place, and stops.
     */
    @Override
    public void close() {
        log.atDebug().addKeyValue("connections", edge.connections()).log("stopping");
        gateway.leave();
        pause(config.drain());
        facade.drain();
        // They answer what runs before they leave, and need their places for that. A server that takes longer to end is
        // given the time while connections take their leave.
        Thread closing = Thread.ofVirtual().name("bridges").start(bridges::close);
        await(closing, LEAVING);
        gateway.drain();
        if (!emptyWithin(RUNNING_MILLIS)) {
            facade.cutOff();
            emptyWithin(DRAIN_MILLIS - RUNNING_MILLIS);
        }
        await(closing, ENDING);
        office.ifPresent(SepOffice::close);
        leases.close();
        ledger.ifPresent(OpenLedger::finishWriting);
        registrar.close();
        // After what was written last has been told of, and after everybody here has left.
        bus.close();
        // Whatever still hangs on is not waited for.
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .completeOnTimeout(null, DRAIN_MILLIS, TimeUnit.MILLISECONDS)
                .join();
        reading.shutdown();
        spans.ifPresent(SpanExporter::close);
        auditor.ifPresent(LedgerAuditor::close);
        ledger.ifPresent(OpenLedger::close);
    }

    /** Whether every connection has ended within a time. */
    private boolean emptyWithin(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (edge.connections() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        return edge.connections() == 0;
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How each bridge is. */
    public List<Status> bridges() {
        return bridges.statuses();
    }

    private static void await(Thread thread, Duration longest) {
        try {
            thread.join(longest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** They may hold a secret, so they are not part of the configuration. */
    private static CollectorHeaders collectorHeaders() throws IOException {
        String text = Objects.requireNonNullElse(System.getenv("OTEL_EXPORTER_OTLP_HEADERS"), "");
        return switch (CollectorHeaders.parse(text)) {
            case Parsed.Valid<CollectorHeaders>(CollectorHeaders headers) -> headers;
            case Parsed.Invalid<CollectorHeaders>(String problem) ->
                throw new IOException("OTEL_EXPORTER_OTLP_HEADERS " + problem);
        };
    }

    /** What the configuration says, and what was changed at run time before. */
    private static Register register(Config config, Optional<OpenLedger> ledger) {
        Map<String, Map<String, Capabilities>> topics = new LinkedHashMap<>();
        config.topics().forEach((name, topic) -> topics.put(name, topic.members()));
        Register register = Register.of(config.identities(), topics).running(config.own());
        if (ledger.isPresent()) {
            OpenLedger from = ledger.get();
            from.verify(Register.STREAM);
            register = register.replayed(sink -> from.read(Register.STREAM, sink));
        }
        register.differences().forEach(log::info);
        return register;
    }

    private static Map<String, TopicPlan> plans(Config config, Register register, Optional<OpenLedger> ledger) {
        Map<String, TopicPlan> plans = new LinkedHashMap<>();
        config.topics().forEach((name, topic) -> {
            Map<String, Capabilities> may = register.members(name);
            List<Member> members = may.entrySet().stream()
                    .map(entry -> new Member(entry.getKey(), entry.getValue()))
                    .toList();
            plans.put(
                    name,
                    new TopicPlan(
                            members,
                            ledger.filter(it -> topic.ledger()).map(it -> it.docket(topic, new Members(may)))));
        });
        return plans;
    }

    private static Gateway.Bounds bounds(Config config) {
        Config.Limits limits = config.limits();
        return new Gateway.Bounds(Limits.DEFAULT.withBytes(limits.frame()), limits.rate(), limits.open());
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
