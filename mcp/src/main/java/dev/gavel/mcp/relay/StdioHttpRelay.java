package dev.gavel.mcp.relay;

import dev.gavel.mcp.client.BoundedLineReader;
import dev.gavel.mcp.client.McpHttpEndpoint;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.client.StreamableHttpTransport;
import dev.gavel.mcp.rpc.MalformedRpcMessage;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.RpcMessageReader;
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
 * Relays a stdio client's messages to a Streamable HTTP server and back, and restores lost sessions and broken listen
 * streams. Where the server has forgotten the session, it is begun again the way the client began it, and where a
 * stream of changes broke, it is opened again; nobody notices. Thread-safe.
 */
public final class StdioHttpRelay implements AutoCloseable {
    /** How many messages wait while a session is begun again. */
    private static final int MAX_QUEUED = 1000;

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(3);

    /** The id of an initialisation that is repeated; the client has seen its answer before. */
    private static final String REINITIALIZE_ID = "\"gavel:initialize-again\"";

    private final InputStream in;
    private final OutputStream out;
    private final Consumer<String> problemListener;
    private final StreamableHttpTransport server;

    // Guarded by this.
    private RpcMessage.@Nullable Request initializeRequest;
    private boolean reinitializing;
    private final List<RpcMessage> queued = new ArrayList<>();
    private boolean outputClosed;
    private String lastProblem = "";
    private final Set<String> openRequestIds = new HashSet<>();

    private final RelayedListenRequests listenRequests = new RelayedListenRequests();

    /**
     * A relay between a client and a server.
     *
     * @param in what the client writes
     * @param out what the client reads, and nothing but messages
     * @param complaints told what goes wrong, a line each
     */
    public StdioHttpRelay(McpHttpEndpoint endpoint, InputStream in, OutputStream out, Consumer<String> complaints) {
        this.in = in;
        this.out = out;
        this.problemListener = complaints;
        this.server = new StreamableHttpTransport("relay", endpoint, new RelayConnectionListener());
    }

    /** Carries messages until the client says no more; then ends the session. */
    public void run() throws IOException {
        server.open(new ServerReceiver());
        try {
            BoundedLineReader boundedLineReader = new BoundedLineReader(in, RpcMessageReader.DEFAULT.maxLength());
            for (BoundedLineReader.Line line = boundedLineReader.next();
                    line != null && !isOutputClosed();
                    line = boundedLineReader.next()) {
                if (line.length() > 0) {
                    forwardLine(line);
                }
            }
            awaitAnswers();
        } finally {
            server.close();
        }
    }

    /** A client that says no more may still read; but not for ever, and what takes longer ends with the session. */
    private synchronized void awaitAnswers() {
        long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        try {
            for (long left = DRAIN_TIMEOUT.toNanos();
                    left > 0 && !outputClosed && !openRequestIds.isEmpty();
                    left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void onAnswered(String id) {
        openRequestIds.remove(id);
        notifyAll();
    }

    /** Ends the session, whatever the client still says. */
    @Override
    public void close() {
        server.close();
    }

    private void forwardLine(BoundedLineReader.Line line) throws IOException {
        if (!line.isComplete()) {
            write(RpcErrorCode.INVALID_REQUEST.toResponse(
                    "null",
                    "the line is " + line.length() + " bytes long; at most " + RpcMessageReader.DEFAULT.maxLength()
                            + " are taken"));
            return;
        }
        switch (RpcMessage.read(line.bytes())) {
            case MalformedRpcMessage malformedRpcMessage -> write(malformedRpcMessage.toResponse());
            case RpcMessage message -> {
                track(message);
                if (!queueIfReinitializing(message)) {
                    server.send(message);
                }
            }
        }
    }

    private synchronized void track(RpcMessage message) {
        switch (message) {
            case RpcMessage.Request request -> {
                // What stays open is not waited for.
                if (!listenRequests.registerIfListen(request)) {
                    openRequestIds.add(request.id());
                }
                initializeRequest = request.method().equals("initialize") ? request : initializeRequest;
            }
            // Such a call is not answered any more.
            case RpcMessage.Notification notification
            when notification.method().equals("notifications/cancelled") ->
                notification
                        .params()
                        .flatMap(raw -> RawJsonEditor.at(raw, "requestId"))
                        .ifPresent(id -> {
                            listenRequests.remove(id);
                            onAnswered(id);
                        });
            case RpcMessage.Notification _, RpcMessage.Response _ -> {}
        }
    }

    private synchronized boolean queueIfReinitializing(RpcMessage message) {
        // What stands for itself needs no session.
        boolean alone = message instanceof RpcMessage.Request request && StreamableHttpTransport.isStateless(request);
        if (reinitializing && !alone && queued.size() < MAX_QUEUED) {
            queued.add(message);
            return true;
        }
        return false;
    }

    private void write(RpcMessage message) {
        byte[] line = message.bytes();
        synchronized (out) {
            try {
                out.write(line);
                out.write('\n');
                out.flush();
            } catch (IOException e) {
                onOutputClosed();
            }
        }
        if (message instanceof RpcMessage.Response response) {
            onAnswered(response.id());
        }
    }

    /** Nobody reads any more: what the client writes is of no use then. */
    private synchronized void onOutputClosed() {
        outputClosed = true;
        notifyAll();
    }

    private synchronized boolean isOutputClosed() {
        return outputClosed;
    }

    /** Says something went wrong, once until something else does. */
    private void reportProblem(String why) {
        synchronized (this) {
            if (why.equals(lastProblem)) {
                return;
            }
            lastProblem = why;
        }
        problemListener.accept(why);
    }

    private final class ServerReceiver implements McpTransport.Receiver {
        @Override
        public void onMessage(RpcMessage message) {
            if (message instanceof RpcMessage.Response response && response.id().equals(REINITIALIZE_ID)) {
                onReinitialized(response);
                return;
            }
            if (message instanceof RpcMessage.ErrorResponse errorResponse
                    && (errorResponse.code() == RpcErrorCode.UNAVAILABLE.code()
                            || errorResponse.code() == RpcErrorCode.FORBIDDEN.code())) {
                reportProblem(errorResponse.message());
            }
            switch (message) {
                case RpcMessage.Notification notification ->
                    listenRequests.onNotification(notification).forEach(StdioHttpRelay.this::write);
                case RpcMessage.Response response -> {
                    listenRequests.remove(response.id());
                    write(response);
                }
                case RpcMessage.Request request -> write(request);
            }
        }

        @Override
        public void onClose(String why) {
            reportProblem(why);
        }
    }

    private final class RelayConnectionListener implements StreamableHttpTransport.ConnectionListener {
        @Override
        public void onSessionExpired(Optional<RpcMessage> refused) {
            RpcMessage.Request again;
            synchronized (StdioHttpRelay.this) {
                RpcMessage.Request first = initializeRequest;
                boolean repeated = refused.isPresent()
                        && refused.get() instanceof RpcMessage.Request request
                        && request.id().equals(REINITIALIZE_ID);
                if (first == null || repeated) {
                    return;
                }
                refused.ifPresent(queued::add);
                if (reinitializing) {
                    return;
                }
                reinitializing = true;
                again = new RpcMessage.Request(REINITIALIZE_ID, first.method(), first.params());
            }
            server.resetSession();
            send(again);
        }

        @Override
        public void onUnreachable(String why) {
            reportProblem(why);
        }

        @Override
        public boolean onStreamBroken(RpcMessage.Request request, String why) {
            Optional<Duration> wait = listenRequests.retryDelay(request.id());
            wait.ifPresent(time -> {
                reportProblem(why);
                Thread.ofVirtual().name("relay listen").start(() -> reopenListen(request, time));
            });
            return wait.isPresent();
        }
    }

    private void reopenListen(RpcMessage.Request request, Duration after) {
        try {
            Thread.sleep(after);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (listenRequests.isOpen(request.id())) {
            send(request);
        }
    }

    /** The session is begun again, or cannot be: what was held back goes on, and is answered by whoever can. */
    private void onReinitialized(RpcMessage.Response response) {
        List<RpcMessage> held;
        if (response instanceof RpcMessage.ResultResponse) {
            send(new RpcMessage.Notification("notifications/initialized", Optional.empty()));
        }
        synchronized (this) {
            reinitializing = false;
            held = new ArrayList<>(queued);
            queued.clear();
        }
        for (RpcMessage message : held) {
            switch (response) {
                case RpcMessage.ResultResponse _ -> send(message);
                case RpcMessage.ErrorResponse errorResponse -> {
                    if (message instanceof RpcMessage.Request request) {
                        write(errorResponse.withId(request.id()));
                    }
                }
            }
        }
    }

    private void send(RpcMessage message) {
        try {
            server.send(message);
        } catch (IOException e) {
            if (message instanceof RpcMessage.Request request) {
                write(RpcErrorCode.UNAVAILABLE.toResponse(request.id(), String.valueOf(e.getMessage())));
            }
        }
    }
}
