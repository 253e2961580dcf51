package dev.gavel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.app.terminal.KeyDecoder;
import dev.gavel.client.http.Access;
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

/** Somebody who reviews: presses keys, sees what is on the screen. */
final class TestReview implements AutoCloseable {
    private final BlockingQueue<ReviewEvent> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<Boolean> taken = new LinkedBlockingQueue<>();
    private final TestCanvas canvas = new TestCanvas(100, 30);
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final RemoteGateway gateway;
    private final ReviewFeed feed;
    private final ReviewDesk desk;

    TestReview(String url, String identity, String topic, Map<String, String> environment) throws Exception {
        gateway = new RemoteGateway(new Access(URI.create(url), Optional.of(identity + TestServer.SECRET)));
        Screen screen = new Screen(
                new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false, false, true, () -> 80);
        Surroundings here = new Surroundings(environment::get, Path.of(""), true, ZoneOffset.UTC);
        desk = new ReviewDesk(gateway, topic);
        feed = ReviewFeed.open(gateway, topic, events);
        Review review = new Review(new Client(gateway, screen, here), canvas, desk, events);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                review.run(taken::add);
                end.complete(null);
            } catch (Exception | Error e) {
                end.completeExceptionally(e);
            }
        });
    }

    TestCanvas canvas() {
        return canvas;
    }

    /** What was decided, in words. */
    List<String> decided() {
        return desk.decided();
    }

    /** Types; returns once that was dealt with, and says whether what is typed meanwhile is to be dropped. */
    boolean type(String keys) throws InterruptedException {
        events.add(new ReviewEvent.Pressed(new KeyDecoder().keys(keys.getBytes(StandardCharsets.UTF_8))));
        Boolean drop = taken.poll(20, TimeUnit.SECONDS);
        assertThat(drop).as("the keys are taken").isNotNull();
        return drop;
    }

    /** The same where no exception may pass. */
    void typing(String keys) {
        try {
            type(keys);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits until that is on the screen. */
    TestReview sees(String... texts) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(10))
                .untilAsserted(() -> assertThat(canvas.shown()).contains(texts));
        return this;
    }

    void ends() throws Exception {
        end.get(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        events.add(new ReviewEvent.HungUp());
        feed.close();
        gateway.close();
    }
}
