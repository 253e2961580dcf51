package dev.gavel.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.client.http.Access;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LineTest {
    private static final String PATH = "/ws?topic=ops";

    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    private Line open(Access at) throws Exception {
        Line line = Line.open(client, at, PATH, (from, text) -> heard.add(text));
        line.start();
        return line;
    }

    @Test
    void aServerThatSaysNothingAtAllHasGone() throws Exception {
        try (SilentServer server = new SilentServer()) {
            Line line = open(server.access());
            assertThat(line.untilEnd(Duration.ofMillis(200)).reason()).contains("nothing was heard");
            assertThat(line.send("hello?")).isFalse();
        }
    }

    @Test
    void whatComesInPiecesIsHandedOnWhole() throws Exception {
        try (SilentServer server =
                new SilentServer(new byte[] {0x01, 2, 'a', 'b', 0x00, 1, 'c', (byte) 0x80, 1, 'd'})) {
            open(server.access());
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("abcd");
        }
    }

    @Test
    void anEndThatComesWhileSomethingIsHandedOnIsNoticed() throws Exception {
        CountDownLatch handedOn = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Line line;
        try (SilentServer server = new SilentServer(new byte[] {(byte) 0x81, 2, 'h', 'i'})) {
            line = Line.open(client, server.access(), PATH, (from, text) -> {
                handedOn.countDown();
                assertThatCode(goOn::await).doesNotThrowAnyException();
            });
            // What is there already is handed on by the thread that starts it.
            Thread.ofVirtual().start(line::start);
            handedOn.await();
        }
        try (SilentServer other = new SilentServer()) {
            // By the one thread of the client that is told of ends too: once this is open it knows of that one.
            open(other.access());
        }
        goOn.countDown();
        assertThat(line.untilEnd(Duration.ofSeconds(20)).reason()).doesNotContain("nothing was heard");
    }

    @Test
    void aCloseCodeIsItsEnd() throws Exception {
        int code = 4003;
        try (SilentServer server = new SilentServer(new byte[] {(byte) 0x88, 2, (byte) (code >> 8), (byte) code})) {
            assertThat(open(server.access()).untilEnd(Duration.ofSeconds(20)).code())
                    .isEqualTo(code);
        }
    }

    @Test
    void whereNobodyListensNoneIsOpened() throws Exception {
        Access gone;
        try (SilentServer server = new SilentServer()) {
            gone = server.access();
        }
        assertThatThrownBy(() -> open(gone))
                .isInstanceOfSatisfying(
                        Line.NotOpened.class, e -> assertThat(e.status()).isZero())
                .hasMessageNotContaining("a-token");
    }
}
