package dev.gavel.web.sep;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that SEP requests have the rights that their caller has when the body has arrived. */
@Timeout(60)
class SepSlowBodyTest {
    @TempDir
    private Path directory;

    private SepTestServer sepServer;

    @BeforeEach
    void open() throws Exception {
        sepServer = new SepTestServer(directory);
        sepServer.request("alice", "POST", "/seps", SepTestServer.document(SepTestServer.DOCUMENT));
    }

    @AfterEach
    void close() {
        sepServer.close();
    }

    /** Sends a request of bob without the last byte of its body. */
    private Socket sendAlmost(String path) throws IOException {
        Socket socket = sepServer.server.socket();
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer bob" + TestServer.SECRET
                                + "\r\nContent-Length: 2\r\n\r\n{")
                        .getBytes(US_ASCII));
        return socket;
    }

    /** Sends the last byte and returns the status line; empty if the server has closed the connection. */
    private static String finish(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        try {
            socket.getOutputStream().write('}');
            for (int next = socket.getInputStream().read(); next >= 0 && next != '\r'; ) {
                line.append((char) next);
                next = socket.getInputStream().read();
            }
        } catch (SocketException e) {
            return "";
        }
        return line.toString();
    }

    private Optional<String> sponsor() throws Exception {
        Json sep = sepServer.request("alice", "GET", "/seps/1", "").body();
        assertThat(sep.at("number").raw()).isEqualTo("1");
        return sep.at("sponsor").asText();
    }

    @Test
    void aRoleThatIsRemovedWhileTheBodyArrivesDoesNotCount() throws Exception {
        try (Socket socket = sendAlmost("/seps/1/sponsor")) {
            assertThat(sepServer
                            .request("dave", "PUT", "/tokens/bob/roles", "{\"roles\":[]}")
                            .status())
                    .isEqualTo(200);

            assertThat(finish(socket)).contains(" 403 ");
        }
        assertThat(sponsor()).isEmpty();
    }

    @Test
    void aTokenThatIsRevokedWhileTheBodyArrivesIsRefused() throws Exception {
        try (Socket socket = sendAlmost("/seps/1/sponsor")) {
            assertThat(sepServer.request("dave", "DELETE", "/tokens/bob", "").status())
                    .isEqualTo(200);

            assertThat(finish(socket)).doesNotContain(" 200 ");
        }
        assertThat(sponsor()).isEmpty();
    }
}
