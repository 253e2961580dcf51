package dev.gavel.app.mcp;

import dev.gavel.app.TestServer;
import dev.gavel.app.mcp.TestMcpClient.PendingResponse;
import dev.gavel.mcp.rpc.HeaderValueCodec;
import dev.gavel.mcpx.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A plain client of MCP 2026-07-28 for tests that keeps no state. */
final class StatelessMcpClient {
    static final String VERSION = "2026-07-28";
    static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final URI url;
    private final String token;
    private final String capabilities;

    StatelessMcpClient(TestServer server, String identity) {
        this(URI.create("http://" + server.listen() + "/mcp/ops"), identity + TestServer.SECRET, "{}");
    }

    private StatelessMcpClient(URI url, String token, String capabilities) {
        this.url = url;
        this.token = token;
        this.capabilities = capabilities;
    }

    /** A copy that declares these capabilities. */
    StatelessMcpClient withCapabilities(String declared) {
        return new StatelessMcpClient(url, token, declared);
    }

    /** A copy with another token. */
    StatelessMcpClient withToken(String other) {
        return new StatelessMcpClient(url, other, capabilities);
    }

    /** The {@code _meta} of every request, with additional fields. */
    String meta(String extraMeta) {
        return """
                {"io.modelcontextprotocol/protocolVersion":"%s","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},\
                "io.modelcontextprotocol/clientCapabilities":%s%s}""".formatted(VERSION, capabilities, extraMeta);
    }

    /** The headers of a request. */
    static Map<String, String> headers(String method, Json params) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("MCP-Protocol-Version", VERSION);
        headers.put("Mcp-Method", method);
        for (String name : new String[] {"name", "uri", "taskId"}) {
            if (params.at(name).isPresent()) {
                headers.put("Mcp-Name", HeaderValueCodec.encode(params.at(name).text()));
            }
        }
        return headers;
    }

    HttpRequest.Builder post(String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return request;
    }

    /** Sends a request with these headers. */
    PendingResponse send(String method, String params, Map<String, String> headers) throws Exception {
        String id = "\"s" + NEXT.incrementAndGet() + "\"";
        String body = "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
        return new PendingResponse(
                id, TestMcpClient.HTTP.send(post(body, headers).build(), HttpResponse.BodyHandlers.ofInputStream()));
    }

    /** Starts a valid request, and reads its messages in the background. */
    PendingResponse begin(String method, String params) throws Exception {
        return begin(method, params, "");
    }

    /** As {@link #begin(String, String)}, with additional fields in {@code _meta}. */
    PendingResponse begin(String method, String params, String extraMeta) throws Exception {
        Json read = Json.parse(params).orElseThrow();
        Json withMeta = read.with("_meta", Json.parse(meta(extraMeta)).orElseThrow());
        return send(method, withMeta.raw(), headers(method, read));
    }

    /** Sends a request and waits for the response. */
    Json requestAndAwait(String method, String params) throws Exception {
        return begin(method, params).answer();
    }

    /** The result of a tool call. */
    Json call(String tool, String arguments) throws Exception {
        return requestAndAwait("tools/call", TestMcpClient.params(tool, arguments))
                .at("result");
    }

    /** The state of a task. */
    Json task(String id) throws Exception {
        return requestAndAwait("tasks/get", "{\"taskId\":\"" + id + "\"}").at("result");
    }
}
