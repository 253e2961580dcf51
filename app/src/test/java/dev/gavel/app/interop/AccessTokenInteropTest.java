package dev.gavel.app.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.app.TestServer;
import dev.gavel.client.Answer;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.Tools;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Tests access tokens with a certified OpenID provider, and with the official TypeScript client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AccessTokenInteropTest {
    private static final int PATIENCE_SECONDS = 40;
    private static final String PLANNER = "planner";

    private Process provider;
    private String issuer;
    private TestServer server;
    private Participant files;

    @BeforeAll
    void start(@TempDir Path data) throws Exception {
        provider = new ProcessBuilder(InteropPrograms.script("issuer.mjs", PLANNER, "stranger"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        issuer = Json.parse(provider.inputReader(UTF_8).readLine())
                .orElseThrow()
                .at("issuer")
                .text();
        server = new TestServer("""
                listen: 127.0.0.1:0
                data: "%s"
                issuers: [{url: "%s"}]
                identities:
                  files: {token: files-0123456789abcdef}
                  planner: {}
                topics:
                  main:
                    participants:
                      files: ["mcp.response.*", "mcp.request.notifications/*"]
                      planner: ["mcp.request.tools/call:read_file"]
                """.formatted(data, issuer), 2);
        files = Gavel.at("http://" + server.listen())
                .token(Token.of("files" + TestServer.SECRET))
                .topic("main")
                .connect();
        files.serve(new Tools().tool("read_file", request -> Answer.text("the content")));
    }

    @AfterAll
    void stop() {
        files.close();
        server.close();
        provider.destroy();
    }

    private String url() {
        return "http://" + server.listen() + "/mcp/main";
    }

    /** Requests a token from the provider, for a resource (RFC 8707). */
    private String token(String client, String resource) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString((client + ":" + client + "-secret").getBytes(UTF_8));
        HttpResponse<String> response = send(HttpRequest.newBuilder(URI.create(issuer + "/token"))
                .header("Authorization", "Basic " + credentials)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "grant_type=client_credentials&resource=" + URLEncoder.encode(resource, UTF_8))));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.parse(response.body()).orElseThrow().at("access_token").text();
    }

    private HttpResponse<String> call(String token) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url()))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", "read_file")
                .POST(HttpRequest.BodyPublishers.ofString("""
                        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{},
                        "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
                        "io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
                        "io.modelcontextprotocol/clientCapabilities":{}}}}""")));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void aTokenOfTheProviderCallsATool() throws Exception {
        HttpResponse<String> response = call(token(PLANNER, url()));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        assertThat(response.body()).contains("the content");
    }

    @Test
    void aTokenOfTheProviderForAnotherResourceIsRefused() throws Exception {
        HttpResponse<String> response = call(token(PLANNER, "https://other.example.org/mcp"));
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate").orElseThrow())
                .contains("invalid_token");
    }

    @Test
    void aClientThatIsNoIdentityIsRefusedWithTheReason() throws Exception {
        HttpResponse<String> response = call(token("stranger", url()));
        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("'stranger'");
    }

    @Test
    void theTypeScriptClientFindsTheProviderAndCallsATool() throws Exception {
        Process client = new ProcessBuilder(InteropPrograms.script(
                        "access-token-client.mjs", url(), PLANNER, PLANNER + "-secret", issuer, "read_file"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(client.getInputStream().readAllBytes(), UTF_8);
        assertThat(client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(client.exitValue()).as(output).isZero();

        Json found = Json.parse(output.strip()).orElseThrow();
        assertThat(found.at("status").raw()).isEqualTo("401");
        assertThat(found.at("metadataUrl").text())
                .isEqualTo("http://" + server.listen() + "/.well-known/oauth-protected-resource/mcp/main");
        assertThat(found.at("resource").at("resource").text()).isEqualTo(url());
        assertThat(found.at("resource").at("authorization_servers").texts()).containsExactly(issuer);
        assertThat(found.at("tokenEndpoint").text()).isEqualTo(issuer + "/token");
        assertThat(found.at("result").raw()).contains("the content");
    }
}
