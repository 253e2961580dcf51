package dev.gavel.app.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Parsed;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a collector is spoken to, on a real port. */
class CollectorTest {
    private static final Span SPAN = new Span(
            "a".repeat(32), "b".repeat(16), Optional.empty(), "a", Instant.EPOCH, Instant.EPOCH, Map.of(), false);

    /** Takes a connection and says something; brings what the client sent once it has hung up. */
    private static CompletableFuture<String> answering(ServerSocket server, String words, ExecutorService on) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (Socket socket = server.accept();
                            InputStream in = socket.getInputStream()) {
                        socket.getOutputStream().write(words.getBytes(US_ASCII));
                        return new String(in.readAllBytes(), UTF_8);
                    } catch (IOException e) {
                        return "reset";
                    }
                },
                on);
    }

    @Test
    void oneThatNeverEndsItsAnswerIsHungUpOnAndTheNextTryIsMade() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ExecutorService thread = Executors.newSingleThreadExecutor();
                Collector collector = new Collector(
                        URI.create("http://127.0.0.1:" + server.getLocalPort()),
                        CollectorHeaders.NONE,
                        Duration.ofMillis(500))) {
            CompletableFuture<String> stalled =
                    answering(server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", thread);

            assertThat(collector.send(List.of(SPAN))).isEqualTo(Collector.Answer.LATER);
            stalled.get(30, TimeUnit.SECONDS);

            CompletableFuture<String> well = answering(server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", thread);
            assertThat(collector.send(List.of(SPAN))).isEqualTo(Collector.Answer.TAKEN);
            assertThat(well).isNotDone();
        }
    }

    @Test
    void whatIsToBeSentAlongIs() throws Exception {
        CollectorHeaders headers = CollectorHeaders.parse("x-key=a+b%20c=, ,authorization = Bearer%20d")
                .orThrow();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            CompletableFuture<String> sent = answering(server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", thread);
            try (Collector collector = new Collector(
                    URI.create("http://127.0.0.1:" + server.getLocalPort()), headers, Collector.PATIENCE)) {
                assertThat(collector.send(List.of(SPAN))).isEqualTo(Collector.Answer.TAKEN);
            }

            assertThat(sent.get(30, TimeUnit.SECONDS))
                    .contains("\r\nx-key: a+b c=\r\n", "\r\nauthorization: Bearer d\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hush-hush",
                "=hush-hush",
                "x=hush-hush%",
                "x=hush-hush%zz",
                "x=hush-hush%0Ay",
                "hush hush=x",
                "host=hush-hush",
                "a=b,hush-hush"
            })
    void headersThatCannotBeSentAreAMistakeThatIsNotRepeated(String text) {
        assertThat(CollectorHeaders.parse(text))
                .isInstanceOfSatisfying(
                        Parsed.Invalid.class,
                        invalid -> assertThat(invalid.problem())
                                .contains("name=value")
                                .doesNotContain("hush"));
    }

    @Test
    void headersAreNotShown() {
        assertThat(CollectorHeaders.parse("a=hush").orThrow()).hasToString("headers: 1");
    }

    @Test
    void aNameIsNotCutWithinACharacter() {
        String gavel = "\ud83d\udd28";

        assertThat(ProposalSpans.cut("a".repeat(127) + gavel)).isEqualTo("a".repeat(127));
        assertThat(ProposalSpans.cut("a".repeat(126) + gavel + "b")).isEqualTo("a".repeat(126) + gavel);
        assertThat(ProposalSpans.cut("a".repeat(128))).hasSize(128);
    }
}
