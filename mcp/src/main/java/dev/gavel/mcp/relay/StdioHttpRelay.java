package dev.gavel.mcp.relay;

import dev.gavel.mcp.client.BoundedLineReader;
import dev.gavel.mcp.client.HttpServerTarget;
import dev.gavel.mcp.client.McpTransport;
import dev.gavel.mcp.client.StreamableHttpTransport;
import dev.gavel.mcp.rpc.MalformedRpcMessage;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcp.rpc.RpcMessageParser;
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
 * Connects an MCP client on standard input and output to a Streamable HTTP server, and restores lost sessions and
 * broken listen streams. It repeats the client's own {@code initialize} request to restore a session, and the client
 * does not notice. Thread-safe.
 */
public final class StdioHttpRelay implements AutoCloseable {
    /** How many messages are queued while a session is being restored. */
    private static final int MAX_QUEUED = 1000;

    /** The gateway sends answers up to 64 MiB ({@code limits.answer}), in a message that is slightly longer. */
    private static final int MAX_MESSAGE_BYTES = 65 * 1024 * 1024;

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(3);

    /** The id of a repeated {@code initialize} request. Its response is not passed to the client. */
    private static final String REINITIALIZE_ID = "\"gavel:initialize-again\"";

    private final InputStream in;
    private final OutputStream out;
    private final Consumer<String> problemListener;
    private final StreamableHttpTransport server;

    // Guarded by this.
    private RpcMessage.@Nullable Request initializeRequest;
    private boolean reinitializing;
    private final List<RpcMessage> queuedMessages = new ArrayList<>();
    private boolean outputClosed;
    private String lastProblem = "";
    private final Set<String> openRequestIds = new HashSet<>();

    private final RelayedListenRequests listenRequests = new RelayedListenRequests();
    private final RelayedDiscoverRequests discoverRequests;

    /**
     * Creates a relay between a client and a server.
     *
     * @param in the client's output
     * @param out the client's input; receives only messages
     * @param discoverResponder answers {@code server/discover} if the server does not answer it in time
     * @param problemListener receives each problem as one line
     */
    public StdioHttpRelay(
            HttpServerTarget endpoint,
            InputStream in,
            OutputStream out,
            DiscoverResponder discoverResponder,
            Consumer<String> problemListener) {
        this.in = in;
        this.out = out;
        this.problemListener = problemListener;
        this.server = new StreamableHttpTransport("relay", endpoint, MAX_MESSAGE_BYTES, new RelayConnectionListener());
        this.discoverRequests = new RelayedDiscoverRequests(discoverResponder, this::write);
    }

    /** Relays messages until the client closes its output, then ends the session. */
    public void run() throws IOException {
        server.open(new ServerReceiver());
        try {
            BoundedLineReader boundedLineReader = new BoundedLineReader(in, RpcMessageParser.DEFAULT.maxLength());
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

    /**
     * Waits for open requests: a client that has closed its output may still read. The time is bounded, and requests
     * that take longer end with the session.
     */
    private synchronized void awaitAnswers() {
        long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
        try {
            for (long remainingNanos = DRAIN_TIMEOUT.toNanos();
                    remainingNanos > 0 && !outputClosed && !openRequestIds.isEmpty();
                    remainingNanos = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, remainingNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void onAnswered(String id) {
        openRequestIds.remove(id);
        notifyAll();
    }

    /** Ends the session, even if the client has not closed its output. */
    @Override
    public void close() {
        server.close();
    }

    private void forwardLine(BoundedLineReader.Line line) throws IOException {
        if (!line.isComplete()) {
            write(RpcErrorCode.INVALID_REQUEST.toResponse(
                    "null",
                    "The line has " + line.length() + " bytes. The limit is " + RpcMessageParser.DEFAULT.maxLength()
                            + " bytes."));
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
                // A listen request stays open, so the relay does not wait for its response.
                if (!listenRequests.registerIfListen(request)) {
                    openRequestIds.add(request.id());
                }
                discoverRequests.registerIfDiscover(request);
                initializeRequest = request.method().equals("initialize") ? request : initializeRequest;
            }
            // A cancelled request gets no response.
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
        // A stateless request needs no session.
        boolean stateless =
                message instanceof RpcMessage.Request request && StreamableHttpTransport.isStateless(request);
        if (reinitializing && !stateless && queuedMessages.size() < MAX_QUEUED) {
            queuedMessages.add(message);
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

    /** Records that the client does not read any more, so that its messages need not be relayed either. */
    private synchronized void onOutputClosed() {
        outputClosed = true;
        notifyAll();
    }

    private synchronized boolean isOutputClosed() {
        return outputClosed;
    }

    /** Reports a problem, unless it is the same as the last one. */
    private void reportProblem(String problem) {
        synchronized (this) {
            if (problem.equals(lastProblem)) {
                return;
            }
            lastProblem = problem;
        }
        problemListener.accept(problem);
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
                    if (discoverRequests.acceptResponse(response.id())) {
                        write(response);
                    }
                }
                case RpcMessage.Request request -> write(request);
            }
        }

        @Override
        public void onClose(String problem) {
            reportProblem(problem);
        }
    }

    private final class RelayConnectionListener implements StreamableHttpTransport.ConnectionListener {
        @Override
        public void onSessionExpired(Optional<RpcMessage> refused) {
            RpcMessage.Request repeatedRequest;
            synchronized (StdioHttpRelay.this) {
                RpcMessage.Request first = initializeRequest;
                boolean isRepeated = refused.isPresent()
                        && refused.get() instanceof RpcMessage.Request request
                        && request.id().equals(REINITIALIZE_ID);
                if (first == null || isRepeated) {
                    return;
                }
                refused.ifPresent(queuedMessages::add);
                if (reinitializing) {
                    return;
                }
                reinitializing = true;
                repeatedRequest = new RpcMessage.Request(REINITIALIZE_ID, first.method(), first.params());
            }
            server.resetSession();
            send(repeatedRequest);
        }

        @Override
        public void onUnreachable(String problem) {
            reportProblem(problem);
        }

        @Override
        public boolean onStreamBroken(RpcMessage.Request request, String problem) {
            Optional<Duration> delay = listenRequests.retryDelay(request.id());
            delay.ifPresent(time -> {
                reportProblem(problem);
                Thread.ofVirtual().name("relay listen").start(() -> reopenListen(request, time));
            });
            return delay.isPresent();
        }
    }

    private void reopenListen(RpcMessage.Request request, Duration delay) {
        try {
            Thread.sleep(delay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (listenRequests.isOpen(request.id())) {
            send(request);
        }
    }

    /**
     * Handles the response to the repeated {@code initialize}: sends the queued messages, or fails them if the session
     * could not be restored.
     */
    private void onReinitialized(RpcMessage.Response response) {
        List<RpcMessage> messages;
        if (response instanceof RpcMessage.ResultResponse) {
            send(new RpcMessage.Notification("notifications/initialized", Optional.empty()));
        }
        synchronized (this) {
            reinitializing = false;
            messages = new ArrayList<>(queuedMessages);
            queuedMessages.clear();
        }
        for (RpcMessage message : messages) {
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
