package dev.gavel.mcp.relay;

import dev.gavel.mcp.rpc.Malformed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.MessageReader;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Endpoint;
import dev.gavel.mcp.session.Lines;
import dev.gavel.mcp.session.StreamableHttp;
import dev.gavel.mcp.session.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Carries an MCP client's lines to a server over Streamable HTTP and the server's messages back, in whichever version each is.
 * Where the server has forgotten the session, it is begun again the way the client began it, and where a stream of changes broke,
 * it is opened again; nobody notices. Thread-safe.
 */
public final class Relay implements AutoCloseable {
    /** How many messages wait while a session is begun again. */
    private static final int MOST_WAITING = 1000;

    private static final Duration FAREWELL = Duration.ofSeconds(3);

    /** The id of an initialisation that is repeated; the client has seen its answer before. */
    private static final String AGAIN = "\"gavel:initialize-again\"";

    private final InputStream in;
    private final OutputStream out;
    private final Consumer<String> complaints;
    private final StreamableHttp server;

    // Guarded by this.
    private Message.@Nullable Request initialise;
    private boolean beginning;
    private final List<Message> waiting = new ArrayList<>();
    private boolean unread;
    private String lastComplaint = "";
    private final Set<String> unanswered = new HashSet<>();

    private final Listens listens = new Listens();

    /**
     * A relay between a client and a server.
     *
     * @param in what the client writes
     * @param out what the client reads, and nothing but messages
     * @param complaints told what goes wrong, a line each
     */
    public Relay(Endpoint endpoint, InputStream in, OutputStream out, Consumer<String> complaints) {
        this.in = in;
        this.out = out;
        this.complaints = complaints;
        this.server = new StreamableHttp("relay", endpoint, new Troubles());
    }

    /** Carries messages until the client says no more; then ends the session. */
    public void run() throws IOException {
        server.open(new Ears());
        try {
            Lines lines = new Lines(in, MessageReader.USUAL.longest());
            for (Lines.Line line = lines.next(); line != null && !isUnread(); line = lines.next()) {
                if (line.length() > 0) {
                    take(line);
                }
            }
            awaitAnswers();
        } finally {
            server.close();
        }
    }

    /** A client that says no more may still read; but not for ever, and what takes longer ends with the session. */
    private synchronized void awaitAnswers() {
        long end = System.nanoTime() + FAREWELL.toNanos();
        try {
            for (long left = FAREWELL.toNanos();
                    left > 0 && !unread && !unanswered.isEmpty();
                    left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void settle(String id) {
        unanswered.remove(id);
        notifyAll();
    }

    /** Ends the session, whatever the client still says. */
    @Override
    public void close() {
        server.close();
    }

    private void take(Lines.Line line) throws IOException {
        if (!line.whole()) {
            write(RpcError.INVALID_REQUEST.failure(
                    "null",
                    "the line is " + line.length() + " bytes long; at most " + MessageReader.USUAL.longest()
                            + " are taken"));
            return;
        }
        switch (Message.read(line.bytes())) {
            case Malformed malformed -> write(malformed.failure());
            case Message message -> {
                note(message);
                if (!isHeldBack(message)) {
                    server.send(message);
                }
            }
        }
    }

    private synchronized void note(Message message) {
        switch (message) {
            case Message.Request request -> {
                // What stays open is not waited for.
                if (!listens.begins(request)) {
                    unanswered.add(request.id());
                }
                initialise = request.method().equals("initialize") ? request : initialise;
            }
            // Such a call is not answered any more.
            case Message.Notification notification
            when notification.method().equals("notifications/cancelled") ->
                notification
                        .params()
                        .flatMap(raw -> RawJson.at(raw, "requestId"))
                        .ifPresent(id -> {
                            listens.ends(id);
                            settle(id);
                        });
            case Message.Notification _, Message.Answer _ -> {}
        }
    }

    private synchronized boolean isHeldBack(Message message) {
        // What stands for itself needs no session.
        boolean alone = message instanceof Message.Request request && StreamableHttp.isStateless(request);
        if (beginning && !alone && waiting.size() < MOST_WAITING) {
            waiting.add(message);
            return true;
        }
        return false;
    }

    private void write(Message message) {
        byte[] line = message.bytes();
        synchronized (out) {
            try {
                out.write(line);
                out.write('\n');
                out.flush();
            } catch (IOException e) {
                stopReading();
            }
        }
        if (message instanceof Message.Answer answer) {
            settle(answer.id());
        }
    }

    /** Nobody reads any more: what the client writes is of no use then. */
    private synchronized void stopReading() {
        unread = true;
        notifyAll();
    }

    private synchronized boolean isUnread() {
        return unread;
    }

    /** Says something went wrong, once until something else does. */
    private void complain(String why) {
        synchronized (this) {
            if (why.equals(lastComplaint)) {
                return;
            }
            lastComplaint = why;
        }
        complaints.accept(why);
    }

    private final class Ears implements Transport.Receiver {
        @Override
        public void received(Message message) {
            if (message instanceof Message.Answer answer && answer.id().equals(AGAIN)) {
                began(answer);
                return;
            }
            if (message instanceof Message.Failure failure
                    && (failure.code() == RpcError.UNAVAILABLE.code() || failure.code() == RpcError.FORBIDDEN.code())) {
                complain(failure.words());
            }
            switch (message) {
                case Message.Notification notification ->
                    listens.heard(notification).forEach(Relay.this::write);
                case Message.Answer answer -> {
                    listens.ends(answer.id());
                    write(answer);
                }
                case Message.Request request -> write(request);
            }
        }

        @Override
        public void lost(String why) {
            complain(why);
        }
    }

    private final class Troubles implements StreamableHttp.Troubles {
        @Override
        public void expelled(Optional<Message> refused) {
            Message.Request again;
            synchronized (Relay.this) {
                Message.Request first = initialise;
                boolean repeated = refused.isPresent()
                        && refused.get() instanceof Message.Request request
                        && request.id().equals(AGAIN);
                if (first == null || repeated) {
                    return;
                }
                refused.ifPresent(waiting::add);
                if (beginning) {
                    return;
                }
                beginning = true;
                again = new Message.Request(AGAIN, first.method(), first.params());
            }
            server.restart();
            send(again);
        }

        @Override
        public void unreachable(String why) {
            complain(why);
        }

        @Override
        public boolean broke(Message.Request request, String why) {
            Optional<Duration> wait = listens.broke(request.id());
            wait.ifPresent(time -> {
                complain(why);
                Thread.ofVirtual().name("relay listen").start(() -> listenAgain(request, time));
            });
            return wait.isPresent();
        }
    }

    private void listenAgain(Message.Request request, Duration after) {
        try {
            Thread.sleep(after);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (listens.isOpen(request.id())) {
            send(request);
        }
    }

    /** The session is begun again, or cannot be: what was held back goes on, and is answered by whoever can. */
    private void began(Message.Answer answer) {
        List<Message> held;
        if (answer instanceof Message.Response) {
            send(new Message.Notification("notifications/initialized", Optional.empty()));
        }
        synchronized (this) {
            beginning = false;
            held = new ArrayList<>(waiting);
            waiting.clear();
        }
        for (Message message : held) {
            switch (answer) {
                case Message.Response _ -> send(message);
                case Message.Failure failure -> {
                    if (message instanceof Message.Request request) {
                        write(failure.withId(request.id()));
                    }
                }
            }
        }
    }

    private void send(Message message) {
        try {
            server.send(message);
        } catch (IOException e) {
            if (message instanceof Message.Request request) {
                write(RpcError.UNAVAILABLE.failure(request.id(), String.valueOf(e.getMessage())));
            }
        }
    }
}
