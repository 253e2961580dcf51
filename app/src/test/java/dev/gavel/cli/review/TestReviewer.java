package dev.gavel.cli.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandEnvironment;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.terminal.KeyDecoder;
import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A reviewer at a test display: presses keys and reads what is shown. */
public final class TestReviewer implements AutoCloseable {
    private final BlockingQueue<ReviewSessionEvent> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> processed = new LinkedBlockingQueue<>();
    private final TestDisplay display = new TestDisplay(100, 30);
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final RemoteGateway gateway;
    private final ReviewFeed feed;
    private final ReviewQueue reviewQueue;

    public TestReviewer(String url, String identity, String topic, Map<String, String> environment) throws Exception {
        gateway = new RemoteGateway(new GatewayEndpoint(URI.create(url), Optional.of(identity + TestServer.SECRET)));
        CommandOutput commandOutput = new CommandOutput(
                new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false, true, () -> 80);
        CommandEnvironment here = new CommandEnvironment(environment::get, Path.of(""), true, ZoneOffset.UTC);
        reviewQueue = new ReviewQueue(gateway, topic);
        feed = ReviewFeed.open(gateway, topic, events);
        ReviewSession reviewSession =
                new ReviewSession(new ClientCommandContext(gateway, commandOutput, here), display, reviewQueue, events);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                reviewSession.run(processed::add);
                end.complete(null);
            } catch (Exception | Error e) {
                end.completeExceptionally(e);
            }
        });
    }

    TestDisplay canvas() {
        return display;
    }

    /** The decisions made, in words. */
    List<String> decisionTexts() {
        return reviewQueue.decisions();
    }

    /** Presses keys and waits until they are processed; returns whether keys typed in the meantime must be dropped. */
    public boolean type(String keys) throws InterruptedException {
        events.add(new ReviewSessionEvent.KeysPressed(new KeyDecoder().decode(keys.getBytes(StandardCharsets.UTF_8))));
        Boolean drop = processed.poll(20, TimeUnit.SECONDS);
        assertThat(drop).as("the keys are taken").isNotNull();
        return drop;
    }

    /** As {@link #type}, without checked exceptions. */
    void typeUnchecked(String keys) {
        try {
            type(keys);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until the display shows these texts. */
    public TestReviewer awaitShown(String... texts) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(display.shown()).contains(texts));
        return this;
    }

    void awaitEnd() throws Exception {
        end.get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        events.add(new ReviewSessionEvent.TerminalClosed());
        feed.close();
        gateway.close();
    }
}
