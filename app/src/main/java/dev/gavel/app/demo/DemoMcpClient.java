package dev.gavel.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.cli.build.BuildInfo;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A minimal MCP client over Streamable HTTP for the demo agent; makes one call at a time. Closing it from another
 * thread ends the waiting call.
 */
final class DemoMcpClient implements AutoCloseable {
    private static final String VERSION = "2025-11-25";

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI url;
    private final String token;
    private final AtomicLong ids = new AtomicLong();
    private Optional<String> session = Optional.empty();

    DemoMcpClient(URI url, String token) {
        this.url = url;
        this.token = token;
    }

    /** Initializes the MCP session. */
    void connect() throws IOException, InterruptedException {
        request(
                "initialize",
                Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("protocolVersion", VERSION);
                    json.writeObjectPropertyStart("capabilities");
                    json.writeEndObject();
                    json.writeObjectPropertyStart("clientInfo");
                    json.writeStringProperty("name", "gavel-demo-agent");
                    json.writeStringProperty("version", BuildInfo.version());
                    json.writeEndObject();
                    json.writeEndObject();
                }),
                _ -> {});
        try (Stream<String> nothing = send(Json.object()
                        .with("jsonrpc", Json.ofText("2.0"))
                        .with("method", Json.ofText("notifications/initialized")))
                .body()) {
            nothing.forEach(_ -> {});
        }
    }

    /** The names of the available tools. */
    List<String> tools() throws IOException, InterruptedException {
        return request("tools/list", Json.object(), _ -> {}).at("tools").elements().stream()
                .map(tool -> tool.at("name").text())
                .toList();
    }

    /**
     * Calls a tool and waits for its result without a time limit.
     *
     * @param progress receives the server's progress messages
     */
    Json call(String tool, Json arguments, Consumer<String> progress) throws IOException, InterruptedException {
        Json token = Json.object().with("progressToken", Json.of(ids.incrementAndGet()));
        return request(
                "tools/call",
                Json.object()
                        .with("name", Json.ofText(tool))
                        .with("arguments", arguments)
                        .with("_meta", token),
                progress);
    }

    private Json request(String method, Json params, Consumer<String> progress)
            throws IOException, InterruptedException {
        Json id = Json.of(ids.incrementAndGet());
        Json request = Json.object()
                .with("jsonrpc", Json.ofText("2.0"))
                .with("id", id)
                .with("method", Json.ofText(method))
                .with("params", params);
        HttpResponse<Stream<String>> response = send(request);
        session = response.headers().firstValue("Mcp-Session-Id").or(() -> session);
        try (Stream<String> lines = response.body()) {
            return response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")
                    ? readEventStream(id, lines.iterator(), progress)
                    : answer(id, lines.collect(Collectors.joining("\n")))
                            .orElseThrow(() -> new IOException("no response to " + method));
        } catch (UncheckedIOException e) {
            throw new IOException("the connection was lost: " + e.getMessage(), e);
        }
    }

    private HttpResponse<Stream<String>> send(Json message) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", VERSION);
        session.ifPresent(id -> request.header("Mcp-Session-Id", id));
        HttpResponse<Stream<String>> response = http.send(
                request.POST(HttpRequest.BodyPublishers.ofString(message.raw(), UTF_8))
                        .build(),
                HttpResponse.BodyHandlers.ofLines());
        if (response.statusCode() >= 300) {
            try (Stream<String> lines = response.body()) {
                throw new IOException("HTTP " + response.statusCode() + ": " + lines.collect(Collectors.joining(" ")));
            }
        }
        return response;
    }

    /** Reads the response to a request from an event stream and passes on progress messages. */
    private static Json readEventStream(Json id, Iterator<String> lines, Consumer<String> progress) throws IOException {
        StringBuilder data = new StringBuilder();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith("data:")) {
                data.append(line.substring("data:".length()).strip());
            } else if (line.isEmpty() && !data.isEmpty()) {
                String message = data.toString();
                data.setLength(0);
                Optional<Json> answer = answer(id, message);
                if (answer.isPresent()) {
                    return answer.get();
                }
                Json received = Json.parse(message).orElseGet(Json::object);
                if (received.at("method").text().equals("notifications/progress")) {
                    received.at("params").at("message").asText().ifPresent(progress);
                }
            }
        }
        throw new IOException("the server ended the stream without a response");
    }

    private static Optional<Json> answer(Json id, String text) throws IOException {
        Json message = Json.parse(text).orElseGet(Json::object);
        if (!message.at("id").equals(id) || message.at("method").isPresent()) {
            return Optional.empty();
        }
        if (message.at("error").isPresent()) {
            throw new IOException(message.at("error").at("message").text());
        }
        return Optional.of(message.at("result"));
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
