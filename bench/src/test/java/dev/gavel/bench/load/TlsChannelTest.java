package dev.gavel.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.server.SelfSignedCertificate;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsChannelTest {
    private static final int LONG = 700_000;

    private static SelfSignedCertificate certificate;

    @BeforeAll
    static void make(@TempDir Path directory) throws IOException, InterruptedException {
        certificate = SelfSignedCertificate.generate(directory);
    }

    /** A scripted server for one connection. */
    private interface Script {
        void play(Socket socket) throws IOException;
    }

    /** The part of a test that uses a server's address. */
    private interface Use {
        void with(InetSocketAddress server) throws IOException;
    }

    private static void served(Script script, Use use) throws IOException {
        try (ServerSocket server = certificate
                .sslContext()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            CompletableFuture<Void> played = CompletableFuture.runAsync(() -> {
                try (Socket socket = server.accept()) {
                    script.play(socket);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            use.with(new InetSocketAddress(server.getInetAddress(), server.getLocalPort()));
            played.join();
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    @Test
    void whatTheServerSendsIsReadWholeThroughASocketThatDoesNotWait() throws IOException {
        byte[] sent = bytes(LONG);
        served(socket -> socket.getOutputStream().write(sent), server -> {
            try (SocketChannel socket = SocketChannel.open(server);
                    TlsChannel tls = TlsChannel.open(socket, certificate.sslContext())) {
                socket.configureBlocking(false);
                byte[] received = new byte[LONG];
                int length = 0;
                ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
                while (tls.read(buffer.clear()) >= 0) {
                    buffer.flip();
                    int more = buffer.remaining();
                    buffer.get(received, length, more);
                    length += more;
                }
                assertThat(length).isEqualTo(LONG);
                assertThat(received).isEqualTo(sent);
            }
        });
    }

    @Test
    void whatIsWrittenReachesTheServerWhole() throws IOException {
        byte[] sent = bytes(LONG);
        CompletableFuture<byte[]> received = new CompletableFuture<>();
        served(socket -> received.complete(socket.getInputStream().readNBytes(LONG)), server -> {
            try (SocketChannel socket = SocketChannel.open(server);
                    TlsChannel tls = TlsChannel.open(socket, certificate.sslContext())) {
                socket.configureBlocking(false);
                ByteBuffer buffer = ByteBuffer.wrap(sent);
                assertThat(tls.write(buffer)).isEqualTo(LONG);
                assertThat(received.join()).isEqualTo(sent);
            }
        });
    }

    @Test
    void aServerWithAnotherCertificateIsRefused() throws IOException {
        served(
                socket -> {
                    InputStream in = socket.getInputStream();
                    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
                },
                server -> {
                    try (SocketChannel socket = SocketChannel.open(server)) {
                        assertThatThrownBy(() -> TlsChannel.open(socket, SSLContext.getDefault()))
                                .isInstanceOf(SSLException.class);
                    }
                });
    }

    @Test
    void aLoadConnectsOverTlsAndWaitsForItsWelcome() throws IOException {
        CompletableFuture<String> asked = new CompletableFuture<>();
        served(
                socket -> {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        head.append((char) in.readByte());
                    }
                    asked.complete(head.toString());
                    socket.getOutputStream()
                            .write(WebSocketUpgradeCodec.response(WebSocketUpgradeCodec.parseKey(head.toString())
                                    .orElseThrow()));
                    byte[] welcome = "{\"kind\":\"system.welcome\"}".getBytes(UTF_8);
                    ByteBuffer frame = ByteBuffer.allocate(WebSocketFrameHeaderCodec.LONGEST_HEADER + welcome.length);
                    WebSocketFrameHeaderCodec.putHeader(frame, WebSocketFrameHeaderCodec.TEXT, welcome.length);
                    frame.put(welcome);
                    socket.getOutputStream().write(frame.array(), 0, frame.position());
                    // Waits until the load generator disconnects, with or without a TLS close.
                    assertThatThrownBy(in::readByte).isInstanceOf(IOException.class);
                },
                server -> LoadGenerator.connect(
                                server,
                                certificate.sslContext(),
                                BenchTopicConfig.WEB_SOCKET_PATH,
                                List.of(new LoadParticipantCredentials("p0", "token0")),
                                1)
                        .close());
        assertThat(asked.join()).contains("\r\nAuthorization: Bearer token0\r\n");
    }

    @Test
    void aConfigurationNamesItsFiles(@TempDir Path directory) throws IOException, InterruptedException {
        SelfSignedCertificate made = SelfSignedCertificate.generate(directory);
        assertThat(made.configuration())
                .isEqualTo(
                        "tls: {certificate: '" + directory + "/certificate.pem', key: '" + directory + "/key.pem'}\n");
        assertThat(directory.resolve("certificate.pem")).content().startsWith("-----BEGIN CERTIFICATE-----\n");
        assertThat(directory.resolve("key.pem")).content().startsWith("-----BEGIN PRIVATE KEY-----\n");
    }
}
