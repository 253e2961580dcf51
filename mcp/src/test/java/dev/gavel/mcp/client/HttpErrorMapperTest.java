package dev.gavel.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gavel.mcp.rpc.RpcMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HttpErrorMapperTest {
    private static final Map<String, String> HEADERS = Map.of("Authorization", "Bearer secret-words-of-the-bridge");

    /** Returns the error for a response that a real server sends. */
    private static RpcMessage.ErrorResponse error(int status, String type, String body) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", type);
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp?key=secret-of-the-url");
            HttpResponse<byte[]> response =
                    client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofByteArray());
            return HttpErrorMapper.toErrorResponse(new HttpServerTarget(url, HEADERS), response, response.body());
        } finally {
            server.stop(0);
        }
    }

    @Test
    void showsTheBodyOfARefusal() throws Exception {
        assertThat(error(403, "text/plain", "Your plan does not\ninclude this tool.\n")
                        .message())
                .contains("refused access (HTTP 403: Your plan does not include this tool.); check the token");
    }

    @Test
    void showsTheMessageOfAJsonRpcErrorInARefusal() throws Exception {
        assertThat(error(
                                403,
                                "application/json",
                                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Invalid Host\"}}")
                        .message())
                .contains("refused access (HTTP 403: Invalid Host)");
    }

    @Test
    void showsTheTextOfAPageWithoutItsMarkup() throws Exception {
        assertThat(error(403, "text/html", "<html><style>p{}</style><h1 a=1>Blocked</h1>by the <b>firewall</b></html>")
                        .message())
                .contains("(HTTP 403: Blocked by the firewall)");
    }

    @Test
    void showsNoSecretThatTheServerRepeats() throws Exception {
        assertThat(error(403, "text/plain", "no: Bearer secret-words-of-the-bridge, key secret-of-the-url")
                        .message())
                .contains("(HTTP 403: no: ***, key ***)");
        assertThat(error(403, "text/plain", "unknown token secret-words-of-the-bridge")
                        .message())
                .contains("(HTTP 403: unknown token ***)");
    }

    @Test
    void escapesHiddenCharactersAndShortensALongBody() throws Exception {
        assertThat(error(403, "text/plain", "a\u202eb\u001b[31mc").message())
                .doesNotContain("\u202e")
                .doesNotContain("\u001b")
                .contains("HTTP 403: a\\u202eb");
        assertThat(error(403, "text/plain", "x".repeat(60_000)).message())
                .hasSizeLessThan(700)
                .contains("xxx…");
    }

    @Test
    void passesOnAJsonRpcErrorOfAnotherStatus() throws Exception {
        assertThat(error(
                                400,
                                "application/json",
                                "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Unsupported\"}}")
                        .message())
                .isEqualTo("Unsupported");
    }
}
