package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.facade.Facade;
import dev.gavel.mcp.facade.modern.Question;
import dev.gavel.mcp.facade.modern.Reading;
import dev.gavel.mcp.facade.port.Received;
import dev.gavel.mcp.facade.port.Settings;
import dev.gavel.mcp.facade.port.Version;
import dev.gavel.mcp.facade.port.Visitor;
import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
import dev.gavel.mcp.rpc.RoutingHeaders;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** MCP's Streamable HTTP: every topic is a server at its own path. Thread-safe. */
final class McpRoutes {
    private static final String PATH = "/mcp/:topic";
    private static final String SESSION = "Mcp-Session-Id";
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
                case Message.Request asked
                when Reading.concerns(asked, new McpHeaders(request)) -> ask(context, granted, asked);
                case Message message when knowsVersion(context, message) -> receive(context, granted, message);
                case Message _ -> {}
            }
        }
    }

    /** Answers a request of a version without sessions. */
    private void ask(RoutingContext context, Visit.Granted granted, Message.Request request) {
        switch (Reading.of(request, new McpHeaders(context.request()))) {
            case Reading.Wrong(Message.Failure failure) -> wrong(context, 400, failure);
            case Reading.Good(Question question) ->
                open(
                        context,
                        McpSink.Resuming.NOT_AT_ALL,
                        sink -> facade.ask(granted.topic(), visitor(granted), question, sink),
                        (sink, whole) -> facade.ended(granted.topic(), sink, whole));
        }
    }

    private void receive(RoutingContext context, Visit.Granted granted, Message message) {
        String session = context.request().getHeader(SESSION);
        AtomicReference<@Nullable String> known = new AtomicReference<>(session);
        Context here = ContextInternal.current();
        open(
                context,
                resuming(context.request()),
                sink -> facade.receive(
                        granted.topic(),
                        visitor(granted),
                        session,
                        message,
                        received -> {
                            if (received instanceof Received.Began(String id)) {
                                known.set(id);
                            }
                            here.runOnContext(then -> answer(context, received));
                        },
                        sink),
                (sink, whole) -> left(granted, known.get(), sink, whole));
    }

    private static McpSink.Resuming resuming(HttpServerRequest request) {
        return Version.V2025_11_25.date().equals(request.getHeader(RoutingHeaders.VERSION))
                ? McpSink.Resuming.BY_ANY_EVENTS
                : McpSink.Resuming.BY_EVENTS;
    }

    private void left(Visit.Granted granted, @Nullable String session, McpSink sink, boolean whole) {
        if (!whole && session != null) {
            facade.gone(granted.topic(), visitor(granted), session, sink);
        }
    }

    /**
     * Opens an answer that may last.
     *
     * @param opening begins what it answers
     * @param ended told when it is over, and whether the client has it all
     */
    private void open(
            RoutingContext context,
            McpSink.Resuming resuming,
            Consumer<McpSink> opening,
            BiConsumer<McpSink, Boolean> ended) {
        if (open.incrementAndGet() > most) {
            open.decrementAndGet();
            visits.refuse(Visits.FULL, context.response());
            return;
        }
        McpSink sink =
                new McpSink(ContextInternal.current(), context.request(), accepts(context.request(), EVENTS), resuming);
        context.response().exceptionHandler(failure -> {
            // The client went away; the close handler sees to it.
        });
        context.addEndHandler(end -> {
            open.decrementAndGet();
            boolean whole = end.succeeded() && context.response().ended();
            if (!whole) {
                sink.closed();
            }
            ended.accept(sink, whole);
        });
        opening.accept(sink);
    }

    private void listen(RoutingContext context, Visit.Granted granted) {
        HttpServerRequest request = context.request();
        if (!accepts(request, EVENTS)) {
            new Problem(406, "not_acceptable", "accept text/event-stream").send(context.response());
        } else if (hasSessions(context)) {
            String session = request.getHeader(SESSION);
            Context here = ContextInternal.current();
            open(
                    context,
                    resuming(request),
                    sink -> facade.listen(
                            granted.topic(),
                            visitor(granted),
                            session,
                            request.getHeader("Last-Event-ID"),
                            received -> here.runOnContext(then -> answer(context, received)),
                            sink),
                    (sink, whole) -> left(granted, session, sink, whole));
        }
    }

    private void end(RoutingContext context, Visit.Granted granted) {
        if (!hasSessions(context)) {
            return;
        }
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

    /** Whether a message is of a version with sessions; where it is not, whoever sent it has been told. */
    private static boolean knowsVersion(RoutingContext context, Message message) {
        String version = context.request().getHeader(RoutingHeaders.VERSION);
        boolean begins =
                message instanceof Message.Request first && first.method().equals("initialize");
        // A request that says nothing counts as one of that older version, so one that says so is taken as well.
        if (begins || version == null || version.equals(UNSAID)) {
            return true;
        }
        Optional<Version> known = Version.of(version);
        if (known.isEmpty()) {
            wrong(context, 400, Reading.unsupported("null", version));
        } else if (!known.get().hasSessions()) {
            // No notification means anything to it: whoever wants no answer any more closes the connection.
            context.response()
                    .setStatusCode(message instanceof Message.Notification ? 202 : 400)
                    .end();
        }
        return known.filter(Version::hasSessions).isPresent();
    }

    /** Whether a client goes on in a session; where it does not, it has been told that there is nothing here for it. */
    private static boolean hasSessions(RoutingContext context) {
        String version = context.request().getHeader(RoutingHeaders.VERSION);
        Optional<Version> known = Optional.ofNullable(version).flatMap(Version::of);
        if (known.filter(each -> !each.hasSessions()).isPresent()) {
            context.response()
                    .setStatusCode(405)
                    .putHeader(HttpHeaders.ALLOW, "POST")
                    .end();
            return false;
        }
        if (version == null || version.equals(UNSAID) || known.isPresent()) {
            return true;
        }
        wrong(context, 400, Reading.unsupported("null", version));
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
