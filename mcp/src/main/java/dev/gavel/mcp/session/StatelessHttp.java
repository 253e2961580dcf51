package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.HeaderText;
import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RoutingHeaders;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.ServerEvents.Cursor;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streamable HTTP from 2026-07-28 on: every request stands for itself, headers say what is in it, and closing its stream calls it
 * off. Thread-safe.
 */
final class StatelessHttp {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttp.class);

    private static final String LIST = "tools/list";
    private static final String CALL = "tools/call";
    private static final int MOST_PAGES = 100;

    /** How long a list of tools may take that we ask for ourselves, on somebody else's time. */
    private static final Duration LISTING = Duration.ofSeconds(30);

    private final HttpLine line;
    private final ToolHeaders tools;
    private final Map<String, Thread> asking = new ConcurrentHashMap<>();

    StatelessHttp(HttpLine line) {
        this.line = line;
        this.tools = new ToolHeaders(line.name);
    }

    /** The version that a request says it is of; nothing where it is of an older kind. */
    static Optional<String> version(Message.Call call) {
        return call.params()
                .flatMap(raw -> RawJson.at(raw, Meta.META, Meta.VERSION))
                .flatMap(StatelessHttp::text);
    }

    private static Optional<String> text(String json) {
        return Json.parse(json).flatMap(Json::ifText);
    }

    void ask(Message.Request request) {
        Thread thread = line.thread("post", () -> run(request));
        asking.put(request.id(), thread);
        thread.start();
    }

    /** Calls a request off by closing its stream; false where there is none of that id. */
    boolean cancel(String id) {
        Thread thread = asking.remove(id);
        if (thread != null) {
            thread.interrupt();
        }
        return thread != null;
    }

    private void run(Message.Request request) {
        try {
            if (request.method().equals(CALL) && !tools.known()) {
                list(request);
            }
            Optional<Message.Answer> answer = post(request);
            if (answer.isPresent() && isMismatch(request, answer.get())) {
                // The tool may say other arguments in headers by now than it did.
                list(request);
                answer = post(request);
            }
            answer.ifPresent(each -> settle(request, each));
        } catch (ConnectException e) {
            String why = line.unreachable(e);
            broke(request, why);
            line.troubles().unreachable(why);
        } catch (IOException e) {
            broke(request, line.broken(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            settle(request, RpcError.INTERNAL.failure("null", line.senseless(e)));
        } finally {
            asking.remove(request.id(), Thread.currentThread());
        }
    }

    /** The one answer, unless the request was called off. */
    private void settle(Message.Request request, Message.Answer answer) {
        if (asking.remove(request.id(), Thread.currentThread())) {
            line.received(answer.withId(request.id()));
        }
    }

    private void broke(Message.Request request, String why) {
        if (!isSeenTo(request, why)) {
            settle(request, RpcError.UNAVAILABLE.failure("null", why));
        }
    }

    private boolean isSeenTo(Message.Request request, String why) {
        return Thread.currentThread().equals(asking.get(request.id()))
                && !line.isClosed()
                && line.troubles().broke(request, why)
                && asking.remove(request.id(), Thread.currentThread());
    }

    private static boolean isMismatch(Message.Request request, Message.Answer answer) {
        return request.method().equals(CALL)
                && answer instanceof Message.Failure failure
                && failure.code() == RpcError.HEADER_MISMATCH.code();
    }

    // --- one request

    private Map<String, String> headers(Message.Request request) {
        String params = request.params().orElse("{}");
        Map<String, String> headers = new LinkedHashMap<>();
        version(request).ifPresent(version -> headers.put(RoutingHeaders.VERSION, HeaderText.encode(version)));
        headers.put(RoutingHeaders.METHOD, HeaderText.encode(request.method()));
        RoutingHeaders.parameter(request.method())
                .flatMap(field -> RawJson.at(params, field))
                .flatMap(StatelessHttp::text)
                .ifPresent(name -> {
                    headers.put(RoutingHeaders.NAME, HeaderText.encode(name));
                    if (request.method().equals(CALL)) {
                        tools.of(name, params)
                                .forEach((header, value) -> headers.put(header, HeaderText.encode(value)));
                    }
                });
        return headers;
    }

    /**
     * Sends a request; what comes before its answer is handed on.
     *
     * @return the answer; nothing where the request has been answered here
     */
    private Optional<Message.Answer> post(Message.Request request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = line.http.post(request, headers(request), Optional.empty());
        try (InputStream body = response.body()) {
            String type = HttpCalls.type(response);
            if (response.statusCode() >= 300) {
                Message.Failure refusal = line.refusal(response, body);
                return response.statusCode() >= 500 && isSeenTo(request, refusal.words())
                        ? Optional.empty()
                        : Optional.of(refusal);
            }
            if (type.startsWith("text/event-stream")) {
                return followed(request, body).map(answer -> learned(request, answer));
            }
            return Optional.of(learned(
                    request,
                    type.startsWith("application/json")
                            ? single(body)
                            : RpcError.INTERNAL.failure("null", line.unexpected(response))));
        }
    }

    private static Message.Answer single(InputStream body) throws IOException {
        byte[] text = body.readNBytes(MessageReader.USUAL.longest() + 1);
        return switch (Message.read(text)) {
            case Message.Answer answer -> answer;
            case Message.Call _ ->
                RpcError.INTERNAL.failure("null", "the server's answer is no answer, but asks for something");
            case Malformed malformed ->
                (text.length > MessageReader.USUAL.longest() ? RpcError.UNSENDABLE : RpcError.INTERNAL)
                        .failure("null", "the server's answer is no MCP message: " + malformed.why());
        };
    }

    /** A stream belongs to one request; where it ends without an answer, there is none. */
    private Optional<Message.Answer> followed(Message.Request request, InputStream body) throws IOException {
        AtomicReference<Message.Answer> answer = new AtomicReference<>();
        boolean done = line.read(body, new Cursor(), request, message -> switch (message) {
            case Message.Answer each
            when each.id().equals(request.id()) || each.id().equals("null") -> {
                answer.set(each);
                yield true;
            }
            case Message.Notification notification -> {
                line.received(notification);
                yield false;
            }
            case Message.Answer _, Message.Request _ -> {
                log.warn(
                        "bridge {}: the server sent something that has no place in a stream of MCP 2026-07-28;"
                                + " it is passed over",
                        line.name);
                yield false;
            }
        });
        if (!done) {
            throw new IOException("its stream ended");
        }
        return Optional.ofNullable(answer.get());
    }

    private Message.Answer learned(Message.Request request, Message.Answer answer) {
        return request.method().equals(LIST) && answer instanceof Message.Response(String id, String result)
                ? new Message.Response(id, tools.learned(result))
                : answer;
    }

    // --- a list of our own

    /** Asks which arguments of which tools are said in headers; where that is not said, the call is sent all the same. */
    private void list(Message.Request call) throws IOException, InterruptedException {
        String given = call.params().orElse("{}");
        String meta = "{}";
        for (String name : new String[] {Meta.CAPABILITIES, Meta.CLIENT, Meta.VERSION}) {
            Optional<String> value = RawJson.at(given, Meta.META, name);
            meta = value.isPresent() ? RawJson.with(meta, value.get(), name) : meta;
        }
        String params = "{\"_meta\":" + meta + "}";
        Optional<String> cursor = Optional.empty();
        for (int page = 0; page < MOST_PAGES; page++) {
            Optional<String> at = cursor;
            Message.Request request = new Message.Request(
                    "\"gavel:tools\"",
                    LIST,
                    Optional.of(
                            at.map(raw -> RawJson.with(params, raw, "cursor")).orElse(params)));
            HttpResponse<InputStream> response = line.http.post(request, headers(request), Optional.of(LISTING));
            try (InputStream body = response.body()) {
                Optional<String> result = result(request, response, body);
                result.ifPresent(tools::learned);
                cursor = result.flatMap(raw -> RawJson.at(raw, "nextCursor")).filter(raw -> raw.startsWith("\""));
            }
            if (cursor.isEmpty()) {
                return;
            }
        }
    }

    private Optional<String> result(Message.Request request, HttpResponse<InputStream> response, InputStream body)
            throws IOException {
        String type = HttpCalls.type(response);
        Optional<Message.Answer> answer = response.statusCode() != 200
                ? Optional.empty()
                : type.startsWith("text/event-stream") ? followed(request, body) : Optional.of(single(body));
        return answer.filter(Message.Response.class::isInstance)
                .map(Message.Response.class::cast)
                .map(Message.Response::result);
    }
}
