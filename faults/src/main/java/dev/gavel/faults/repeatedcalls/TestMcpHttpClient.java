package dev.gavel.faults.repeatedcalls;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.server.ClusterGatewayProcess;
import dev.gavel.bench.server.GavelConfigBuilder;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** Sends MCP calls of both kinds of protocol versions over HTTP, for one identity. Thread-safe. */
final class TestMcpHttpClient implements AutoCloseable {
    static final String SESSION_VERSION = "2025-11-25";
    static final String STATELESS_VERSION = "2026-07-28";

    private static final Duration SOON = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(SOON)
            .build();
    private final String agent;

    TestMcpHttpClient(String agent) {
        this.agent = agent;
    }

    /** Starts a session at a gateway and returns its id; empty if the gateway does not answer. */
    Optional<String> openSession(ClusterGatewayProcess gateway) throws InterruptedException {
        try {
            HttpResponse<String> response = http.send(
                    post(
                                    gateway,
                                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                                            + "{\"protocolVersion\":\"" + SESSION_VERSION + "\",\"capabilities\":{},"
                                            + "\"clientInfo\":{\"name\":\"faults\",\"version\":\"1\"}}}")
                            .timeout(SOON)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return response.headers().firstValue("Mcp-Session-Id");
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /**
     * Sends a call in the background.
     *
     * @param session the session; empty for a stateless call
     * @param id the id of the request
     * @param progress whether the client asks for progress
     */
    void call(
            ClusterGatewayProcess gateway, Optional<String> session, String id, boolean progress, CallAttempt attempt) {
        String meta = (session.isPresent() ? "" : statelessMeta())
                + (progress ? (session.isPresent() ? "" : ",") + "\"progressToken\":\"" + id + "\"" : "");
        HttpRequest.Builder request = post(
                gateway,
                "{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\",\"method\":\"tools/call\",\"params\":{\"name\":\""
                        + RepeatedCallsTopicConfig.TOOL + "\",\"arguments\":{\"path\":\""
                        + attempt.callKey().path() + "\"},\"_meta\":{" + meta + "}}}");
        session.ifPresentOrElse(
                known -> request.header("Mcp-Session-Id", known).header("MCP-Protocol-Version", SESSION_VERSION),
                () -> request.header("MCP-Protocol-Version", STATELESS_VERSION)
                        .header("Mcp-Method", "tools/call")
                        .header("Mcp-Name", RepeatedCallsTopicConfig.TOOL));
        HttpRequest built = request.build();
        attempt.startReader(() -> sendAndRead(built, attempt));
    }

    private static String statelessMeta() {
        return "\"io.modelcontextprotocol/protocolVersion\":\"" + STATELESS_VERSION
                + "\",\"io.modelcontextprotocol/clientInfo\":{\"name\":\"faults\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":{}";
    }

    /** Cancels a call of a session. */
    void cancel(ClusterGatewayProcess gateway, String session, String id) throws InterruptedException {
        try {
            http.send(
                    post(
                                    gateway,
                                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                                            + "{\"requestId\":\"" + id + "\",\"reason\":\"changed my mind\"}}")
                            .header("Mcp-Session-Id", session)
                            .header("MCP-Protocol-Version", SESSION_VERSION)
                            .timeout(SOON)
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
        } catch (IOException _) {
            // The gateway was killed, so the call ends anyway.
        }
    }

    private HttpRequest.Builder post(ClusterGatewayProcess gateway, String body) {
        return HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + gateway.address().getPort() + "/mcp/" + RepeatedCallsTopicConfig.TOPIC))
                .header("Authorization", "Bearer " + GavelConfigBuilder.token(agent))
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    private void sendAndRead(HttpRequest request, CallAttempt attempt) {
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            attempt.setBody(response.body());
            read(response, attempt);
        } catch (IOException | UncheckedIOException e) {
            attempt.complete(CallResponse.lost(e.toString()));
        } catch (InterruptedException _) {
            attempt.complete(CallResponse.lost("closed by the client"));
        }
    }

    private static void read(HttpResponse<InputStream> response, CallAttempt attempt) throws IOException {
        boolean events =
                response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            StringBuilder all = new StringBuilder();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!events) {
                    all.append(line);
                } else if (line.startsWith("data: {")) {
                    completeIfResponse(line.substring("data: ".length()), attempt);
                }
            }
            if (response.statusCode() != 200) {
                attempt.complete(CallResponse.httpStatus(response.statusCode(), all.toString()));
            } else if (!events) {
                completeIfResponse(all.toString(), attempt);
            }
            attempt.complete(CallResponse.lost("the stream ended without a response"));
        }
    }

    private static void completeIfResponse(String message, CallAttempt attempt) {
        Json.parse(message)
                .filter(json -> !json.at("method").isPresent())
                .ifPresent(json -> attempt.complete(CallResponse.parse(json)));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
