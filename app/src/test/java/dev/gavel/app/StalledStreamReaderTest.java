package dev.gavel.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tests event streams whose readers stop or are slow: the server ends the first and serves the second. */
@Timeout(60)
class StalledStreamReaderTest {
    @TempDir
    private Path data;

    /** Requests an event stream on a plain socket with a minimal receive buffer. */
    private static Socket listen(TestServer server, String identity, String query) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.listen().port()));
        socket.getOutputStream()
                .write(("GET /topics/ops/messages" + query + " HTTP/1.1\r\nHost: " + server.listen()
                                + "\r\nAuthorization: Bearer " + identity + TestServer.SECRET
                                + "\r\nAccept: text/event-stream\r\n\r\n")
                        .getBytes(US_ASCII));
        return socket;
    }

    /** Reads up to and including the first line that contains the text. */
    private static List<String> readUntil(InputStream in, String text) throws IOException {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the stream ended after " + lines.size() + " lines");
            }
            if (next != '\n') {
                line.append((char) next);
                continue;
            }
            lines.add(line.toString());
            line.setLength(0);
            if (lines.getLast().contains(text)) {
                return lines;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aReaderThatStopsIsEndedAndTheOthersGetEverything(int loops) throws Exception {
        try (TestServer server =
                        new TestServer("limits: {ask: off, bytes: off, rate: 1000000/s}\n" + TestServer.CONFIG, loops);
                Socket stopped = listen(server, "helper", "")) {
            readUntil(new BufferedInputStream(stopped.getInputStream()), "system.welcome");
            try (TestSocket alice = server.join("alice");
                    TestSocket bob = server.join("bob")) {
                int messages = 400;
                Thread sender = Thread.ofVirtual().start(() -> send(bob, messages));
                boolean left = false;
                int received = 0;
                while (received < messages || !left) {
                    JsonNode envelope = alice.envelope();
                    if (envelope.path("kind").asString().equals("chat.message")) {
                        assertThat(envelope.path("id").asString()).isEqualTo("m-" + received++);
                    } else {
                        left |= envelope.path("payload")
                                .path("event")
                                .asString()
                                .equals("leave");
                    }
                }
                sender.join();
            }
        }
    }

    /** On one loop, so that the effects of the revocation are complete before its answer. */
    @Test
    void aReaderThatStopsIsNotHereOnceItsTokenIsRevoked() throws Exception {
        String config = "limits: {ask: off, bytes: off, rate: 1000000/s}\n"
                + TestServer.CONFIG.replace("    ledger: off\n", "") + "data: \"" + data + "\"\n";
        try (TestServer server = new TestServer(config, 1);
                Socket stopped = listen(server, "helper", "");
                TestSocket alice = server.join("alice");
                TestSocket bob = server.join("bob");
                HttpClient client = HttpClient.newHttpClient()) {
            readUntil(new BufferedInputStream(stopped.getInputStream()), "system.welcome");
            // More than the kernel buffers for it, and less than the limit at which it is dropped.
            send(bob, 100);
            while (!alice.envelope().path("id").asString().equals("m-99")) {
                // All of them have been sent before the token is revoked.
            }
            HttpRequest.Builder request =
                    HttpRequest.newBuilder().header("Authorization", "Bearer alice" + TestServer.SECRET);
            String base = "http://" + server.listen();
            assertThat(client.send(
                                    request.uri(URI.create(base + "/tokens/helper"))
                                            .DELETE()
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.send(
                                    request.uri(URI.create(base + "/topics/ops"))
                                            .GET()
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("\"bob\"")
                    .doesNotContain("\"helper\"");
        }
    }

    private static void send(TestSocket socket, int messages) {
        try {
            for (int i = 0; i < messages; i++) {
                socket.send(StressEnvelopes.chat("m-" + i, 60_000));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The missed envelopes are several times the limit by which a reader may fall behind. */
    @Test
    void whoWasLongAwayAndReadsLittleByLittleHearsEverythingInOrder() throws Exception {
        int proposals = 800;
        String config = "limits: {ask: off, bytes: off, rate: 1000000/s}\n"
                + TestServer.CONFIG.replace("    ledger: off\n", "") + "data: \"" + data + "\"\n";
        try (TestServer server = new TestServer(config, 2);
                TestSocket helper = server.join("helper")) {
            for (int i = 0; i < proposals; i++) {
                helper.send(StressEnvelopes.proposal("p-" + i, 30_000));
                helper.envelope("mcp.proposal.tools/call:write_file");
            }
            try (Socket returned = listen(server, "alice", "?since=0")) {
                InputStream in = new BufferedInputStream(returned.getInputStream(), 4096);
                readUntil(in, "\"id\":\"p-99\"");
                // A new event during the replay, which must wait its turn.
                helper.send(StressEnvelopes.proposal("p-" + proposals));
                helper.envelope("mcp.proposal.tools/call:write_file");
                List<String> ids = readUntil(in, "\"id\":\"p-" + proposals + "\"").stream()
                        .filter(line -> line.contains("mcp.proposal."))
                        .map(StalledStreamReaderTest::id)
                        .toList();
                assertThat(ids)
                        .containsExactlyElementsOf(IntStream.rangeClosed(100, proposals)
                                .mapToObj(i -> "p-" + i)
                                .toList());
            }
        }
    }

    private static String id(String line) {
        int from = line.indexOf("\"id\":\"") + 6;
        return line.substring(from, line.indexOf('"', from));
    }
}
