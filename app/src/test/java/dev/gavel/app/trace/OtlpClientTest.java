package dev.gavel.app.trace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.ValueParseResult;
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

/** Tests requests to a collector, on a real port. */
class OtlpClientTest {
    private static final TraceSpan SPAN = new TraceSpan(
            "a".repeat(32), "b".repeat(16), Optional.empty(), "a", Instant.EPOCH, Instant.EPOCH, Map.of(), false);

    /** Accepts a connection and sends a response; completes with what the client sent once it has disconnected. */
    private static CompletableFuture<String> acceptAndRespond(
            ServerSocket server, String responseText, ExecutorService on) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (Socket socket = server.accept();
                            InputStream in = socket.getInputStream()) {
                        socket.getOutputStream().write(responseText.getBytes(US_ASCII));
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
                OtlpClient otlpClient = new OtlpClient(
                        URI.create("http://127.0.0.1:" + server.getLocalPort()),
                        OtlpHeaders.NONE,
                        Duration.ofMillis(500))) {
            CompletableFuture<String> stalled =
                    acceptAndRespond(server, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{", thread);

            assertThat(otlpClient.send(List.of(SPAN))).isEqualTo(OtlpClient.SendResult.RETRY_LATER);
            stalled.get(30, TimeUnit.SECONDS);

            CompletableFuture<String> well =
                    acceptAndRespond(server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", thread);
            assertThat(otlpClient.send(List.of(SPAN))).isEqualTo(OtlpClient.SendResult.ACCEPTED);
            assertThat(well).isNotDone();
        }
    }

    @Test
    void whatIsToBeSentAlongIs() throws Exception {
        OtlpHeaders headers =
                OtlpHeaders.parse("x-key=a+b%20c=, ,authorization = Bearer%20d").orThrow();
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ExecutorService thread = Executors.newSingleThreadExecutor()) {
            CompletableFuture<String> sent =
                    acceptAndRespond(server, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", thread);
            try (OtlpClient otlpClient = new OtlpClient(
                    URI.create("http://127.0.0.1:" + server.getLocalPort()), headers, OtlpClient.TIMEOUT)) {
                assertThat(otlpClient.send(List.of(SPAN))).isEqualTo(OtlpClient.SendResult.ACCEPTED);
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
        assertThat(OtlpHeaders.parse(text))
                .isInstanceOfSatisfying(
                        ValueParseResult.Invalid.class,
                        invalid -> assertThat(invalid.problem())
                                .contains("name=value")
                                .doesNotContain("hush"));
    }

    @Test
    void headersAreNotShown() {
        assertThat(OtlpHeaders.parse("a=hush").orThrow()).hasToString("headers: 1");
    }

    @Test
    void aNameIsNotCutWithinACharacter() {
        String gavel = "\ud83d\udd28";

        assertThat(ProposalSpanFactory.truncate("a".repeat(127) + gavel)).isEqualTo("a".repeat(127));
        assertThat(ProposalSpanFactory.truncate("a".repeat(126) + gavel + "b")).isEqualTo("a".repeat(126) + gavel);
        assertThat(ProposalSpanFactory.truncate("a".repeat(128))).hasSize(128);
    }
}
