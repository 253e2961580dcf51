package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.ServerEvents.Cursor;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What both manners of Streamable HTTP stand on: requests, the threads that wait for them, and who is told. Thread-safe. */
final class HttpLine {
    private static final Logger log = LoggerFactory.getLogger(StreamableHttp.class);

    final String name;
    final Endpoint endpoint;
    final HttpCalls http;
    private final StreamableHttp.Troubles troubles;
    private final Map<Thread, Boolean> threads = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile Transport.@Nullable Receiver receiver;

    HttpLine(String name, Endpoint endpoint, StreamableHttp.Troubles troubles) {
        this.name = name;
        this.endpoint = endpoint;
        this.troubles = troubles;
        this.http = new HttpCalls(endpoint);
    }

    void open(Transport.Receiver to) {
        receiver = to;
    }

    Transport.@Nullable Receiver receiver() {
        return closed ? null : receiver;
    }

    StreamableHttp.Troubles troubles() {
        return troubles;
    }

    boolean isClosed() {
        return closed;
    }

    /** A thread for a task, yet to be started; it is interrupted when everything ends. */
    Thread thread(String what, Runnable task) {
        return Thread.ofVirtual().name("bridge " + name + " " + what).unstarted(() -> {
            threads.put(Thread.currentThread(), true);
            try {
                if (!closed) {
                    task.run();
                }
            } finally {
                threads.remove(Thread.currentThread());
            }
        });
    }

    /** Hands on what came. */
    void received(Message message) {
        Transport.Receiver to = receiver();
        if (to != null) {
            to.received(message);
        }
    }

    // --- answers

    /**
     * Hands on what a stream says until it ends, or until it has said enough: then true.
     *
     * @param enough is given each message, and says whether it was the last of interest
     * @param whose the request that waits for the stream, if one does
     */
    boolean read(InputStream body, Cursor cursor, Message.@Nullable Request whose, Predicate<Message> enough) {
        try {
            ServerEvents events = new ServerEvents(body, cursor);
            for (ServerEvents.Event event = events.next(); event != null; event = events.next()) {
                if (event.tooLong()) {
                    if (whose != null) {
                        // As if the server had said so: whoever follows the stream knows whom its answers are for.
                        return enough.test(
                                RpcError.UNSENDABLE.failure(whose.id(), "the server's answer is too long to be taken"));
                    }
                } else if (Message.read(event.data()) instanceof Message message) {
                    if (enough.test(message)) {
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

    // --- refusals

    void refuse(Message message, RpcError error, String why) {
        if (message instanceof Message.Request request) {
            received(error.failure(request.id(), why));
        } else if (!closed) {
            log.debug("bridge {}: a message was not taken: {}", name, why);
        }
    }

    /** Its answer is no success: what that means is the answer. */
    Message.Failure refusal(HttpResponse<?> response, InputStream body) throws IOException {
        return HttpRefusal.of(endpoint, response, body.readNBytes(HttpRefusal.LONGEST));
    }

    void refuse(Message message, HttpResponse<?> response, InputStream body) throws IOException {
        Message.Failure refusal = refusal(response, body);
        if (message instanceof Message.Request request) {
            received(refusal.withId(request.id()));
        } else {
            log.debug("bridge {}: a message was not taken: {}", name, refusal.words());
        }
    }

    String unexpected(HttpResponse<?> response) {
        String type = HttpCalls.type(response);
        return "the server at " + endpoint.shown() + " answered HTTP " + response.statusCode()
                + (type.isEmpty() ? " without content" : " of type " + type)
                + "; is there an MCP server at that address?";
    }

    String unreachable(ConnectException e) {
        return "the server at " + endpoint.shown() + " cannot be reached"
                + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }

    String broken(IOException e) {
        return "the connection to the server at " + endpoint.shown() + " broke before it answered: " + e.getMessage();
    }

    String senseless(RuntimeException e) {
        log.error("bridge {}: an answer of the server could not be dealt with", name, e);
        return "the answer of the server at " + endpoint.shown() + " makes no sense";
    }

    /** Ends all waiting; false where that was done before. */
    boolean close() {
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
        }
        threads.keySet().forEach(Thread::interrupt);
        return true;
    }
}
