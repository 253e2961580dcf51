package dev.gavel.app.edge;

import dev.gavel.app.config.Listen;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.metrics.Metrics;
import dev.gavel.app.register.Registrar;
import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.facade.Facade;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP: {@code /ws} goes to the {@link SocketEdge}, everything else to the router. One server an event loop,
 * all on one port. Thread-safe.
 */
public final class HttpEdge {
    private static final Logger log = LoggerFactory.getLogger(HttpEdge.class);

    /** A connection on which nothing moves this long, in either direction, is of no use to anybody. */
    private static final int SILENT_SECONDS = 60;

    /** How long a connection may take to come up with a request. */
    private static final long REQUEST_MILLIS = 20_000;

    private static final int FREE_PORT_TRIES = 10;

    private static final Problem BAD_REQUEST = new Problem(400, "bad_request", "not a proper HTTP request");

    private final Vertx vertx;
    private final WebConfig config;
    private final Gateway gateway;
    private final SocketEdge sockets;
    private final TopicRoutes topics;
    private final ProposalRoutes proposals;
    private final TokenRoutes tokens;
    private final MemberRoutes members;
    private final MetricsRoute metrics;
    private final TopicList topicList;
    private final McpRoutes mcp;
    private final BooleanSupplier ledger;
    private final List<Annex> annexes;
    private final int loops;

    /**
     * An edge that does not listen yet.
     *
     * @param loops how many event loops share the listening
     * @param facade what MCP clients see of topics
     * @param ledger whether the ledger can be written to now
     * @param metrics what can be read of the process, and where requests turned away are counted
     * @param annexes what is served besides
     */
    public HttpEdge(
            Vertx vertx,
            int loops,
            WebConfig config,
            Gateway gateway,
            Identities identities,
            Registrar registrar,
            Facade facade,
            BooleanSupplier ledger,
            Metrics metrics,
            List<Annex> annexes) {
        this.vertx = vertx;
        this.loops = loops;
        this.config = config;
        this.gateway = gateway;
        Origins origins = new Origins(config.publicUrl(), config.tls().isPresent());
        Visits visits = new Visits(gateway, identities, origins, metrics.refusals());
        this.metrics = new MetricsRoute(metrics, config.metrics(), identities, origins);
        this.sockets = new SocketEdge(gateway, visits, config.maxFrameBytes(), config.maxConnections());
        this.topics = new TopicRoutes(gateway, visits, config.maxFrameBytes(), config.maxConnections());
        this.proposals = new ProposalRoutes(visits);
        Orders orders = new Orders(registrar, config.roles());
        this.tokens = new TokenRoutes(visits, registrar, orders);
        this.members = new MemberRoutes(visits, gateway, registrar, orders);
        this.topicList = new TopicList(gateway, visits);
        this.mcp = new McpRoutes(
                gateway,
                facade,
                visits,
                new Hosts(config.listen().host(), config.publicUrl()),
                config.pendingCalls(),
                config.maxFrameBytes(),
                config.maxConnections());
        this.ledger = ledger;
        this.annexes = List.copyOf(annexes);
    }

    /** How many WebSocket connections, event streams, waiting polls and answers to MCP clients are open now. */
    public int connections() {
        return sockets.connections()
                + topics.open()
                + mcp.open()
                + annexes.stream().mapToInt(Annex::connections).sum();
    }

    /** Begins to listen, and says where. */
    public Future<Listen> listen() {
        return deploy(router(), config.listen().port() == 0 ? FREE_PORT_TRIES : 0);
    }

    /** Every route there is, but for {@code /ws}. */
    Router router() {
        Router router = Router.router(vertx);
        router.route().handler(HttpEdge::whole);
        new Health(gateway, ledger).mount(router);
        metrics.mount(router);
        OpenApi.mount(router);
        topics.mount(router);
        proposals.mount(router);
        tokens.mount(router);
        members.mount(router);
        topicList.mount(router);
        mcp.mount(router);
        annexes.forEach(annex -> annex.mount(router));
        problems(router);
        return router;
    }

    /**
     * Vert.x takes {@code /tokens/bob/}, and {@code /tokens/bob/.} too, for {@code /tokens/bob}: then whoever leaves the id
     * of one thing empty would mean all of them.
     */
    private static void whole(RoutingContext context) {
        String path;
        try {
            path = context.normalizedPath();
        } catch (IllegalArgumentException e) {
            BAD_REQUEST.send(context.response());
            return;
        }
        if (path.endsWith("/") && !path.equals("/")) {
            Problem.NOT_FOUND.send(context.response());
        } else {
            context.next();
        }
    }

    /** Whatever goes wrong in the router is answered in the same form as everything else. */
    private void problems(Router router) {
        router.errorHandler(400, context -> BAD_REQUEST.send(context.response()));
        // So Vert.x' handler of bodies calls one that breaks off, and would answer with 200.
        router.errorHandler(200, context -> BAD_REQUEST.send(context.response()));
        router.errorHandler(404, context -> Problem.NOT_FOUND.send(context.response()));
        router.errorHandler(
                405,
                context -> new Problem(405, "method_not_allowed", "this path does not take that method")
                        .send(context.response()));
        router.errorHandler(
                413,
                context -> new Problem(
                                413, "too_large", "what was sent is longer than " + Bodies.longest(context) + " bytes")
                        .send(context.response()));
        router.errorHandler(500, context -> failed(context.request(), context.failure()));
    }

    /** Requests that are not even HTTP as they should be. */
    private static void invalid(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        Problem problem = switch (cause) {
            case TooLongHttpLineException _ -> new Problem(414, "too_long", "the request line is too long");
            case TooLongHttpHeaderException _ -> new Problem(431, "too_long", "the headers are too long");
            case null, default -> BAD_REQUEST;
        };
        problem.send(request.response());
        request.connection().close();
    }

    private void handle(HttpServerRequest request, Router router) {
        try {
            // Within the router a WebSocket is wrapped, and its pipeline out of reach.
            if (request.getHeader(HttpHeaders.HOST) == null) {
                BAD_REQUEST.send(request.response());
            } else if ("/ws".equals(request.path())) {
                sockets.handle(request);
            } else {
                router.handle(request);
            }
        } catch (IllegalArgumentException e) {
            BAD_REQUEST.send(request.response());
        } catch (RuntimeException e) {
            failed(request, e);
        }
    }

    /** Whoever asked is told, rather than left to wait. */
    private static void failed(HttpServerRequest request, @Nullable Throwable failure) {
        log.atError()
                .addKeyValue("method", request.method())
                .addKeyValue("path", request.path())
                .setCause(failure)
                .log("a request failed");
        new Problem(500, "internal_error", "something went wrong here; the log says what").send(request.response());
    }

    /**
     * Starts a server on every loop. They share a port by its number, so a free one has to be found beforehand; where
     * somebody else takes it in that moment, another is tried.
     */
    private Future<Listen> deploy(Router router, int tries) {
        int port = tries == 0 ? config.listen().port() : freePort();
        return vertx.deployVerticle(() -> new Server(router, port), new DeploymentOptions().setInstances(loops))
                .map(id -> new Listen(config.listen().host(), port))
                .recover(failure -> tries > 1 ? deploy(router, tries - 1) : Future.failedFuture(failure));
    }

    private int freePort() {
        try (ServerSocket socket =
                new ServerSocket(0, 1, InetAddress.getByName(config.listen().host()))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen on " + config.listen(), e);
        }
    }

    private HttpServerOptions options(int port) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(config.listen().host())
                .setPort(port)
                .setIdleTimeout(SILENT_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setHttp2ClearTextEnabled(false)
                .setUseAlpn(false)
                .setMaxWebSocketFrameSize(config.maxFrameBytes())
                .setMaxWebSocketMessageSize(config.maxFrameBytes())
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
        config.tls()
                .ifPresent(tls -> options.setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .setCertPath(tls.certificate().toString())
                                .setKeyPath(tls.key().toString())));
        return options;
    }

    /** One event loop's share of the listening. */
    private final class Server extends VerticleBase {
        private final Router router;
        private final int port;

        Server(Router router, int port) {
            this.router = router;
            this.port = port;
        }

        @Override
        public Future<?> start() {
            return vertx.createHttpServer(options(port))
                    .connectionHandler(HttpEdge::limit)
                    .invalidRequestHandler(HttpEdge::invalid)
                    .requestHandler(request -> handle(request, router))
                    .listen();
        }
    }

    private static void limit(HttpConnection connection) {
        ChannelHandlerContext handler = ((ConnectionBase) connection).channelHandlerContext();
        handler.pipeline().addBefore(handler.name(), RequestDeadline.NAME, new RequestDeadline(REQUEST_MILLIS));
    }
}
