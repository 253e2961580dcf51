package dev.gavel.app.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.app.config.ServerConfig;
import dev.gavel.gateway.Gateway;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.http.ConnectionLimiter;
import dev.gavel.web.http.TopicAccess;
import dev.gavel.web.http.WebConfig;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.metrics.RefusedRequestCounter;
import dev.gavel.web.registry.IdentityRegistry;
import dev.gavel.web.registry.RegistrySnapshot;
import dev.gavel.web.registry.UnwrittenRevocations;
import dev.gavel.web.sep.SepRoutes;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests what happens to the work of a request, and to the memory of its body, when the client disconnects. */
@Timeout(60)
class RequestWorkTrackerTest {
    /** The bodies of one identity take at most 256 KiB. */
    private static final int HEAP = 8 * 1024 * 1024;

    private static final int BODY = 200 * 1024;

    private final ServerEventLoops loops = ServerEventLoops.start(1, new ConnectionLimiter(80, HEAP));
    private final BlockingQueue<CompletionStage<SepResult>> work = new LinkedBlockingQueue<>();
    private SepService service = (caller, operation, arguments) -> new CompletableFuture<>();
    private int port;

    @BeforeEach
    void listen() {
        ServerConfig config = TestServer.config(TestServer.CONFIG);
        WebConfig web = config.web("test");
        Gateway gateway = new Gateway(
                Map.of(),
                List.of(),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1000, 1),
                FairExecutor.unlimited(Runnable::run),
                InstantSource.system());
        TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(InstantSource.system());
        new IdentityRegistry(
                RegistrySnapshot.of(config.identities(), Map.of()),
                Optional.empty(),
                UnwrittenRevocations.inMemory(),
                tokenAuthenticator,
                gateway::topic,
                InstantSource.system());
        Router router = Router.router(loops.vertx());
        new SepRoutes(
                        TopicAccess.of(web, gateway, tokenAuthenticator, new RefusedRequestCounter()),
                        Optional.of((caller, operation, arguments) -> {
                            CompletionStage<SepResult> started = service.execute(caller, operation, arguments);
                            work.add(started);
                            return started;
                        }),
                        identity -> CompletableFuture.completedStage(""),
                        ProposalTerms.DEFAULT)
                .mount(router);
        HttpServer server = loops.vertx()
                .createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        port = server.actualPort();
    }

    @AfterEach
    void close() {
        loops.close();
    }

    private Socket post(String identity, int bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(30_000);
        String body = "{\"document\":\"" + "a".repeat(bytes) + "\"}";
        socket.getOutputStream()
                .write(("POST /seps/lint HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + identity
                                + TestServer.SECRET + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(US_ASCII));
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read(); next >= 0 && next != '\r'; ) {
            line.append((char) next);
            next = socket.getInputStream().read();
        }
        return line.toString();
    }

    private CompletionStage<SepResult> started() throws InterruptedException {
        CompletionStage<SepResult> next = work.poll(30, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void theBodyOfADisconnectedClientCountsUntilItsWorkHasEnded() throws Exception {
        post("helper", BODY).close();
        CompletableFuture<SepResult> first = started().toCompletableFuture();

        try (Socket refused = post("helper", BODY)) {
            assertThat(statusLine(refused)).contains(" 429 ");
        }
        try (Socket ofAnother = post("bob", BODY)) {
            started().toCompletableFuture().complete(new SepResult.Success(Json.object()));
            assertThat(statusLine(ofAnother)).contains(" 200 ");
        }

        first.complete(new SepResult.Success(Json.object()));
        Awaitility.await().untilAsserted(() -> {
            try (Socket again = post("helper", BODY)) {
                CompletionStage<SepResult> next = work.poll(1, TimeUnit.SECONDS);
                assertThat(next).isNotNull();
                next.toCompletableFuture().complete(new SepResult.Success(Json.object()));
                assertThat(statusLine(again)).contains(" 200 ");
            }
        });
    }

    @Test
    void workThatHasNotStartedIsDroppedWhenTheClientDisconnects() throws Exception {
        FairExecutor executor = FairExecutor.start("test-request-work-", 1, 10);
        CountDownLatch gate = new CountDownLatch(1);
        try {
            executor.execute(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            service = (caller, operation, arguments) ->
                    executor.submit(caller.identity(), () -> (SepResult) new SepResult.Success(Json.object()));
            Socket socket = post("helper", BODY);
            CompletableFuture<SepResult> waiting = started().toCompletableFuture();

            socket.close();

            Awaitility.await().until(waiting::isCancelled);
            try (Socket next = post("helper", BODY)) {
                started();
                gate.countDown();
                assertThat(statusLine(next)).contains(" 200 ");
            }
        } finally {
            gate.countDown();
            executor.shutdown();
        }
    }
}
