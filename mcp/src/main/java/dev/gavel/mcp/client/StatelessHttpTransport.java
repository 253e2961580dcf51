package dev.gavel.mcp.client;

import dev.gavel.mcp.client.ServerSentEventReader.Cursor;
import dev.gavel.mcp.rpc.HeaderValueCodec;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RoutingHeaderNames;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Exchanges messages with an MCP server over the sessionless Streamable HTTP of MCP 2026-07-28, where closing a
 * request's stream cancels the request. Thread-safe.
 */
final class StatelessHttpTransport {

    private static final String LIST = "tools/list";
    private static final String CALL = "tools/call";
    private static final int MAX_PAGES = 100;

    /** How long the server may take for a list of tools that the transport itself requests while a call waits. */
    private static final Duration LIST_TIMEOUT = Duration.ofSeconds(30);

    private final HttpTransportContext context;
    private final ToolParamHeaderCache toolHeaders;
    private final Map<String, Thread> requestThreads = new ConcurrentHashMap<>();

    StatelessHttpTransport(HttpTransportContext context) {
        this.context = context;
        this.toolHeaders = new ToolParamHeaderCache(context.name);
    }

    /** Returns the version that a request carries in its metadata, or empty if it belongs to a stateful protocol. */
    static Optional<String> version(RpcMessage.MethodMessage methodMessage) {
        return methodMessage
                .params()
                .flatMap(raw -> RawJsonEditor.at(raw, McpMetaFields.META, McpMetaFields.VERSION))
                .flatMap(StatelessHttpTransport::text);
    }

    private static Optional<String> text(String json) {
        return Json.parse(json).flatMap(Json::asText);
    }

    void send(RpcMessage.Request request) {
        Thread thread = context.newThread("post", () -> execute(request));
        requestThreads.put(request.id(), thread);
        thread.start();
    }

    /** Cancels a request by closing its stream. Returns false if no open request has that id. */
    boolean cancel(String id) {
        Thread thread = requestThreads.remove(id);
        if (thread != null) {
            thread.interrupt();
        }
        return thread != null;
    }

    private void execute(RpcMessage.Request request) {
        try {
            if (request.method().equals(CALL) && !toolHeaders.isLoaded()) {
                refreshTools(request);
            }
            Optional<RpcMessage.Response> answer = post(request);
            if (answer.isPresent() && isMismatch(request, answer.get())) {
                // The tool may map other arguments to headers by now.
                refreshTools(request);
                answer = post(request);
            }
            answer.ifPresent(each -> deliver(request, each));
        } catch (ConnectException e) {
            String reason = context.unreachableMessage(e);
            onBroken(request, reason);
            context.connectionListener().onUnreachable(reason);
        } catch (IOException e) {
            onBroken(request, context.brokenConnectionMessage(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            deliver(request, RpcErrorCode.INTERNAL.toResponse("null", context.unreadableResponseMessage(e)));
        } finally {
            requestThreads.remove(request.id(), Thread.currentThread());
        }
    }

    /** Delivers the only response to a request, unless the request was cancelled. */
    private void deliver(RpcMessage.Request request, RpcMessage.Response answer) {
        if (requestThreads.remove(request.id(), Thread.currentThread())) {
            context.deliver(answer.withId(request.id()));
        }
    }

    private void onBroken(RpcMessage.Request request, String reason) {
        if (!isHandledByListener(request, reason)) {
            deliver(request, RpcErrorCode.UNAVAILABLE.toResponse("null", reason));
        }
    }

    private boolean isHandledByListener(RpcMessage.Request request, String reason) {
        return Thread.currentThread().equals(requestThreads.get(request.id()))
                && !context.isClosed()
                && context.connectionListener().onStreamBroken(request, reason)
                && requestThreads.remove(request.id(), Thread.currentThread());
    }

    private static boolean isMismatch(RpcMessage.Request request, RpcMessage.Response answer) {
        return request.method().equals(CALL)
                && answer instanceof RpcMessage.ErrorResponse errorResponse
                && errorResponse.code() == RpcErrorCode.HEADER_MISMATCH.code();
    }

    // --- single requests

    private Map<String, String> headers(RpcMessage.Request request) {
        String params = request.params().orElse("{}");
        Map<String, String> headers = new LinkedHashMap<>();
        version(request)
                .ifPresent(version -> headers.put(RoutingHeaderNames.VERSION, HeaderValueCodec.encode(version)));
        headers.put(RoutingHeaderNames.METHOD, HeaderValueCodec.encode(request.method()));
        RoutingHeaderNames.nameParameter(request.method())
                .flatMap(field -> RawJsonEditor.at(params, field))
                .flatMap(StatelessHttpTransport::text)
                .ifPresent(name -> {
                    headers.put(RoutingHeaderNames.NAME, HeaderValueCodec.encode(name));
                    if (request.method().equals(CALL)) {
                        toolHeaders
                                .headersFor(name, params)
                                .forEach((header, value) -> headers.put(header, HeaderValueCodec.encode(value)));
                    }
                });
        return headers;
    }

    /**
     * Sends a request and delivers the notifications that precede its response.
     *
     * @return the response; empty if the connection listener handles the request
     */
    private Optional<RpcMessage.Response> post(RpcMessage.Request request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = context.requestSender.post(request, headers(request), Optional.empty());
        try (InputStream body = response.body()) {
            String type = McpHttpRequestSender.contentType(response);
            if (response.statusCode() >= 300) {
                RpcMessage.ErrorResponse refusal = context.errorResponse(response, body);
                return response.statusCode() >= 500 && isHandledByListener(request, refusal.message())
                        ? Optional.empty()
                        : Optional.of(refusal);
            }
            if (type.startsWith("text/event-stream")) {
                return Optional.of(updateToolHeaders(request, readStream(request, body)));
            }
            return Optional.of(updateToolHeaders(
                    request,
                    type.startsWith("application/json")
                            ? context.readResponse(request, body)
                            : RpcErrorCode.INTERNAL.toResponse("null", context.unexpectedResponseMessage(response))));
        }
    }

    /** Reads the stream of one request. If the stream ends without a response, the request has failed. */
    private RpcMessage.Response readStream(RpcMessage.Request request, InputStream body) throws IOException {
        AtomicReference<RpcMessage.Response> answer = new AtomicReference<>();
        context.readEvents(body, new Cursor(), request, message -> switch (message) {
            case RpcMessage.Response each
            when each.id().equals("null") || ResponseIds.isFor(each, request.id()) -> {
                answer.set(ResponseIds.forOnly(each, request.id()));
                yield true;
            }
            case RpcMessage.Notification notification -> {
                context.deliver(notification);
                yield false;
            }
            case RpcMessage.Response _, RpcMessage.Request _ -> {
                context.logIgnored("a message that MCP 2026-07-28 does not allow in an event stream");
                yield false;
            }
        });
        RpcMessage.Response found = answer.get();
        if (found == null) {
            throw new IOException("the event stream ended");
        }
        return found;
    }

    private RpcMessage.Response updateToolHeaders(RpcMessage.Request request, RpcMessage.Response answer) {
        return request.method().equals(LIST) && answer instanceof RpcMessage.ResultResponse(String id, String result)
                ? new RpcMessage.ResultResponse(id, toolHeaders.update(result))
                : answer;
    }

    // --- tool lists that the transport requests

    /**
     * Requests the tool list to learn which arguments are repeated in headers. If that fails, the call is sent anyway.
     */
    private void refreshTools(RpcMessage.Request call) throws IOException, InterruptedException {
        String callParams = call.params().orElse("{}");
        String meta = "{}";
        for (String name : new String[] {McpMetaFields.CAPABILITIES, McpMetaFields.CLIENT, McpMetaFields.VERSION}) {
            Optional<String> value = RawJsonEditor.at(callParams, McpMetaFields.META, name);
            meta = value.isPresent() ? RawJsonEditor.with(meta, value.get(), name) : meta;
        }
        String params = "{\"_meta\":" + meta + "}";
        Optional<String> cursor = Optional.empty();
        for (int page = 0; page < MAX_PAGES; page++) {
            Optional<String> pageCursor = cursor;
            RpcMessage.Request request = new RpcMessage.Request(
                    "\"gavel:tools\"",
                    LIST,
                    Optional.of(pageCursor
                            .map(raw -> RawJsonEditor.with(params, raw, "cursor"))
                            .orElse(params)));
            HttpResponse<InputStream> response =
                    context.requestSender.post(request, headers(request), Optional.of(LIST_TIMEOUT));
            try (InputStream body = response.body()) {
                Optional<String> result = readResult(request, response, body);
                result.ifPresent(toolHeaders::update);
                cursor = result.flatMap(raw -> RawJsonEditor.at(raw, "nextCursor"))
                        .filter(raw -> raw.startsWith("\""));
            }
            if (cursor.isEmpty()) {
                return;
            }
        }
    }

    private Optional<String> readResult(
            RpcMessage.Request request, HttpResponse<InputStream> response, InputStream body) throws IOException {
        String type = McpHttpRequestSender.contentType(response);
        Optional<RpcMessage.Response> answer = response.statusCode() != 200
                ? Optional.empty()
                : type.startsWith("text/event-stream")
                        ? Optional.of(readStream(request, body))
                        : Optional.of(context.readResponse(request, body));
        return answer.filter(RpcMessage.ResultResponse.class::isInstance)
                .map(RpcMessage.ResultResponse.class::cast)
                .map(RpcMessage.ResultResponse::result);
    }
}
