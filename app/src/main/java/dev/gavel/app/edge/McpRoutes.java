package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.facade.Facade;
import dev.gavel.mcp.facade.Received;
import dev.gavel.mcp.facade.Settings;
import dev.gavel.mcp.facade.Version;
import dev.gavel.mcp.facade.Visitor;
import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
import dev.gavel.mcp.rpc.RpcError;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** MCP's Streamable HTTP: every topic is a server at its own path. Thread-safe. */
final class McpRoutes {
    private static final String PATH = "/mcp/:topic";
    private static final String SESSION = "Mcp-Session-Id";
    private static final String VERSION = "MCP-Protocol-Version";
    private static final String UNSAID = "2025-03-26";
    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";

    private final Gateway gateway;
    private final Facade facade;
    private final Visits visits;
    private final Hosts hosts;
    private final Function<String, Settings> settings;
    private final MessageReader reader;
    private final int most;
    private final AtomicInteger open = new AtomicInteger();

    /**
     * The routes of all topics.
     *
     * @param settings how an identity's calls are treated while they wait
     * @param most how many answers may be under way at once
     */
    McpRoutes(
            Gateway gateway,
            Facade facade,
            Visits visits,
            Hosts hosts,
            Function<String, Settings> settings,
            int longest,
            int most) {
        this.gateway = gateway;
        this.facade = facade;
        this.visits = visits;
        this.hosts = hosts;
        this.settings = settings;
        this.reader = new MessageReader(longest);
        this.most = most;
    }

    void mount(Router router) {
        router.post(PATH)
                .handler(context -> visit(
                        context,
                        granted -> Bodies.read(context, reader.longest(), body -> post(context, granted, body))));
        router.get(PATH).handler(context -> visit(context, granted -> listen(context, granted)));
        router.delete(PATH).handler(context -> visit(context, granted -> end(context, granted)));
    }

    /** How many answers are under way. */
    int open() {
        return open.get();
    }

    private void visit(RoutingContext context, Consumer<Visit.Granted> then) {
        if (!hosts.allows(context.request())) {
            visits.refuse(Hosts.FOREIGN, context.response());
        } else {
            visits.grantMember(context, granted -> {
                if (gateway.mayJoin(granted.member().id())) {
                    then.accept(granted);
                } else {
                    visits.refuse(Visits.TOO_FAST, context.response());
                }
            });
        }
    }

    private Visitor visitor(Visit.Granted granted) {
        return new Visitor(
                granted.membership(),
                granted.warrant(),
                settings.apply(granted.member().id()));
    }

    private void post(RoutingContext context, Visit.Granted granted, byte[] body) {
        HttpServerRequest request = context.request();
        Optional<Problem> meanwhile = Visits.meanwhile(granted);
        if (meanwhile.isPresent()) {
            meanwhile.get().send(context.response());
        } else if (!lower(request.getHeader(HttpHeaders.CONTENT_TYPE)).startsWith(JSON)) {
            new Problem(415, "unsupported_type", "send JSON, with the header 'Content-Type: application/json'")
                    .send(context.response());
        } else if (!accepts(request, JSON) && !accepts(request, EVENTS)) {
            new Problem(406, "not_acceptable", "accept application/json and text/event-stream")
                    .send(context.response());
        } else {
            switch (reader.read(body)) {
                case Malformed malformed -> wrong(context, 400, malformed.failure());
                case Message message -> {
                    boolean begins = message instanceof Message.Request first
                            && first.method().equals("initialize");
                    if (begins || knowsVersion(context)) {
                        receive(context, granted, message);
                    }
                }
            }
        }
    }

    private void receive(RoutingContext context, Visit.Granted granted, Message message) {
        HttpServerRequest request = context.request();
        String session = request.getHeader(SESSION);
        open(context, granted, session, (sink, began) -> {
            Context here = ContextInternal.current();
            facade.receive(
                    granted.topic(),
                    visitor(granted),
                    session,
                    message,
                    received -> {
                        if (received instanceof Received.Began(String id)) {
                            began.set(id);
                        }
                        here.runOnContext(then -> answer(context, received));
                    },
                    sink);
        });
    }

    /** Opens an answer that may last, and has the facade hear when its client goes away. */
    private void open(RoutingContext context, Visit.Granted granted, @Nullable String session, Opening opening) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            visits.refuse(Visits.FULL, context.response());
            return;
        }
        AtomicReference<@Nullable String> known = new AtomicReference<>(session);
        boolean primed = Version.V2025_11_25.date().equals(context.request().getHeader(VERSION));
        McpSink sink =
                new McpSink(ContextInternal.current(), context.request(), accepts(context.request(), EVENTS), primed);
        context.response().exceptionHandler(failure -> {
            // The client went away; the close handler sees to it.
        });
        context.addEndHandler(ended -> {
            open.decrementAndGet();
            if (ended.failed() || !context.response().ended()) {
                gone(granted, known.get(), sink);
            }
        });
        opening.open(sink, known);
    }

    /** Begins what an answer belongs to. */
    @FunctionalInterface
    private interface Opening {
        void open(McpSink sink, AtomicReference<@Nullable String> session);
    }

    private void gone(Visit.Granted granted, @Nullable String session, McpSink sink) {
        sink.closed();
        if (session != null) {
            facade.gone(granted.topic(), visitor(granted), session, sink);
        }
    }

    private void listen(RoutingContext context, Visit.Granted granted) {
        HttpServerRequest request = context.request();
        if (!accepts(request, EVENTS)) {
            new Problem(406, "not_acceptable", "accept text/event-stream").send(context.response());
        } else if (knowsVersion(context)) {
            String session = request.getHeader(SESSION);
            Context here = ContextInternal.current();
            open(
                    context,
                    granted,
                    session,
                    (sink, known) -> facade.listen(
                            granted.topic(),
                            visitor(granted),
                            session,
                            request.getHeader("Last-Event-ID"),
                            received -> here.runOnContext(then -> answer(context, received)),
                            sink));
        }
    }

    private void end(RoutingContext context, Visit.Granted granted) {
        Context here = ContextInternal.current();
        facade.end(
                granted.topic(),
                visitor(granted),
                context.request().getHeader(SESSION),
                received -> here.runOnContext(then -> {
                    if (received instanceof Received.Noted) {
                        context.response().setStatusCode(204).end();
                    } else {
                        answer(context, received);
                    }
                }));
    }

    /** Says what can be said at once; what the facade sends comes after it. */
    private void answer(RoutingContext context, Received received) {
        switch (received) {
            case Received.Began(String session) -> context.response().putHeader(SESSION, session);
            case Received.Taken() -> {}
            case Received.Noted() -> context.response().setStatusCode(202).end();
            case Received.NoSession() ->
                wrong(
                        context,
                        404,
                        RpcError.INVALID_REQUEST.failure("null", "There is no such session; begin another."));
            case Received.Wrong(String why) -> wrong(context, 400, RpcError.INVALID_REQUEST.failure("null", why));
        }
    }

    private static boolean knowsVersion(RoutingContext context) {
        String version = context.request().getHeader(VERSION);
        // A request that says nothing counts as one of that older version, so one that says so is taken as well.
        if (version == null || version.equals(UNSAID) || Version.of(version).isPresent()) {
            return true;
        }
        wrong(
                context,
                400,
                RpcError.INVALID_REQUEST.failure(
                        "null", "This version of MCP is not spoken here; initialize tells which are."));
        return false;
    }

    private static void wrong(RoutingContext context, int status, Message failure) {
        if (!context.response().ended() && !context.response().closed()) {
            context.response()
                    .setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                    .end(failure.line());
        }
    }

    private static boolean accepts(HttpServerRequest request, String type) {
        String accepted = lower(request.getHeader(HttpHeaders.ACCEPT));
        return accepted.isEmpty()
                || accepted.contains(type)
                || accepted.contains("*/*")
                || accepted.contains(type.substring(0, type.indexOf('/')) + "/*");
    }

    private static String lower(@Nullable String header) {
        return header == null ? "" : header.toLowerCase(Locale.ROOT);
    }
}
