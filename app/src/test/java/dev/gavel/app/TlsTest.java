package dev.gavel.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the TLS settings of the server, and the headers and cookies under TLS. */
class TlsTest {
    @TempDir
    private static Path directory;

    private static TestCertificate certificate;
    private static TestServer server;

    @BeforeAll
    static void start() throws Exception {
        certificate = new TestCertificate(directory);
        server = new TestServer(certificate.config() + "data: '" + directory + "'\n" + TestServer.CONFIG, 1);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static SSLSocket connect() throws Exception {
        return (SSLSocket) certificate.connect(server.listen().port());
    }

    private static String signIn(Socket connection, String host) throws IOException {
        String form = "token=alice" + TestServer.SECRET;
        try (Socket socket = connection) {
            socket.getOutputStream()
                    .write(("POST /sign-in HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nContent-Length: "
                                    + form.length() + "\r\n\r\n" + form)
                            .getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void clientsCannotRenegotiate() throws Exception {
        try (SSLSocket socket = connect()) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.startHandshake();
            String suite = socket.getSession().getCipherSuite();
            assertThat(suite).startsWith("TLS_ECDHE_").contains("_GCM_");
            assertThatThrownBy(() -> {
                        socket.startHandshake();
                        socket.getInputStream().read();
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
            })
    void suitesWithoutAuthenticatedEncryptionAreRefused(String suite) throws Exception {
        try (SSLSocket socket = connect()) {
            socket.setEnabledProtocols(new String[] {"TLSv1.2"});
            socket.setEnabledCipherSuites(new String[] {suite});
            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
        }
    }

    @Test
    void tls13IsAccepted() throws Exception {
        try (SSLSocket socket = connect()) {
            socket.setEnabledProtocols(new String[] {"TLSv1.3"});
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
        }
    }

    @Test
    void underTlsTheCookieBelongsToTheHostAndBrowsersStayWithTls() throws Exception {
        String answer = signIn(connect(), URI.create(server.consoleUrl() + "/").getAuthority());
        assertThat(answer).startsWith("HTTP/1.1 303 ");
        assertThat(answer.toLowerCase(java.util.Locale.ROOT))
                .contains("strict-transport-security: max-age=31536000")
                .containsPattern("set-cookie: __host-gavel-session-\\d+=[^;]+;[^\\n]*path=/;[^\\n]*secure")
                .doesNotContain("domain=");
        assertThat(signIn(connect(), "127.0.0.1:" + server.listen().port()))
                .startsWith("HTTP/1.1 404 ")
                .containsIgnoringCase("Strict-Transport-Security");
        // It would also apply to the other programs there.
        assertThat(signIn(connect(), "localhost:" + server.listen().port()))
                .doesNotContainIgnoringCase("Strict-Transport-Security");
    }

    @Test
    void behindAProxyWithTlsTheSameHolds(@TempDir Path data) throws Exception {
        String config = "publicUrl: https://gavel.example.org\ndata: '" + data + "'\n" + TestServer.CONFIG;
        try (TestServer proxied = new TestServer(config, 1)) {
            assertThat(signIn(proxied.socket(), "gavel.example.org"))
                    .startsWith("HTTP/1.1 303 ")
                    .containsIgnoringCase("Strict-Transport-Security: max-age=31536000")
                    .containsIgnoringCase("Set-Cookie: __Host-gavel-session=");
            assertThat(signIn(proxied.socket(), "127.0.0.1"))
                    .startsWith("HTTP/1.1 404 ")
                    .doesNotContainIgnoringCase("Strict-Transport-Security", "Set-Cookie");
        }
    }

    @Test
    void withoutTlsBrowsersMayUsePlainHttp(@TempDir Path data) throws Exception {
        try (TestServer plain = new TestServer("data: '" + data + "'\n" + TestServer.CONFIG, 1)) {
            assertThat(signIn(
                            plain.socket(), URI.create(plain.consoleUrl() + "/").getAuthority()))
                    .startsWith("HTTP/1.1 303 ")
                    .doesNotContainIgnoringCase("Strict-Transport-Security", "__Host-");
        }
    }
}
