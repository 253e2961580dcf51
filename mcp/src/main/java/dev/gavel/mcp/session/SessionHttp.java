package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streamable HTTP up to 2025-11-25: a session, streams that are taken up again where they broke, and a stream for what the
 * server says unasked. Thread-safe.
 */
final class SessionHttp {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttp.class);
    private static final Duration TELLING = Duration.ofSeconds(15);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final int MOST_FAILURES = 8;

    private final HttpLine line;
    private final Map<String, Thread> asking = new ConcurrentHashMap<>();
    private volatile @Nullable String session;
    private volatile @Nullable String version;
    private volatile @Nullable Thread listener;

    SessionHttp(HttpLine line) {
        this.line = line;
    }

    /** Forgets the session; the next message must be one that begins another. */
    void restart() {
        Thread listening = listener;
        session = null;
        version = null;
        listener = null;
        if (listening != null) {
            listening.interrupt();
        }
    }

    void send(Message message) {
        Thread thread = line.thread("post", () -> post(message));
        if (message instanceof Message.Request request) {
            asking.put(request.id(), thread);
        }
        thread.start();
        if (message instanceof Message.Notification notification
                && notification.method().equals(OldManner.INITIALISED)) {
            // What comes next may only come after it.
            try {
                thread.join(TELLING);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        String current = session;
        if (current != null) {
            headers.put("Mcp-Session-Id", current);
        }
        String spoken = version;
        if (spoken != null) {
            headers.put(RoutingHeaders.VERSION, spoken);
        }
        return headers;
    }

    private HttpResponse<InputStream> get(@Nullable String last) throws IOException, InterruptedException {
        Map<String, String> headers = headers();
        if (last != null) {
            headers.put("Last-Event-ID", last);
        }
        return line.http.get(headers);
    }

    private void post(Message message) {
        boolean began = session != null;
        Optional<Duration> patience = message instanceof Message.Request ? Optional.empty() : Optional.of(TELLING);
        try {
            HttpResponse<InputStream> response = line.http.post(message, headers(), patience);
            try (InputStream body = response.body()) {
                answered(message, began, response, body);
            }
        } catch (ConnectException e) {
            String why = line.unreachable(e);
            line.refuse(message, RpcError.UNAVAILABLE, why);
            line.troubles().unreachable(why);
        } catch (IOException e) {
            line.refuse(message, RpcError.UNAVAILABLE, line.broken(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            line.refuse(message, RpcError.INTERNAL, line.senseless(e));
        } finally {
            if (message instanceof Message.Request request) {
                asking.remove(request.id(), Thread.currentThread());
            } else if (message instanceof Message.Notification notification) {
                calledOff(notification);
            }
        }
    }

    private void answered(Message message, boolean began, HttpResponse<InputStream> response, InputStream body)
            throws IOException, InterruptedException {
        int status = response.statusCode();
        if (status == 404 && began) {
            line.troubles().expelled(Optional.of(message));
        } else if (status >= 300) {
            line.refuse(message, response, body);
        } else {
            switch (message) {
                case Message.Request request -> taken(request, response, body);
                case Message.Notification notification -> told(notification);
                case Message.Answer _ -> {}
            }
        }
    }

    private void taken(Message.Request request, HttpResponse<InputStream> response, InputStream body)
            throws IOException, InterruptedException {
        if (request.method().equals(OldManner.INITIALISE)) {
            Optional<String> given = response.headers().firstValue("Mcp-Session-Id");
            if (given.filter(id -> !ServerEvents.SENDABLE.matcher(id).matches()).isPresent()) {
                line.refuse(
                        request,
                        RpcError.INTERNAL,
                        "the server at " + line.endpoint.shown() + " gave a session id that is not of visible ASCII");
                return;
            }
            session = given.orElse(null);
        }
        String type = HttpCalls.type(response);
        if (type.startsWith("text/event-stream")) {
            follow(request, body);
        } else if (type.startsWith("application/json")) {
            byte[] text = body.readNBytes(MessageReader.USUAL.longest() + 1);
            switch (Message.read(text)) {
                case Message message -> receive(message, request);
                case Malformed malformed ->
                    line.refuse(
                            request,
                            text.length > MessageReader.USUAL.longest() ? RpcError.UNSENDABLE : RpcError.INTERNAL,
                            "the server's answer is no MCP message: " + malformed.why());
            }
        } else {
            line.refuse(request, RpcError.INTERNAL, line.unexpected(response));
        }
    }

    private void told(Message.Notification notification) {
        if (notification.method().equals(OldManner.INITIALISED)) {
            Thread listening = line.thread("get", this::listen);
            listener = listening;
            listening.start();
        }
    }

    /** It is not answered any more, whatever the server says of that, and some would leave us waiting forever. */
    private void calledOff(Message.Notification notification) {
        if (notification.method().equals(StreamableHttp.CANCELLED)) {
            notification
                    .params()
                    .flatMap(raw -> RawJson.at(raw, "requestId"))
                    .map(asking::remove)
                    .ifPresent(Thread::interrupt);
        }
    }

    // --- events

    /** Reads the answer from a stream, and takes the stream up again as often as it breaks. */
    private void follow(Message.Request request, InputStream first) throws IOException, InterruptedException {
        Cursor cursor = new Cursor();
        boolean answered = read(first, cursor, request);
        int failures = 0;
        int empty = 0;
        while (!answered && !line.isClosed()) {
            String last = cursor.last();
            if (last == null || failures >= MOST_FAILURES) {
                throw new IOException("its stream ended");
            }
            Thread.sleep(wait(cursor, Math.max(failures, empty)));
            try {
                HttpResponse<InputStream> again = get(last);
                try (InputStream body = again.body()) {
                    if (HttpCalls.isStream(again)) {
                        failures = 0;
                        long before = cursor.events();
                        answered = read(body, cursor, request);
                        empty = cursor.events() > before ? 0 : empty + 1;
                    } else if (again.statusCode() >= 500) {
                        failures++;
                    } else {
                        throw new Gone(
                                "its stream ended, and cannot be taken up again (HTTP " + again.statusCode() + ")");
                    }
                }
            } catch (Gone e) {
                throw e;
            } catch (IOException e) {
                failures++;
            }
        }
    }

    private static final class Gone extends IOException {
        private static final long serialVersionUID = 1L;

        Gone(String why) {
            super(why);
        }
    }

    private static Duration wait(Cursor cursor, int failures) {
        Duration longer = cursor.retry().multipliedBy(1L << Math.min(failures, 10));
        return failures > 0 && longer.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longer;
    }

    private boolean read(InputStream body, Cursor cursor, Message.@Nullable Request request) {
        return line.read(body, cursor, request, message -> {
            receive(message, request);
            return request != null
                    && message instanceof Message.Answer answer
                    && answer.id().equals(request.id());
        });
    }

    private void receive(Message message, Message.@Nullable Request asked) {
        if (asked != null
                && asked.method().equals(OldManner.INITIALISE)
                && message instanceof Message.Response(String _, String result)) {
            version = RawJson.at(result, "protocolVersion")
                    .flatMap(Json::parse)
                    .flatMap(Json::ifText)
                    .filter(text -> text.matches("[0-9A-Za-z.-]{1,40}"))
                    .orElse(null);
        }
        line.received(message);
    }

    /** Hears what the server says unasked, for as long as it offers that. */
    private void listen() {
        Cursor cursor = new Cursor();
        int failures = 0;
        boolean offered = true;
        boolean streamed = false;
        int refusals = 0;
        while (offered && !line.isClosed() && Thread.currentThread().equals(listener)) {
            try {
                HttpResponse<InputStream> response = get(cursor.last());
                try (InputStream body = response.body()) {
                    if (HttpCalls.isStream(response)) {
                        streamed = true;
                        refusals = 0;
                        long before = cursor.events();
                        read(body, cursor, null);
                        failures = cursor.events() > before ? 0 : failures + 1;
                    } else if (response.statusCode() == 404 && streamed && session != null) {
                        // Where it was never offered, a 404 says no more than that.
                        offered = false;
                        line.troubles().expelled(Optional.empty());
                    } else if (response.statusCode() < 500) {
                        offered = false;
                    } else {
                        failures++;
                    }
                }
            } catch (ConnectException e) {
                failures++;
                refusals++;
                if (refusals > 2) {
                    line.troubles()
                            .unreachable("the server at " + line.endpoint.shown() + " cannot be reached any more");
                }
            } catch (IOException e) {
                failures++;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.error("bridge {}: what the server says unasked could not be dealt with", line.name, e);
                failures++;
            }
            try {
                Thread.sleep(wait(cursor, failures));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Ends the session, as far as there is one and the server lets us. */
    void close() {
        if (session == null) {
            return;
        }
        try {
            line.http.delete(headers());
        } catch (IOException e) {
            log.debug("bridge {}: the server was not told that its session ends: {}", line.name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
