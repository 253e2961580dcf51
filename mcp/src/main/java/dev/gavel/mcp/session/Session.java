package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with an MCP server, from its initialisation to its end. Declares nothing that a server could ask of us: a topic
 * has no one user who could be asked. Thread-safe.
 */
public final class Session implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Session.class);

    /** What we offer, and what else we take; all speak of tools, prompts and resources alike. */
    private static final String OFFERED = "2025-11-25";

    private static final List<String> TAKEN = List.of(OFFERED, "2025-06-18", "2025-03-26", "2024-11-05");

    private static final int LONGEST_INTRODUCTION = 1024 * 1024;

    private final Transport transport;
    private final Events events;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Consumer<Message.Answer>> waiting = new LinkedHashMap<>();
    private @Nullable String lost;
    private volatile Json initialised = Json.object();

    /** Who is told what a server says of itself. */
    public interface Events {
        /** The server notifies. */
        void notified(Message.Notification notification);

        /** The session is over, after everything that waited for an answer was given one. Told once at most. */
        void lost(String why);
    }

    private Session(Transport transport, Events events) {
        this.transport = transport;
        this.events = events;
    }

    /**
     * Opens the way and initialises the server. Waits for it.
     *
     * @param client who we say we are, as MCP's {@code clientInfo}
     * @throws IOException where that does not succeed, with a message that says why
     */
    public static Session open(Transport transport, Events events, ClientInfo client, Duration patience)
            throws IOException, InterruptedException {
        Session session = new Session(transport, events);
        boolean done = false;
        try {
            transport.open(session.new Ears());
            session.initialise(client, patience);
            done = true;
            return session;
        } finally {
            if (!done) {
                transport.close();
            }
        }
    }

    /** Who we say we are. */
    public record ClientInfo(String name, String version) {}

    private void initialise(ClientInfo client, Duration patience) throws IOException, InterruptedException {
        Json params = Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("protocolVersion", OFFERED);
            json.writeObjectPropertyStart("capabilities");
            json.writeEndObject();
            json.writeObjectPropertyStart("clientInfo");
            json.writeStringProperty("name", client.name());
            json.writeStringProperty("version", client.version());
            json.writeEndObject();
            json.writeEndObject();
        });
        Message.Answer answer = ask("initialize", Optional.of(params.raw()), patience);
        Json result = switch (answer) {
            case Message.Response(String _, String raw)
            when raw.length() <= LONGEST_INTRODUCTION -> Json.parse(raw).orElseGet(Json::object);
            case Message.Response(String _, String raw) ->
                throw new IOException("the server introduces itself with " + raw.length() + " characters; at most "
                        + LONGEST_INTRODUCTION + " are taken");
            case Message.Failure failure ->
                throw new IOException("the server refused to be initialised: " + failure.words());
        };
        String version = result.at("protocolVersion").text();
        if (!TAKEN.contains(version)) {
            throw new IOException("the server speaks MCP '" + version + "' only; these are understood here: "
                    + String.join(", ", TAKEN));
        }
        initialised = result;
        transport.send(new Message.Notification("notifications/initialized", Optional.empty()));
    }

    /** What the server said about itself: {@code capabilities}, {@code serverInfo}, and so on. */
    public Json initialised() {
        return initialised;
    }

    /** Whether the server says it has such a thing: {@code tools}, {@code prompts}, {@code resources}. */
    public boolean offers(String capability) {
        return initialised.at("capabilities").at(capability).there();
    }

    /** An id for a request of ours, which nothing else in this session has; it is a token for progress as well. */
    public String nextId() {
        return Long.toString(ids.incrementAndGet());
    }

    /**
     * Asks the server something.
     *
     * @param id from {@link #nextId}
     * @param then given the answer, once, whatever happens; must not wait
     */
    public void ask(String id, String method, Optional<String> params, Consumer<Message.Answer> then) {
        String over;
        synchronized (this) {
            over = lost;
            if (over == null) {
                waiting.put(id, then);
            }
        }
        if (over != null) {
            then.accept(RpcError.UNAVAILABLE.failure(id, over));
            return;
        }
        try {
            transport.send(new Message.Request(id, method, params));
        } catch (IOException e) {
            answered(RpcError.UNAVAILABLE.failure(id, String.valueOf(e.getMessage())));
        }
    }

    /** Asks the server something and waits; what comes after the time is up is dropped. */
    public Message.Answer ask(String method, Optional<String> params, Duration patience) throws InterruptedException {
        String id = nextId();
        CompletableFuture<Message.Answer> answer = new CompletableFuture<>();
        ask(id, method, params, answer::complete);
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            forget(id);
            return RpcError.UNAVAILABLE.failure(
                    id, "the server did not answer '" + method + "' within " + patience.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the server answers to this request is of no interest any more. */
    public synchronized void forget(String id) {
        waiting.remove(id);
    }

    /** Notifies the server, as far as it is there. */
    public void tell(String method, String params) {
        try {
            transport.send(new Message.Notification(method, Optional.of(params)));
        } catch (IOException e) {
            log.debug("'{}' is not sent: {}", method, e.getMessage());
        }
    }

    private void answered(Message.Answer answer) {
        Consumer<Message.Answer> then;
        synchronized (this) {
            then = waiting.remove(answer.id());
        }
        if (then != null) {
            then.accept(answer);
        }
    }

    @Override
    public void close() {
        // Whoever waits is not to wait until the server has ended.
        fail("the bridge to the server is closing; whether the call ran is not known");
        transport.close();
    }

    /** Answers everything that waits, and everything that comes; false where that was done before. */
    private boolean fail(String why) {
        List<Map.Entry<String, Consumer<Message.Answer>>> left;
        synchronized (this) {
            if (lost != null) {
                return false;
            }
            lost = why;
            left = new ArrayList<>(waiting.entrySet());
            waiting.clear();
        }
        left.forEach(each -> each.getValue().accept(RpcError.UNAVAILABLE.failure(each.getKey(), why)));
        return true;
    }

    private final class Ears implements Transport.Receiver {
        @Override
        public void received(Message message) {
            switch (message) {
                case Message.Answer answer -> answered(answer);
                case Message.Notification notification -> events.notified(notification);
                case Message.Request request -> reply(request);
            }
        }

        private void reply(Message.Request request) {
            Message.Answer answer = request.method().equals("ping")
                    ? new Message.Response(request.id(), "{}")
                    : RpcError.METHOD_NOT_FOUND.failure(request.id(), refusal(request.method()));
            try {
                transport.send(answer);
            } catch (IOException e) {
                log.debug("'{}' of the server is not answered: {}", request.method(), e.getMessage());
            }
        }

        private static String refusal(String method) {
            return switch (method) {
                case "sampling/createMessage" ->
                    "This client has no model to ask: it declares no sampling, because a topic has no one user.";
                case "elicitation/create" ->
                    "This client has nobody to ask: it declares no elicitation, because a topic has no one user.";
                case "roots/list" ->
                    "This client has no roots: it declares none, because a topic has no one user's files.";
                default -> "This client answers nothing but 'ping'.";
            };
        }

        @Override
        public void lost(String why) {
            if (fail(why)) {
                events.lost(why);
            }
        }
    }
}
