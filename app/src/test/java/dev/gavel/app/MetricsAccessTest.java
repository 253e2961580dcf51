package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests who may read the metrics. */
class MetricsAccessTest {
    private static HttpResponse<String> request(String config, String... headers)
            throws IOException, InterruptedException {
        try (TestServer server = new TestServer(config + TestServer.CONFIG, 1);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + server.listen() + "/metrics"));
            if (headers.length > 0) {
                request.headers(headers);
            }
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void anybodyOnThisMachineMayUnlessItIsSaidOtherwise() throws Exception {
        HttpResponse<String> answer = request("");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        // The topic has no ledger, so the process has none: no ledger metrics are reported.
        assertThat(answer.body())
                .contains("gavel_participants{topic=\"ops\"} 0")
                .doesNotContain("gavel_ledger_");
        assertThat(answer.body()).doesNotContain("alice", "helper");
    }

    @Test
    void withATokenWhoeverHasOneMay() throws Exception {
        HttpResponse<String> anonymous = request("metrics: token\n");
        assertThat(anonymous.statusCode()).isEqualTo(401);
        assertThat(anonymous.body()).contains("unauthenticated");
        assertThat(request("metrics: token\n", "Authorization", "Bearer guessed-0123456789abcdef")
                        .statusCode())
                .isEqualTo(401);
        assertThat(request("metrics: token\n", "Authorization", "Bearer mallory" + TestServer.SECRET)
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whereTheyAreOffThereIsNoSuchPath() throws Exception {
        assertThat(request("metrics: off\n", "Authorization", "Bearer alice" + TestServer.SECRET)
                        .statusCode())
                .isEqualTo(404);
    }

    /** A page whose own host name resolves to this machine has the same origin as what it reads there. */
    @Test
    void underAnotherHostNameTheyAreShownOnlyWithAToken() throws Exception {
        String token = "Authorization: Bearer alice" + TestServer.SECRET + "\r\n";
        for (String header : new String[] {"", token}) {
            assertThat(requestAt("evil.example", "metrics: open\n", header))
                    .startsWith("HTTP/1.1 403 ")
                    .contains("foreign_host")
                    .doesNotContain("gavel_");
        }
        assertThat(requestAt("gavel-1", "metrics: token\n", "")).startsWith("HTTP/1.1 401 ");
        assertThat(requestAt("gavel-1", "metrics: token\n", token)).startsWith("HTTP/1.1 200 ");
    }

    private static String requestAt(String host, String config, String header) throws IOException {
        try (TestServer server = new TestServer(config + TestServer.CONFIG, 1);
                Socket socket = server.socket()) {
            socket.getOutputStream()
                    .write(("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\n" + header + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void noPageOfAnotherSiteMay() throws Exception {
        HttpResponse<String> answer = request("", "Origin", "https://elsewhere.example");

        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains("foreign_origin").doesNotContain("gavel_");
    }
}
