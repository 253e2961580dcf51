package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.ServerEvents.Cursor;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An MCP server over Streamable HTTP: every message is a POST, answers come as JSON or as a stream of events, which is taken
 * up again where it broke. A request that gets no answer from the server gets one from here. Thread-safe.
 */
public final class StreamableHttp implements Transport {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttp.class);
    private static final Duration TELLING = Duration.ofSeconds(15);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final int MOST_FAILURES = 8;
    private static final String INITIALISED = "notifications/initialized";

    private final String name;
    private final Endpoint endpoint;
    private final Troubles troubles;
    private final HttpCalls http;
    private final AtomicBoolean lost = new AtomicBoolean();
    private final Map<String, Thread> asking = new ConcurrentHashMap<>();
    private final Map<Thread, Boolean> threads = new ConcurrentHashMap<>();

    private volatile boolean closed;
    private volatile @Nullable Receiver receiver;
    private volatile @Nullable Thread listener;

    /** Who decides what becomes of a connection in trouble. */
    public interface Troubles {
        /**
         * The server has ended the session.
         *
         * @param refused the message it said so about, which it did not take; nothing where it was asked for news
         */
        void expelled(Optional<Message> refused);

        /** Nobody answers at the server's address. A request that was to be sent has been answered. */
        void unreachable(String why);
    }

    /** A way that is lost when the session ends, or nobody answers. */
    StreamableHttp(String name, Endpoint endpoint) {
        this(name, endpoint, null);
    }

    /** A way whose troubles are somebody else's. */
    public StreamableHttp(String name, Endpoint endpoint, @Nullable Troubles troubles) {
        this.name = name;
        this.endpoint = endpoint;
        this.troubles = troubles == null ? new Losing() : troubles;
        this.http = new HttpCalls(endpoint);
    }

    private final class Losing implements Troubles {
        @Override
        public void expelled(Optional<Message> refused) {
            lose("the server has ended the session");
        }

        @Override
        public void unreachable(String why) {
            lose(why);
        }
    }

    private void lose(String why) {
        Receiver to = receiver;
        if (!closed && to != null && lost.compareAndSet(false, true)) {
            to.lost(why);
        }
    }

    @Override
    public void open(Receiver to) {
        receiver = to;
    }

    /** Forgets the session; the next message must be one that begins another. */
    public void restart() {
        Thread listening = listener;
        http.session(null);
        http.version(null);
        listener = null;
        if (listening != null) {
            listening.interrupt();
        }
    }

    @Override
    public void send(Message message) throws IOException {
        if (closed) {
            throw new IOException("the connection is closed");
        }
        if (message instanceof Message.Notification notification
                && notification.method().equals(INITIALISED)) {
            // What follows is not to arrive before it.
            Thread first = work(() -> post(message));
            try {
                first.join(TELLING);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return;
        }
        Thread thread =
                Thread.ofVirtual().name("bridge " + name + " post").unstarted(() -> working(() -> post(message)));
        if (message instanceof Message.Request request) {
            asking.put(request.id(), thread);
        }
        thread.start();
    }

    private Thread work(Runnable task) {
        return Thread.ofVirtual().name("bridge " + name).start(() -> working(task));
    }

    private void working(Runnable task) {
        threads.put(Thread.currentThread(), true);
        try {
            if (!closed) {
                task.run();
            }
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    private void post(Message message) {
        boolean began = http.hasSession();
        Optional<Duration> patience = message instanceof Message.Request ? Optional.empty() : Optional.of(TELLING);
        try {
            HttpResponse<InputStream> response = http.post(message, patience);
            try (InputStream body = response.body()) {
                answered(message, began, response, body);
            }
        } catch (ConnectException e) {
            String why = "the server at " + endpoint.shown() + " cannot be reached"
                    + (e.getMessage() == null ? "" : ": " + e.getMessage());
            refuse(message, RpcError.UNAVAILABLE, why);
            troubles.unreachable(why);
        } catch (IOException e) {
            refuse(
                    message,
                    RpcError.UNAVAILABLE,
                    "the connection to the server at " + endpoint.shown() + " broke before it answered: "
                            + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.error("bridge {}: an answer of the server could not be dealt with", name, e);
            refuse(message, RpcError.INTERNAL, "the answer of the server at " + endpoint.shown() + " makes no sense");
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
            troubles.expelled(Optional.of(message));
        } else if (status >= 300) {
            refuse(message, response, body);
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
        if (request.method().equals("initialize")) {
            Optional<String> given = response.headers().firstValue("Mcp-Session-Id");
            if (given.filter(id -> !ServerEvents.SENDABLE.matcher(id).matches()).isPresent()) {
                refuse(
                        request,
                        RpcError.INTERNAL,
                        "the server at " + endpoint.shown() + " gave a session id that is not of visible ASCII");
                return;
            }
            http.session(given.orElse(null));
        }
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (type.startsWith("text/event-stream")) {
            follow(request, body);
        } else if (type.startsWith("application/json")) {
            byte[] text = body.readNBytes(MessageReader.USUAL.longest() + 1);
            switch (Message.read(text)) {
                case Message message -> receive(message, request);
                case Malformed malformed ->
                    refuse(
                            request,
                            text.length > MessageReader.USUAL.longest() ? RpcError.UNSENDABLE : RpcError.INTERNAL,
                            "the server's answer is no MCP message: " + malformed.why());
            }
        } else {
            refuse(
                    request,
                    RpcError.INTERNAL,
                    "the server at " + endpoint.shown() + " answered HTTP " + response.statusCode()
                            + (type.isEmpty() ? " without content" : " of type " + type)
                            + "; is there an MCP server at that address?");
        }
    }

    private void told(Message.Notification notification) {
        if (notification.method().equals(INITIALISED)) {
            Thread listening =
                    Thread.ofVirtual().name("bridge " + name + " get").unstarted(() -> working(this::listen));
            listener = listening;
            listening.start();
        }
    }

    /** It is not answered any more, whatever the server says of that, and some would leave us waiting forever. */
    private void calledOff(Message.Notification notification) {
        if (notification.method().equals("notifications/cancelled")) {
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
        while (!answered && !closed) {
            String last = cursor.last();
            if (last == null || failures >= MOST_FAILURES) {
                throw new IOException("its stream ended");
            }
            Thread.sleep(wait(cursor, Math.max(failures, empty)));
            try {
                HttpResponse<InputStream> again = http.get(Optional.of(last));
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

    /** Hands on what a stream says until it ends, or until the request it was opened for is answered: then true. */
    private boolean read(InputStream body, Cursor cursor, Message.@Nullable Request request) {
        try {
            ServerEvents events = new ServerEvents(body, cursor);
            for (ServerEvents.Event event = events.next(); event != null; event = events.next()) {
                if (event.tooLong()) {
                    if (request != null) {
                        refuse(request, RpcError.UNSENDABLE, "the server's answer is too long to be taken");
                        return true;
                    }
                } else if (Message.read(event.data()) instanceof Message message) {
                    receive(message, request);
                    if (request != null
                            && message instanceof Message.Answer answer
                            && answer.id().equals(request.id())) {
                        return true;
                    }
                } else {
                    log.warn("bridge {}: the server sent an event that is no MCP message; it is passed over", name);
                }
            }
        } catch (IOException e) {
            log.debug("bridge {}: a stream of events broke: {}", name, e.getMessage());
        }
        return false;
    }

    private void receive(Message message, Message.@Nullable Request asked) {
        if (asked != null
                && asked.method().equals("initialize")
                && message instanceof Message.Response(String _, String result)) {
            http.version(RawJson.at(result, "protocolVersion")
                    .flatMap(Json::parse)
                    .flatMap(Json::ifText)
                    .filter(text -> text.matches("[0-9A-Za-z.-]{1,40}"))
                    .orElse(null));
        }
        Receiver to = receiver;
        if (to != null && !closed) {
            to.received(message);
        }
    }

    /** Hears what the server says unasked, for as long as it offers that. */
    private void listen() {
        Cursor cursor = new Cursor();
        int failures = 0;
        boolean offered = true;
        boolean streamed = false;
        int refusals = 0;
        while (offered && !closed && Thread.currentThread().equals(listener)) {
            try {
                HttpResponse<InputStream> response = http.get(Optional.ofNullable(cursor.last()));
                try (InputStream body = response.body()) {
                    if (HttpCalls.isStream(response)) {
                        streamed = true;
                        refusals = 0;
                        long before = cursor.events();
                        read(body, cursor, null);
                        failures = cursor.events() > before ? 0 : failures + 1;
                    } else if (response.statusCode() == 404 && streamed && http.hasSession()) {
                        // Where it was never offered, a 404 says no more than that.
                        offered = false;
                        troubles.expelled(Optional.empty());
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
                    troubles.unreachable("the server at " + endpoint.shown() + " cannot be reached any more");
                }
            } catch (IOException e) {
                failures++;
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                log.error("bridge {}: what the server says unasked could not be dealt with", name, e);
                failures++;
            }
            try {
                Thread.sleep(wait(cursor, failures));
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    // --- refusals

    private void refuse(Message message, RpcError error, String why) {
        if (message instanceof Message.Request request) {
            receive(error.failure(request.id(), why), null);
        } else if (!closed) {
            log.debug("bridge {}: a message was not taken: {}", name, why);
        }
    }

    private void refuse(Message message, HttpResponse<InputStream> response, InputStream body) throws IOException {
        Message.Failure refusal = HttpRefusal.of(endpoint, response, body.readNBytes(HttpRefusal.LONGEST));
        if (message instanceof Message.Request request) {
            receive(refusal.withId(request.id()), null);
        } else {
            log.debug("bridge {}: a message was not taken: {}", name, refusal.words());
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        threads.keySet().forEach(Thread::interrupt);
        try {
            http.close();
        } catch (IOException e) {
            log.debug("bridge {}: the server was not told that its session ends: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
