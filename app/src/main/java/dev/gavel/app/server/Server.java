package dev.gavel.app.server;

import dev.gavel.app.config.Config;
import dev.gavel.app.config.Listen;
import dev.gavel.app.edge.HttpEdge;
import dev.gavel.app.identity.Identities;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.mcpx.Limits;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running gateway: {@link #start} builds the object graph, {@link #close} takes it down gently. Thread-safe. */
public final class Server implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Server.class);

    /** How long connections have to take their leave when the process ends. */
    private static final long DRAIN_MILLIS = 5_000;

    private final Vertx vertx;
    private final Gateway gateway;
    private final HttpEdge edge;
    private final Listen listen;

    private Server(Vertx vertx, Gateway gateway, HttpEdge edge, Listen listen) {
        this.vertx = vertx;
        this.gateway = gateway;
        this.edge = edge;
        this.listen = listen;
    }

    /**
     * How many event loops to run on so many cores: half of them. What the loops hand to each other costs more than a
     * second loop brings while cores are few, and the compiler, the garbage collector and the kernel need some too
     * (docs/benchmarks.md).
     */
    public static int loopsFor(int cores) {
        return Math.max(1, cores / 2);
    }

    /** Builds everything and returns once it listens. */
    public static Server start(Config config, int loops) throws IOException {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setUseDaemonThread(false));
        vertx.exceptionHandler(failure -> log.error("unexpected: {}", failure.toString()));
        try {
            Gateway gateway = new Gateway(
                    members(config),
                    loops(vertx),
                    Limits.DEFAULT.withBytes(config.limits().frame()),
                    config.limits().rate(),
                    InstantSource.system());
            Identities identities = new Identities(config.identities().values());
            HttpEdge edge = new HttpEdge(vertx, loops, config, gateway, identities);
            edge.selfTest();
            return new Server(vertx, gateway, edge, await(edge.listen()));
        } catch (CompletionException | UncheckedIOException e) {
            await(vertx.close());
            throw cannotListen(config, e.getCause() == null ? e : e.getCause());
        } catch (IOException e) {
            await(vertx.close());
            throw e;
        }
    }

    private static IOException cannotListen(Config config, Throwable cause) {
        String message = "cannot listen on " + config.listen() + ": " + cause.getMessage();
        IOException failure = cause instanceof BindException ? new BindException(message) : new IOException(message);
        failure.initCause(cause);
        return failure;
    }

    /** Where it listens; the port is the real one. */
    public Listen listen() {
        return listen;
    }

    /** Tells every connection to go elsewhere, waits a bounded time until they have, and stops. */
    @Override
    public void close() {
        gateway.drain();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
        while (edge.connections() > 0 && System.nanoTime() < end) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        // Whatever still hangs on is not waited for.
        vertx.close()
                .toCompletionStage()
                .toCompletableFuture()
                .completeOnTimeout(null, DRAIN_MILLIS, TimeUnit.MILLISECONDS)
                .join();
    }

    private static Map<String, List<Member>> members(Config config) {
        Map<String, List<Member>> members = new LinkedHashMap<>();
        config.topics()
                .forEach((name, topic) -> members.put(
                        name,
                        topic.members().entrySet().stream()
                                .map(entry -> new Member(entry.getKey(), entry.getValue()))
                                .toList()));
        return members;
    }

    private static List<EventLoop> loops(Vertx vertx) {
        List<EventLoop> loops = new ArrayList<>();
        ((VertxInternal) vertx).eventLoopGroup().forEach(executor -> loops.add((EventLoop) executor));
        return loops;
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
