package dev.gavel.app.server;

import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.web.http.LimitedTransport;
import dev.gavel.web.socket.WebSocketPipelineStartupChecker;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the server's Vert.x event loops and checks its WebSocket handlers in the background, while the rest of the
 * server starts. Sequentially, these would be most of a gateway's startup time. Thread-safe.
 */
public final class ServerEventLoops implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ServerEventLoops.class);

    private final int loops;
    private final ConnectionLimiter connectionLimiter;
    private final CompletableFuture<Vertx> started;
    private final CompletableFuture<Void> selfTest;

    private ServerEventLoops(int loops, ConnectionLimiter connectionLimiter) {
        this.loops = loops;
        this.connectionLimiter = connectionLimiter;
        this.started = new CompletableFuture<>();
        this.selfTest = started.thenAccept(ServerEventLoops::runSelfTest);
    }

    /** Starts in the background; failures are reported to the caller that requests the loops. */
    public static ServerEventLoops start(int loops) {
        return start(loops, new ConnectionLimiter());
    }

    /** Like {@link #start(int)}, with this limiter for the connections. */
    public static ServerEventLoops start(int loops, ConnectionLimiter connectionLimiter) {
        ServerEventLoops serverEventLoops = new ServerEventLoops(loops, connectionLimiter);
        Thread.ofPlatform().daemon().name("gavel-starting").start(serverEventLoops::run);
        return serverEventLoops;
    }

    private void run() {
        try {
            Vertx vertx = Vertx.builder()
                    .with(new VertxOptions().setEventLoopPoolSize(loops).setUseDaemonThread(false))
                    .withTransport(new LimitedTransport(connectionLimiter))
                    .build();
            vertx.exceptionHandler(failure -> log.error("Unexpected error: {}", failure.toString()));
            started.complete(vertx);
        } catch (RuntimeException | LinkageError e) {
            started.completeExceptionally(e);
        }
    }

    private static void runSelfTest(Vertx vertx) {
        try {
            WebSocketPipelineStartupChecker.run(vertx);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Vertx vertx() {
        return started.join();
    }

    /** Limits the connections that the loops accept; has the default limits until it is configured. */
    ConnectionLimiter connectionLimiter() {
        return connectionLimiter;
    }

    /** The number of event loops. */
    int size() {
        return loops;
    }

    List<EventLoop> loops() {
        List<EventLoop> all = new ArrayList<>();
        ((VertxInternal) vertx()).eventLoopGroup().forEach(executor -> all.add((EventLoop) executor));
        return all;
    }

    /** Waits for the pipeline check, and fails if the pipeline does not work. */
    void awaitSelfTest() throws IOException {
        try {
            selfTest.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UncheckedIOException failure) {
                throw failure.getCause();
            }
            throw e;
        }
    }

    /** Stops the loops after a running check. */
    @Override
    public void close() {
        selfTest.handle((nothing, failure) -> failure == null).join();
        if (!started.isCompletedExceptionally()) {
            vertx().close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
