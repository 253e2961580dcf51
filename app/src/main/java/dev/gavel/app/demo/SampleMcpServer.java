package dev.gavel.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.cli.build.BuildInfo;
import dev.gavel.mcpx.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The demo's MCP server: offers tools for the files of one directory over standard input and output. It processes
 * requests one at a time, in order of arrival; only cancellations take effect at once. One thread reads, and a second
 * one runs the tools.
 */
public final class SampleMcpServer {
    private static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18");
    private static final int MAX_LINE = 1024 * 1024;
    private static final int FILES_A_REPORT = 100;
    private static final int NOT_JSON = -32700;
    private static final int NO_REQUEST = -32600;
    private static final int NO_METHOD = -32601;
    private static final int BAD_PARAMS = -32602;

    private final SampleFileTools tools;
    private final InputStream in;
    private final OutputStream out;
    private final Map<Json, AtomicBoolean> pendingCalls = new ConcurrentHashMap<>();

    public SampleMcpServer(FileSandbox sandbox, InputStream in, OutputStream out) {
        this.tools = new SampleFileTools(sandbox);
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /** Serves until the input ends and every request has its response. */
    public void run() throws IOException {
        try (ExecutorService worker = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("tools").factory())) {
            for (Optional<String> line = readLine(); line.isPresent(); line = readLine()) {
                Json message = Json.parse(line.get()).orElse(null);
                if (message == null) {
                    sendError(null, NOT_JSON, "each line must be one JSON value of at most " + MAX_LINE + " bytes");
                } else {
                    dispatch(message, worker);
                }
            }
        }
    }

    /** Reads the next line; returns an empty one instead of a line that is too long. */
    private Optional<String> readLine() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int each;
        boolean tooLong = false;
        while ((each = in.read()) >= 0 && each != '\n') {
            tooLong |= bytes.size() >= MAX_LINE;
            if (!tooLong) {
                bytes.write(each);
            }
        }
        if (each < 0 && bytes.size() == 0) {
            return Optional.empty();
        }
        return Optional.of(tooLong ? "" : bytes.toString(UTF_8));
    }

    private void dispatch(Json message, ExecutorService worker) throws IOException {
        Json id = message.at("id");
        String method = message.at("method").asText().orElse("");
        if (message.type() != Json.Type.OBJECT) {
            sendError(null, NO_REQUEST, "a message must be an object");
        } else if (!message.at("method").isPresent()) {
            // A response. This server sends no requests, so it ignores responses.
            return;
        } else if (!id.isPresent()) {
            if (method.equals("notifications/cancelled")) {
                cancel(message.at("params").at("requestId"));
            }
        } else if ((id.type() != Json.Type.TEXT && id.type() != Json.Type.NUMBER) || method.isEmpty()) {
            sendError(null, NO_REQUEST, "'id' must be a string or a number, and 'method' a string");
        } else {
            Json params = message.at("params");
            switch (method) {
                case "initialize" -> sendResult(id, initializeResult(params));
                case "ping" -> sendResult(id, Json.object());
                case "tools/list" -> sendResult(id, Json.object().with("tools", SampleFileTools.list()));
                case "tools/call" -> call(id, params, worker);
                default -> sendError(id, NO_METHOD, "unknown method '" + method + "'");
            }
        }
    }

    private static Json initializeResult(Json params) {
        String requested = params.at("protocolVersion").text();
        return Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("protocolVersion", VERSIONS.contains(requested) ? requested : VERSIONS.getFirst());
            json.writeObjectPropertyStart("capabilities");
            json.writeObjectPropertyStart("tools");
            json.writeEndObject();
            json.writeEndObject();
            json.writeObjectPropertyStart("serverInfo");
            json.writeStringProperty("name", "gavel-sample-files");
            json.writeStringProperty("title", "Sample files");
            json.writeStringProperty("version", BuildInfo.version());
            json.writeEndObject();
            json.writeStringProperty(
                    "instructions",
                    "A few sample files. Deleted files can be restored from the folder " + FileSandbox.TRASH + ".");
            json.writeEndObject();
        });
    }

    private void call(Json id, Json params, ExecutorService worker) throws IOException {
        String tool = params.at("name").text();
        if (!SampleFileTools.has(tool)) {
            sendError(id, BAD_PARAMS, "unknown tool '" + tool + "'");
            return;
        }
        AtomicBoolean requested = new AtomicBoolean(true);
        if (pendingCalls.putIfAbsent(id, requested) != null) {
            sendError(id, NO_REQUEST, "the id " + id + " is already used by a pending call");
            return;
        }
        worker.execute(() -> {
            try {
                if (requested.get()) {
                    Json result = tools.call(
                            tool, params.at("arguments"), done -> sendProgress(params, done) && requested.get());
                    // A client that cancelled a request expects no response.
                    if (pendingCalls.remove(id, requested) && requested.get()) {
                        sendResult(id, result);
                    }
                }
            } catch (IOException | UncheckedIOException e) {
                // The client has stopped reading; the end of standard input reports the same.
                requested.set(false);
            } finally {
                pendingCalls.remove(id, requested);
            }
        });
    }

    private void cancel(Json id) {
        AtomicBoolean requested = pendingCalls.get(id);
        if (requested != null) {
            requested.set(false);
        }
    }

    /** Sends the progress of a call if the client asked for it. Always returns true, so that the call continues. */
    private boolean sendProgress(Json params, int done) {
        Json token = params.at("_meta").at("progressToken");
        if (token.isPresent() && done % FILES_A_REPORT == 0) {
            try {
                send(Json.write(json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeStringProperty("method", "notifications/progress");
                    json.writeObjectPropertyStart("params");
                    json.writeName("progressToken");
                    json.writeRawValue(token.raw());
                    json.writeNumberProperty("progress", done);
                    json.writeStringProperty("message", done + " files found");
                    json.writeEndObject();
                    json.writeEndObject();
                }));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return true;
    }

    private void sendResult(Json id, Json result) throws IOException {
        send(Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("jsonrpc", "2.0");
            json.writeName("id");
            json.writeRawValue(id.raw());
            json.writeName("result");
            json.writeRawValue(result.raw());
            json.writeEndObject();
        }));
    }

    private void sendError(@Nullable Json id, int code, String message) throws IOException {
        send(Json.write(json -> {
            json.writeStartObject();
            json.writeStringProperty("jsonrpc", "2.0");
            json.writeName("id");
            json.writeRawValue(id == null ? "null" : id.raw());
            json.writeObjectPropertyStart("error");
            json.writeNumberProperty("code", code);
            json.writeStringProperty("message", message);
            json.writeEndObject();
            json.writeEndObject();
        }));
    }

    private synchronized void send(Json message) throws IOException {
        out.write(message.raw().getBytes(UTF_8));
        out.write('\n');
        out.flush();
    }
}
