package dev.gavel.sep.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests the sender with a real HTTP server whose responses each test defines. */
class NotificationSenderTest {
    /** The server's response to a request; requests are counted from 1. */
    private interface Behaviour {
        void answer(int request, HttpExchange exchange) throws IOException;
    }

    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private final List<Long> receivedSeqs = new CopyOnWriteArrayList<>();
    private final List<Duration> waits = new CopyOnWriteArrayList<>();
    private final List<SepNotificationReader.Entry> entries = new CopyOnWriteArrayList<>();
    private final Map<String, Long> bookmarks = new ConcurrentHashMap<>();
    private HttpServer server;

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private void serve(String path, Behaviour behaviour) {
        server.createContext(path, exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            behaviour.answer(requests.incrementAndGet(), exchange);
            if (exchange.getResponseCode() == 200) {
                receivedSeqs.add(Json.parse(new String(body, StandardCharsets.UTF_8))
                        .orElseThrow()
                        .at("seq")
                        .asLong(-1));
            }
        });
    }

    private static void status(HttpExchange exchange, int status) throws IOException {
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private void happens(long first, long last) {
        LongStream.rangeClosed(first, last)
                .forEach(seq -> entries.add(new SepNotificationReader.Entry(
                        seq, Optional.of(NotificationFixtures.notice("Streams", "Sponsor it.", new Person("mo"))))));
    }

    private final DeliveryCursorStore deliveryCursorStore = new DeliveryCursorStore() {
        @Override
        public long position(String hook, LongSupplier start) {
            return bookmarks.getOrDefault(hook, 0L);
        }

        @Override
        public void advance(String hook, long seq) {
            bookmarks.put(hook, seq);
        }
    };

    private List<SepNotificationReader.Entry> after(long seq, int most) {
        return entries.stream().filter(entry -> entry.seq() > seq).limit(most).toList();
    }

    private static List<WebhookChannel> channels(Duration answer, Webhook... hooks) {
        return Stream.of(hooks)
                .map(hook -> new WebhookChannel(hook, Map.of(), answer))
                .toList();
    }

    private NotificationSender sender(Duration answer, Webhook... hooks) {
        NotificationSender sender = new NotificationSender(
                channels(answer, hooks),
                List.<SepNotificationReader>of(this::after),
                deliveryCursorStore,
                new DeliveryRetryPolicy(answer, Duration.ofSeconds(2), Duration.ofMinutes(10), 6, waits::add),
                () -> true);
        sender.start();
        return sender;
    }

    private NotificationSender sender(String path) {
        server.start();
        return sender(Duration.ofSeconds(10), Webhook.of(url(path)));
    }

    private void awaitTaken(Long... seqs) {
        await().untilAsserted(() -> assertThat(receivedSeqs).containsExactly(seqs));
    }

    private void awaitBookmark(String path, long seq) {
        await().untilAsserted(() ->
                assertThat(bookmarks).containsEntry(Webhook.of(url(path)).id(), seq));
    }

    @Test
    void everythingIsToldOnceAndInOrderAlsoWhatHappensLater() {
        serve("/hook", (_, exchange) -> status(exchange, 200));
        happens(1, 3);
        entries.add(new SepNotificationReader.Entry(4, Optional.empty()));
        try (NotificationSender sender = sender("/hook")) {
            awaitTaken(1L, 2L, 3L);
            happens(5, 5);
            sender.wake();
            awaitTaken(1L, 2L, 3L, 5L);
            awaitBookmark("/hook", 5);
        }
        assertThat(waits).isEmpty();
    }

    @Test
    void whatNobodyIsToldOfIsPassedOver() {
        serve("/hook", (_, exchange) -> status(exchange, 200));
        LongStream.rangeClosed(1, 250)
                .forEach(seq -> entries.add(new SepNotificationReader.Entry(seq, Optional.empty())));
        happens(251, 251);
        try (NotificationSender _ = sender("/hook")) {
            awaitTaken(251L);
        }
    }

    @Test
    void anotherStartGoesOnWhereTheLastEnded() {
        serve("/hook", (_, exchange) -> status(exchange, 200));
        happens(1, 2);
        try (NotificationSender _ = sender("/hook")) {
            awaitBookmark("/hook", 2);
        }
        happens(3, 3);
        try (NotificationSender _ = sender(Duration.ofSeconds(10), Webhook.of(url("/hook")))) {
            awaitTaken(1L, 2L, 3L);
        }
    }

    @Test
    void whatWasNotTakenWhenItEndedIsToldAfterTheNextStart() {
        serve("/hook", (request, exchange) -> {
            if (request == 1) {
                awaitOver();
            } else {
                status(exchange, 200);
            }
        });
        happens(1, 1);
        try (NotificationSender _ = sender("/hook")) {
            await().until(() -> requests.get() == 1);
        }
        try (NotificationSender _ = sender(Duration.ofSeconds(10), Webhook.of(url("/hook")))) {
            awaitTaken(1L);
        }
    }

    @Test
    void aServerThatFailsIsTriedAgainEachTimeLater() {
        serve("/hook", (request, exchange) -> status(exchange, request <= 3 ? 503 : 200));
        happens(1, 2);
        try (NotificationSender _ = sender("/hook")) {
            awaitTaken(1L, 2L);
        }
        assertThat(waits).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8));
    }

    @Test
    void aServerThatSaysWhenIsWaitedForButNotForEver() {
        serve("/hook", (request, exchange) -> {
            switch (request) {
                case 1 -> exchange.getResponseHeaders().add("Retry-After", "30.5");
                case 2 -> exchange.getResponseHeaders().add("Retry-After", "86400");
                case 3 -> exchange.getResponseHeaders().add("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT");
                default -> {}
            }
            status(exchange, request <= 3 ? 429 : 200);
        });
        happens(1, 1);
        try (NotificationSender _ = sender("/hook")) {
            awaitTaken(1L);
        }
        assertThat(waits).containsExactly(Duration.ofMillis(30_500), Duration.ofMinutes(10), Duration.ofSeconds(8));
    }

    @Test
    void aServerThatHangsOrClosesIsTriedAgain() {
        serve("/hook", (request, exchange) -> {
            switch (request) {
                case 1 -> awaitOver();
                case 2 -> exchange.close();
                default -> status(exchange, 200);
            }
        });
        happens(1, 1);
        server.start();
        try (NotificationSender _ = sender(Duration.ofSeconds(1), Webhook.of(url("/hook")))) {
            // On a busy machine a response may arrive after the timeout and the post is repeated, so it is received at
            // least once.
            await().untilAsserted(() -> assertThat(receivedSeqs).contains(1L));
        }
        assertThat(waits).startsWith(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void anAnswerWithoutEndIsNotWaitedFor() {
        serve("/hook", (_, exchange) -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
        });
        happens(1, 2);
        try (NotificationSender _ = sender("/hook")) {
            awaitTaken(1L, 2L);
        }
    }

    @Test
    void aNoIsTakenForANoAndTheNextIsTold() {
        serve("/hook", (request, exchange) -> status(exchange, request == 1 ? 404 : 200));
        happens(1, 2);
        try (NotificationSender _ = sender("/hook")) {
            awaitTaken(2L);
            awaitBookmark("/hook", 2);
        }
        assertThat(waits).isEmpty();
    }

    @Test
    void noRedirectIsFollowed() {
        AtomicInteger elsewhere = new AtomicInteger();
        serve("/elsewhere", (_, exchange) -> {
            elsewhere.incrementAndGet();
            status(exchange, 200);
        });
        serve("/hook", (_, exchange) -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            status(exchange, 307);
        });
        happens(1, 1);
        try (NotificationSender _ = sender("/hook")) {
            awaitBookmark("/hook", 1);
        }
        assertThat(elsewhere).hasValue(0);
    }

    @Test
    void whatBreaksTheOtherEndIsGivenUpSoThatTheRestIsTold() {
        serve("/hook", (request, exchange) -> status(exchange, request <= 6 ? 500 : 200));
        happens(1, 2);
        try (NotificationSender _ = sender("/hook")) {
            awaitTaken(2L);
        }
        assertThat(waits).hasSize(5);
    }

    @Test
    void aServerThatIsAwayIsTriedAgain() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Webhook away = Webhook.of(URI.create("http://127.0.0.1:" + port + "/hook"));
        happens(1, 1);
        try (NotificationSender _ = sender(Duration.ofSeconds(5), away)) {
            await().untilAsserted(() -> assertThat(bookmarks).containsEntry(away.id(), 1L));
        }
        assertThat(waits).hasSize(5);
    }

    @Test
    void oneWebhookDoesNotKeepAnotherWaiting() {
        serve("/slow", (_, _) -> awaitOver());
        serve("/hook", (_, exchange) -> status(exchange, 200));
        happens(1, 3);
        server.start();
        try (NotificationSender _ =
                sender(Duration.ofSeconds(60), Webhook.of(url("/slow")), Webhook.of(url("/hook")))) {
            awaitTaken(1L, 2L, 3L);
        }
    }

    @Test
    void whileTheLedgerIsAwayNothingIsLost() {
        serve("/hook", (_, exchange) -> status(exchange, 200));
        happens(1, 1);
        AtomicInteger asked = new AtomicInteger();
        server.start();
        try (NotificationSender sender = new NotificationSender(
                channels(Duration.ofSeconds(10), Webhook.of(url("/hook"))),
                List.<SepNotificationReader>of((seq, most) -> {
                    if (asked.incrementAndGet() <= 2) {
                        throw new IllegalStateException("the ledger is away");
                    }
                    return after(seq, most);
                }),
                deliveryCursorStore,
                new DeliveryRetryPolicy(
                        Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofMinutes(10), 6, waits::add),
                () -> true)) {
            sender.start();
            awaitTaken(1L);
        }
        assertThat(waits).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void theLogSaysWhatHappenedAndNeverTheAddress() {
        serve("/secret", (request, exchange) -> {
            switch (request) {
                case 1 -> exchange.close();
                case 2 -> status(exchange, 503);
                default -> status(exchange, 410);
            }
        });
        happens(1, 1);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(NotificationSender.class);
        logger.setLevel(Level.TRACE);
        logger.addAppender(log);
        try (NotificationSender _ = sender("/secret")) {
            awaitBookmark("/secret", 1);
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        "The webhook at 127.0.0.1 did not accept the notification about proposal 12 (ping): it answered"
                                + " 410. The notification is dropped; check the address.")
                .hasSize(3)
                .noneMatch(message -> message.contains("secret"));
        assertThat(log.list).allMatch(event -> event.getThrowableProxy() == null);
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
