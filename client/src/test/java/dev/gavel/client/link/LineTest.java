package dev.gavel.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LineTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    private Line open(URI uri) throws Exception {
        Line line = Line.open(client, uri, "a-token", (from, text) -> heard.add(text));
        line.start();
        return line;
    }

    @Test
    void aServerThatSaysNothingAtAllHasGone() throws Exception {
        try (SilentServer server = new SilentServer()) {
            Line line = open(server.uri());
            assertThat(line.untilEnd(Duration.ofMillis(200)).reason()).contains("nothing was heard");
            assertThat(line.send("hello?")).isFalse();
        }
    }

    @Test
    void whatComesInPiecesIsHandedOnWhole() throws Exception {
        try (SilentServer server =
                new SilentServer(new byte[] {0x01, 2, 'a', 'b', 0x00, 1, 'c', (byte) 0x80, 1, 'd'})) {
            open(server.uri());
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("abcd");
        }
    }

    @Test
    void aCloseCodeIsItsEnd() throws Exception {
        int code = 4003;
        try (SilentServer server = new SilentServer(new byte[] {(byte) 0x88, 2, (byte) (code >> 8), (byte) code})) {
            assertThat(open(server.uri()).untilEnd(Duration.ofSeconds(20)).code())
                    .isEqualTo(code);
        }
    }

    @Test
    void whereNobodyListensNoneIsOpened() throws Exception {
        URI gone;
        try (SilentServer server = new SilentServer()) {
            gone = server.uri();
        }
        assertThatThrownBy(() -> open(gone))
                .isInstanceOfSatisfying(
                        Line.NotOpened.class, e -> assertThat(e.status()).isZero())
                .hasMessageNotContaining("a-token");
    }
}
