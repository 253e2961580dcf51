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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What passes between us and an MCP server, from its introduction to its end, in the newest version that it speaks. By ourselves
 * we declare nothing that a server could ask of us: a topic has no one user who could be asked. Thread-safe.
 */
public final class Session implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Session.class);

    /** How long a server may think about the newest version before the old way is tried as well. */
    private static final Duration PROBE = Duration.ofSeconds(5);

    private final Transport transport;
    private final Events events;
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Consumer<Message.Answer>> waiting = new LinkedHashMap<>();
    private @Nullable String lost;
    private boolean open;
    private volatile @Nullable Manner manner;

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
     * Opens the way and finds out how the server is spoken to. Waits for it.
     *
     * @param server makes a way to it; asked twice where the server has to be started once more to be spoken to rightly
     * @param client who we say we are, as MCP's {@code clientInfo}
     * @throws IOException where that does not succeed, with a message that says why
     */
    public static Session open(Supplier<Transport> server, Events events, ClientInfo client, Duration patience)
            throws IOException, InterruptedException {
        return open(server, events, client, new Opening.Patience(patience, PROBE));
    }

    static Session open(Supplier<Transport> server, Events events, ClientInfo client, Opening.Patience patience)
            throws IOException, InterruptedException {
        Opening.Way way = Opening.Way.EITHER;
        while (true) {
            Session session = new Session(server.get(), events);
            boolean done = false;
            try {
                session.transport.open(session.new Ears());
                switch (new Opening(session, client, patience).by(way)) {
                    case Opening.Outcome.Found(Manner manner) -> {
                        session.begin(manner);
                        done = true;
                        return session;
                    }
                    case Opening.Outcome.Again(Opening.Way other) -> way = other;
                }
            } finally {
                if (!done) {
                    session.transport.close();
                }
            }
        }
    }

    /** Who we say we are. */
    public record ClientInfo(String name, String version) {
        String json() {
            return Json.write(json -> {
                        json.writeStartObject();
                        json.writeStringProperty("name", name);
                        json.writeStringProperty("version", version);
                        json.writeEndObject();
                    })
                    .raw();
        }
    }

    private synchronized void begin(Manner found) throws IOException {
        if (lost != null) {
            throw new IOException(lost);
        }
        manner = found;
        open = true;
    }

    synchronized boolean isLost() {
        return lost != null;
    }

    private Manner manner() {
        Manner found = manner;
        if (found == null) {
            throw new IllegalStateException("it is not known yet how the server is spoken to");
        }
        return found;
    }

    /** The version of MCP that is spoken. */
    public String version() {
        return manner().version();
    }

    /** Whether nothing is agreed on with the server but what each request says, as from MCP 2026-07-28 on. */
    public boolean stateless() {
        return manner().stateless();
    }

    /** What the server said about itself: {@code capabilities}, {@code instructions}, and so on. */
    public Json introduction() {
        return manner().introduction();
    }

    /** Whether the server says it has such a thing: {@code tools}, {@code prompts}, {@code resources}. */
    public boolean offers(String capability) {
        return introduction().at("capabilities").at(capability).there();
    }

    /** An id for a request of ours, which nothing else in this session has; it is a token for progress as well. */
    public String nextId() {
        return Long.toString(ids.incrementAndGet());
    }

    /**
     * Asks the server something on our own behalf.
     *
     * @param id from {@link #nextId}
     * @param then given the answer, once, whatever happens; must not wait
     */
    public void ask(String id, String method, Optional<String> params, Consumer<Message.Answer> then) {
        ask(id, method, params, false, then);
    }

    /**
     * Asks the server something.
     *
     * @param id from {@link #nextId}
     * @param own whether who sends it wants it for themselves, so that what they say of themselves in it counts
     * @param then given the answer, once, whatever happens; must not wait
     */
    public void ask(String id, String method, Optional<String> params, boolean own, Consumer<Message.Answer> then) {
        put(id, method, manner().params(params, own), then);
    }

    private void put(String id, String method, Optional<String> params, Consumer<Message.Answer> then) {
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
            send(new Message.Request(id, method, params));
        } catch (IOException e) {
            answered(RpcError.UNAVAILABLE.failure(id, String.valueOf(e.getMessage())));
        }
    }

    /** Asks something as it is, in whichever version. */
    CompletableFuture<Message.Answer> put(String method, Optional<String> params) {
        CompletableFuture<Message.Answer> answer = new CompletableFuture<>();
        put(nextId(), method, params, answer::complete);
        return answer;
    }

    void send(Message message) throws IOException {
        transport.send(message);
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
        fail("the bridge to the server is closing");
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

    private synchronized boolean isOpen() {
        return open;
    }

    private final class Ears implements Transport.Receiver {
        @Override
        public void received(Message message) {
            switch (message) {
                case Message.Answer answer -> answered(answer);
                case Message.Notification notification -> {
                    if (manner != null) {
                        events.notified(notification);
                    }
                }
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
            if (fail(why) && isOpen()) {
                events.lost(why);
            }
        }
    }
}
