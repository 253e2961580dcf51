package dev.gavel.web;

import dev.gavel.client.http.ListenAddress;
import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.facade.McpFacade;
import dev.gavel.web.api.AdminCommandExecutor;
import dev.gavel.web.api.CallRoutes;
import dev.gavel.web.api.HealthRoutes;
import dev.gavel.web.api.MemberRoutes;
import dev.gavel.web.api.MessageRoutes;
import dev.gavel.web.api.MetricsRoutes;
import dev.gavel.web.api.OpenApiRoutes;
import dev.gavel.web.api.ProposalRoutes;
import dev.gavel.web.api.TokenRoutes;
import dev.gavel.web.api.TopicListRoutes;
import dev.gavel.web.http.AllowedHosts;
import dev.gavel.web.http.AllowedOrigins;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.RefusedRequestFloodGuard;
import dev.gavel.web.http.RequestBodyReader;
import dev.gavel.web.http.RouteGroup;
import dev.gavel.web.http.StrictTransportSecurity;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.mcp.McpRequestAuthorizer;
import dev.gavel.web.mcp.McpResourceUrls;
import dev.gavel.web.mcp.McpRoutes;
import dev.gavel.web.metrics.MetricsExporter;
import dev.gavel.web.oauth.AccessTokenAuthenticator;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.socket.WebSocketEndpoint;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for HTTP on every event loop and routes requests to the API, the WebSocket endpoint, MCP and the console.
 * Each event loop runs one server; all share one port. Thread-safe.
 */
public final class WebServer {
    private static final Logger log = LoggerFactory.getLogger(WebServer.class);

    /** The server closes a connection that is idle in both directions for this long. */
    private static final int IDLE_SECONDS = 60;

    /** How long a client may take to send a complete request. */
    private static final long REQUEST_TIMEOUT_MILLIS = 20_000;

    /** How long a client may read nothing of a response that waits for it. */
    private static final long READ_TIMEOUT_MILLIS = 60_000;

    private static final int FREE_PORT_TRIES = 10;

    private static final HttpProblem BAD_REQUEST = new HttpProblem(400, "bad_request", "the request is not valid HTTP");

    private static final HttpProblem BAD_HOST =
            new HttpProblem(400, "bad_request", "the request must name exactly one host");

    private final Vertx vertx;
    private final WebConfig config;
    private final StrictTransportSecurity strictTransportSecurity;
    private final Gateway gateway;
    private final WebSocketEndpoint webSocketEndpoint;
    private final MessageRoutes messageRoutes;
    private final ProposalRoutes proposals;
    private final CallRoutes calls;
    private final TokenRoutes tokens;
    private final MemberRoutes members;
    private final MetricsRoutes metrics;
    private final TopicListRoutes topicListRoutes;
    private final McpRoutes mcp;
    private final BooleanSupplier ledgerWritable;
    private final LongSupplier undeliveredMessages;
    private final List<RouteGroup> routeGroups;
    private final int eventLoops;

    /**
     * Creates a server that does not listen yet.
     *
     * @param eventLoops how many event loops listen
     * @param accessTokens authenticates MCP clients by access tokens, if issuers are configured
     * @param facade serves topics to MCP clients
     * @param ledgerWritable returns whether the ledger is writable now
     * @param metricsExporter renders the process metrics and counts refused requests
     * @param routeGroups further groups of routes
     */
    public WebServer(
            Vertx vertx,
            int eventLoops,
            WebConfig config,
            Gateway gateway,
            TokenAuthenticator tokenAuthenticator,
            Optional<AccessTokenAuthenticator> accessTokens,
            IdentityRegistry identityRegistry,
            McpFacade facade,
            BooleanSupplier ledgerWritable,
            MetricsExporter metricsExporter,
            List<RouteGroup> routeGroups) {
        this.vertx = vertx;
        this.eventLoops = eventLoops;
        this.config = config;
        this.strictTransportSecurity = new StrictTransportSecurity(config);
        this.gateway = gateway;
        AllowedOrigins origins =
                new AllowedOrigins(config.publicUrl(), config.tls().isPresent());
        TopicAccess topicAccess =
                new TopicAccess(gateway, tokenAuthenticator, origins, metricsExporter.refusedRequests());
        AllowedHosts hosts = new AllowedHosts(config.listenAddress().host(), config.publicUrl());
        this.metrics = new MetricsRoutes(metricsExporter, config.metricsAccess(), tokenAuthenticator, hosts, origins);
        this.webSocketEndpoint = new WebSocketEndpoint(
                gateway, topicAccess, config.maxFrameBytes(), config.maxAnswerBytes(), config.maxConnections());
        this.messageRoutes = new MessageRoutes(gateway, topicAccess, config.maxFrameBytes(), config.maxConnections());
        this.proposals = new ProposalRoutes(topicAccess, config.maxFrameBytes());
        this.calls = new CallRoutes(topicAccess);
        AdminCommandExecutor adminCommandExecutor = new AdminCommandExecutor(identityRegistry, config.roles());
        this.tokens = new TokenRoutes(topicAccess, identityRegistry, adminCommandExecutor);
        this.members = new MemberRoutes(topicAccess, gateway, identityRegistry, adminCommandExecutor);
        this.topicListRoutes = new TopicListRoutes(gateway, topicAccess);
        this.mcp = new McpRoutes(
                gateway,
                facade,
                topicAccess,
                new McpRequestAuthorizer(topicAccess, hosts, accessTokens, new McpResourceUrls(config)),
                config.pendingCallSettings(),
                config.maxFrameBytes(),
                config.maxConnections());
        this.ledgerWritable = ledgerWritable;
        this.undeliveredMessages = metricsExporter::undeliveredMessages;
        this.routeGroups = List.copyOf(routeGroups);
    }

    /** How many WebSocket connections, event streams, waiting polls and responses to MCP clients are open now. */
    public int connections() {
        return webSocketEndpoint.connectionCount()
                + messageRoutes.openConnections()
                + mcp.open()
                + routeGroups.stream().mapToInt(RouteGroup::openConnectionCount).sum();
    }

    /** Starts to listen and returns the address. Fails with an {@link IOException} that names the address. */
    public Future<ListenAddress> listen() {
        return deploy(
                router(),
                ListenHosts.of(config.listenAddress(), config.consoleHost().isLocal()),
                config.listenAddress().port() == 0 ? FREE_PORT_TRIES : 0);
    }

    /** All routes except {@code /ws}. */
    Router router() {
        Router router = Router.router(vertx);
        router.route().handler(context -> {
            RefusedRequestFloodGuard.watch(context);
            context.next();
        });
        router.route().handler(WebServer::rejectTrailingSlash);
        new HealthRoutes(gateway, ledgerWritable, undeliveredMessages).mount(router);
        metrics.mount(router);
        OpenApiRoutes.mount(router);
        messageRoutes.mount(router);
        proposals.mount(router);
        calls.mount(router);
        tokens.mount(router);
        members.mount(router);
        topicListRoutes.mount(router);
        mcp.mount(router);
        routeGroups.forEach(routeGroup -> routeGroup.mount(router));
        addErrorHandlers(router);
        return router;
    }

    /**
     * Rejects a path with a trailing slash. Vert.x matches {@code /tokens/bob/} and {@code /tokens/bob/.} like
     * {@code /tokens/bob}, so a client that leaves the id of one token empty would address all tokens.
     */
    private static void rejectTrailingSlash(RoutingContext context) {
        String path;
        try {
            path = context.normalizedPath();
        } catch (IllegalArgumentException e) {
            BAD_REQUEST.send(context.response());
            return;
        }
        if (path.endsWith("/") && !path.equals("/")) {
            HttpProblem.NOT_FOUND.send(context.response());
        } else {
            context.next();
        }
    }

    /** Answers every error in the router as a problem response, as everywhere else. */
    private void addErrorHandlers(Router router) {
        router.errorHandler(400, context -> BAD_REQUEST.send(context.response()));
        // Vert.x's body handler fails an aborted body with status 200 and would respond with it.
        router.errorHandler(200, context -> BAD_REQUEST.send(context.response()));
        router.errorHandler(404, context -> HttpProblem.NOT_FOUND.send(context.response()));
        router.errorHandler(
                405,
                context -> new HttpProblem(405, "method_not_allowed", "this path does not support this method")
                        .send(context.response()));
        router.errorHandler(
                413,
                context -> new HttpProblem(
                                413,
                                "too_large",
                                "the request body is longer than " + RequestBodyReader.maxBytes(context) + " bytes")
                        .send(context.response()));
        router.errorHandler(500, context -> sendInternalError(context.request(), context.failure()));
    }

    /** Rejects a request that is not valid HTTP. */
    private static void rejectInvalidRequest(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        HttpProblem problem = switch (cause) {
            case TooLongHttpLineException _ -> new HttpProblem(414, "too_long", "the request line is too long");
            case TooLongHttpHeaderException _ -> new HttpProblem(431, "too_long", "the headers are too long");
            case null, default -> BAD_REQUEST;
        };
        problem.send(request.response());
        request.connection().close();
    }

    /**
     * Handles a request when the client has read the earlier responses, except for a small rest. Otherwise a client that
     * sends many requests at once and reads nothing would fill the memory with responses.
     */
    private void handleWhenWritable(HttpServerRequest request, Router router) {
        HttpServerResponse response = request.response();
        // A WebSocket ends the sequence of requests.
        if (!response.writeQueueFull() || "/ws".equals(request.path())) {
            handle(request, router);
            return;
        }
        request.pause();
        response.drainHandler(drained -> {
            response.drainHandler(null);
            handle(request, router);
            request.resume();
        });
    }

    private void handle(HttpServerRequest request, Router router) {
        try {
            strictTransportSecurity.apply(request);
            // WebSocket requests bypass the router, which wraps the request and hides its pipeline.
            if (!hasOneHost(request)) {
                BAD_HOST.send(request.response());
                request.connection().close();
            } else if ("/ws".equals(request.path())) {
                RefusedRequestFloodGuard.watch(request);
                webSocketEndpoint.handle(request);
            } else {
                router.handle(request);
            }
        } catch (IllegalArgumentException e) {
            BAD_REQUEST.send(request.response());
        } catch (RuntimeException e) {
            sendInternalError(request, e);
        }
    }

    /**
     * Whether the request names exactly one host (RFC 9112 section 3.2). With two, a proxy could check one and this
     * server the other. A request target that is a complete URL must name the same host.
     */
    private static boolean hasOneHost(HttpServerRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaders.HOST);
        if (hosts.size() != 1) {
            return false;
        }
        String target = request.uri();
        int scheme = target.indexOf("://");
        if (target.startsWith("/") || scheme < 0) {
            return true;
        }
        String rest = target.substring(scheme + "://".length());
        return rest.split("[/?#]", 2)[0].equalsIgnoreCase(hosts.getFirst());
    }

    /** Logs the failure and sends a response, so that the client does not wait for one. */
    private static void sendInternalError(HttpServerRequest request, @Nullable Throwable failure) {
        log.atError()
                .addKeyValue("method", request.method())
                .addKeyValue("path", request.path())
                .setCause(failure)
                .log("A request failed.");
        new HttpProblem(500, "internal_error", "internal error; see the log of the server").send(request.response());
    }

    /**
     * Starts a server on every event loop. They share a port by its number, so a free port has to be found beforehand;
     * if another process takes it in that moment, this tries another.
     */
    private Future<ListenAddress> deploy(Router router, List<String> hosts, int tries) {
        int port;
        try {
            port = tries == 0 ? config.listenAddress().port() : freePort();
        } catch (IOException e) {
            return Future.failedFuture(
                    describeBindFailure(config.listenAddress().host(), 0, e));
        }
        return vertx.deployVerticle(
                        () -> new ListenerVerticle(router, hosts, port),
                        new DeploymentOptions().setInstances(eventLoops))
                .map(id -> new ListenAddress(config.listenAddress().host(), port))
                .recover(failure -> tries > 1 ? deploy(router, hosts, tries - 1) : Future.failedFuture(failure));
    }

    /** Returns the failure with the address that could not be bound and, if only the console needs it, the reason. */
    private IOException describeBindFailure(String host, int port, Throwable failure) {
        String message = "cannot listen on " + new ListenAddress(host, port) + ": " + failure.getMessage()
                + (host.equals(config.listenAddress().host())
                        ? ""
                        : ". The console needs its port on 127.0.0.1 and on ::1, because a browser can connect to either,"
                                + " and another program there would receive the session");
        IOException described =
                failure instanceof BindException ? new BindException(message) : new IOException(message);
        described.initCause(failure);
        return described;
    }

    private int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(
                0, 1, InetAddress.getByName(config.listenAddress().host()))) {
            return socket.getLocalPort();
        }
    }

    private HttpServerOptions options(String host, int port) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                .setIdleTimeout(IDLE_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setHttp2ClearTextEnabled(false)
                .setUseAlpn(false)
                .setMaxWebSocketFrameSize(config.maxAnswerBytes())
                .setMaxWebSocketMessageSize(config.maxAnswerBytes())
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false);
        config.tls().ifPresent(tls -> TlsServerOptions.apply(options, tls));
        return options;
    }

    /** The HTTP server of one event loop. */
    private final class ListenerVerticle extends VerticleBase {
        private final Router router;
        private final List<String> hosts;
        private final int port;

        ListenerVerticle(Router router, List<String> hosts, int port) {
            this.router = router;
            this.hosts = hosts;
            this.port = port;
        }

        @Override
        public Future<?> start() {
            return Future.all(hosts.stream().map(this::listen).toList());
        }

        private Future<HttpServer> listen(String host) {
            return vertx.createHttpServer(options(host, port))
                    .connectionHandler(WebServer::addTimeouts)
                    .invalidRequestHandler(WebServer::rejectInvalidRequest)
                    .requestHandler(request -> handleWhenWritable(request, router))
                    .listen()
                    .recover(failure -> Future.failedFuture(describeBindFailure(host, port, failure)));
        }
    }

    private static void addTimeouts(HttpConnection connection) {
        ChannelHandlerContext handler = ((ConnectionBase) connection).channelHandlerContext();
        handler.pipeline()
                .addBefore(
                        handler.name(), RequestTimeoutHandler.NAME, new RequestTimeoutHandler(REQUEST_TIMEOUT_MILLIS))
                .addBefore(
                        RequestTimeoutHandler.NAME,
                        StalledReaderHandler.NAME,
                        new StalledReaderHandler(READ_TIMEOUT_MILLIS));
    }
}
