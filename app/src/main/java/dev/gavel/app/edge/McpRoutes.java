package dev.gavel.app.edge;

import dev.gavel.gateway.Gateway;
import dev.gavel.mcp.facade.Era;
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
        router.get(PATH)
                .handler(context -> visit(context, granted -> inSession(context, () -> listen(context, granted))));
        router.delete(PATH)
                .handler(context -> visit(context, granted -> inSession(context, () -> end(context, granted))));
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
                    switch (Era.of(message, new McpHeaders(request))) {
                        case Era.Alone(Question question) -> ask(context, granted, question);
                        case Era.InSession() -> receive(context, granted, message);
                        case Era.Meaningless() -> answer(context, new Received.Noted());
                        case Era.Refused(Message.Failure failure) -> wrong(context, 400, failure);
                    }
                }
            }
        }
    }

    /** Answers a request that stands alone. */
    private void ask(RoutingContext context, Visit.Granted granted, Question question) {
        open(
                context,
                McpSink.Resuming.NOT_AT_ALL,
                sink -> facade.ask(granted.topic(), visitor(granted), question, sink),
                (sink, whole) -> facade.ended(granted.topic(), sink, whole));
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
        Context here = ContextInternal.current();
        // Once it is said how the answer was ended: whether it also arrived is known a moment later.
        context.addEndHandler(end -> here.runOnContext(then -> {
            open.decrementAndGet();
            if (end.failed() || !context.response().ended()) {
                sink.closed();
                ended.accept(sink, false);
            } else {
                sink.written(whole -> ended.accept(sink, whole));
            }
        }));
        opening.accept(sink);
    }

    private void listen(RoutingContext context, Visit.Granted granted) {
        HttpServerRequest request = context.request();
        if (!accepts(request, EVENTS)) {
            new Problem(406, "not_acceptable", "accept text/event-stream").send(context.response());
            return;
        }
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

    /** Does something with a session, where the version of the request has sessions. */
    private static void inSession(RoutingContext context, Runnable then) {
        Optional<Era> era = Era.of(new McpHeaders(context.request()));
        if (era.isEmpty()) {
            context.response()
                    .setStatusCode(405)
                    .putHeader(HttpHeaders.ALLOW, "POST")
                    .end();
        } else if (era.get() instanceof Era.Refused(Message.Failure failure)) {
            wrong(context, 400, failure);
        } else {
            then.run();
        }
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
