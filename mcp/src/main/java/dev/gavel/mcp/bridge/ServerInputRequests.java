package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Passes the requests for input that a server of MCP 2025-11-25 or earlier sends during a call to the member that made
 * the call. The member gets them as an {@code input_required} result, as in MCP 2026-07-28, and repeats the call with its
 * answers. At the server, the call continues all the time. No method blocks. Thread-safe.
 */
final class ServerInputRequests {
    /** How long the caller may take to repeat the call. A cancelled call may still send requests for this time. */
    static final Duration TIMEOUT = Duration.ofMinutes(10);

    private static final String STATE_PREFIX = "gavel-input-";
    private static final int MAX_SUSPENDED = 200;
    private static final int MAX_SUSPENDED_PER_MEMBER = 20;
    private static final int MAX_REQUESTS_PER_CALL = 20;
    private static final int MAX_PARAMS_LENGTH = 512 * 1024;
    private static final String CALL_ENDED = "The call that this request belongs to has ended.";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String name;
    private final McpClientSession session;
    private final InFlightRequests inFlight;
    private final CancelledRequests cancelled;
    private final BridgePublisher publisher;
    private final Map<String, SuspendedCall> suspendedCalls = new LinkedHashMap<>();

    /** A call that the server is running while its caller collects input. */
    private static final class SuspendedCall {
        TopicRequest topicRequest;
        String state = newState();
        final Map<String, ServerRequest> requests = new LinkedHashMap<>();
        int requestCount;
        long since = System.nanoTime();

        /** The server's response to the call, or null if the server waits for the input. */
        RpcMessage.@Nullable Response response;

        SuspendedCall(TopicRequest topicRequest) {
            this.topicRequest = topicRequest;
        }

        void add(RpcMessage.Request request) {
            requestCount++;
            requests.put("input-" + requestCount, new ServerRequest(request));
        }
    }

    /** A request of the server that is not answered yet. */
    private static final class ServerRequest {
        final RpcMessage.Request request;

        /** Whether the caller has received the request. */
        boolean shown;

        ServerRequest(RpcMessage.Request request) {
            this.request = request;
        }
    }

    ServerInputRequests(
            String name,
            McpClientSession session,
            InFlightRequests inFlight,
            CancelledRequests cancelled,
            BridgePublisher publisher) {
        this.name = name;
        this.session = session;
        this.inFlight = inFlight;
        this.cancelled = cancelled;
        this.publisher = publisher;
    }

    private static String newState() {
        byte[] random = new byte[16];
        RANDOM.nextBytes(random);
        return STATE_PREFIX + HexFormat.of().formatHex(random);
    }

    // --- requests of the server

    /**
     * Handles a request of the server: asks the caller that it belongs to, or refuses it.
     *
     * @param relatedRequest the id of the call that the server is running, if the transport shows it
     */
    void onServerRequest(RpcMessage.Request request, Optional<String> relatedRequest) {
        String params = request.params().orElse("{}");
        if (!InputRequiredResult.isInputMethod(request.method())) {
            refuse(request, "This client does not support the method of this request.");
        } else if (params.length() > MAX_PARAMS_LENGTH) {
            refuse(request, "The parameters of this request are longer than " + MAX_PARAMS_LENGTH + " characters.");
        } else {
            findCall(relatedRequest)
                    .ifPresentOrElse(
                            id -> ask(id, request, params),
                            () -> refuse(
                                    request,
                                    "This request cannot be passed on: no call is in progress, or it is not clear to"
                                            + " which call the request belongs."));
        }
    }

    private void refuse(RpcMessage.Request request, String reason) {
        session.respond(RpcErrorCode.METHOD_NOT_FOUND.toResponse(request.id(), reason));
    }

    /**
     * Returns the id of the call that a request of the server belongs to. Without a relation, it is the only call in
     * progress: with several, a member could get a request that belongs to the call of another one.
     */
    private Optional<String> findCall(Optional<String> relatedRequest) {
        if (relatedRequest.isPresent()) {
            return relatedRequest;
        }
        List<String> ids;
        synchronized (this) {
            ids = Stream.concat(inFlight.ids().stream(), suspendedCalls.keySet().stream())
                    .distinct()
                    .toList();
        }
        return ids.size() == 1
                ? Optional.of(ids.getFirst())
                        .filter(id -> caller(id)
                                .filter(member -> !cancelled.hasRecentOfOthers(member, TIMEOUT))
                                .isPresent())
                : Optional.empty();
    }

    private synchronized Optional<String> caller(String id) {
        SuspendedCall suspended = suspendedCalls.get(id);
        return suspended == null
                ? inFlight.get(id).map(TopicRequest::from)
                : Optional.of(suspended.topicRequest.from());
    }

    private void ask(String id, RpcMessage.Request request, String params) {
        boolean first;
        synchronized (this) {
            SuspendedCall existing = suspendedCalls.get(id);
            TopicRequest topicRequest = existing == null ? inFlight.get(id).orElse(null) : existing.topicRequest;
            Optional<String> problem = topicRequest == null
                    ? Optional.of(CALL_ENDED)
                    : problem(topicRequest, existing, request.method(), params);
            if (topicRequest == null || problem.isPresent()) {
                refuse(request, problem.orElse(CALL_ENDED));
                return;
            }
            first = existing == null;
            suspendedCalls
                    .computeIfAbsent(id, _ -> new SuspendedCall(topicRequest))
                    .add(request);
        }
        if (first) {
            // From here on, the call is in both tables until the caller is answered, so that no response is lost.
            TopicRequest removed = inFlight.remove(id);
            if (removed == null) {
                end(id, CALL_ENDED);
            } else {
                respondInputRequired(id, removed);
            }
        }
    }

    private Optional<String> problem(
            TopicRequest topicRequest, @Nullable SuspendedCall suspended, String method, String params) {
        long own = suspendedCalls.values().stream()
                .filter(each -> each.topicRequest.from().equals(topicRequest.from()))
                .count();
        if (topicRequest.proposal().isPresent()) {
            return Optional.of("The call must run exactly as it was approved, so it cannot get more input.");
        } else if (!InputRequiredResult.isSupportedBy(topicRequest.clientCapabilities(), method, params)) {
            return Optional.of("The caller of this call does not support " + method + ".");
        } else if (suspended == null
                ? suspendedCalls.size() >= MAX_SUSPENDED || own >= MAX_SUSPENDED_PER_MEMBER
                : suspended.requests.size() >= MAX_REQUESTS_PER_CALL) {
            return Optional.of("Too many requests for input are in progress.");
        }
        return Optional.empty();
    }

    /** Answers the caller with the requests that it has not received yet. */
    private void respondInputRequired(String id, TopicRequest topicRequest) {
        String result;
        synchronized (this) {
            SuspendedCall suspended = suspendedCalls.get(id);
            if (suspended == null) {
                return;
            }
            List<Map.Entry<String, ServerRequest>> added = suspended.requests.entrySet().stream()
                    .filter(entry -> !entry.getValue().shown)
                    .toList();
            added.forEach(entry -> entry.getValue().shown = true);
            String state = suspended.state;
            result = Json.write(json -> {
                        json.writeStartObject();
                        json.writeStringProperty(ServerResponseAction.RESULT_TYPE, "input_required");
                        json.writeObjectPropertyStart("inputRequests");
                        added.forEach(entry -> {
                            RpcMessage.Request request = entry.getValue().request;
                            json.writeObjectPropertyStart(entry.getKey());
                            json.writeStringProperty("method", request.method());
                            request.params().ifPresent(params -> {
                                json.writeName("params");
                                json.writeRawValue(params);
                            });
                            json.writeEndObject();
                        });
                        json.writeEndObject();
                        json.writeStringProperty("requestState", state);
                        json.writeEndObject();
                    })
                    .raw();
        }
        publisher.respond(topicRequest, new RpcMessage.ResultResponse("null", result));
    }

    /** Drops a request that the server has cancelled. */
    synchronized void onServerCancelled(RpcMessage.Notification cancellation) {
        Optional<String> requestId = cancellation.params().flatMap(raw -> RawJsonEditor.at(raw, "requestId"));
        requestId.ifPresent(cancelledId -> suspendedCalls
                .values()
                .forEach(suspended -> suspended
                        .requests
                        .values()
                        .removeIf(each -> each.request.id().equals(cancelledId))));
    }

    // --- the caller

    /** The result of a request that continues a suspended call. */
    sealed interface ResumeResult {
        /** The request does not continue a call. */
        record Unrelated() implements ResumeResult {}

        /** The request is answered or waits for the server. */
        record Handled() implements ResumeResult {}

        /** The server has answered the call in the meantime. */
        record Answered(String id, RpcMessage.Response response) implements ResumeResult {}
    }

    /** Continues a suspended call if a request repeats it with answers. */
    ResumeResult resume(TopicRequest topicRequest) {
        Optional<String> state = topicRequest
                .params()
                .flatMap(raw -> RawJsonEditor.at(raw, "requestState"))
                .flatMap(Json::parse)
                .flatMap(Json::asText)
                .filter(text -> text.startsWith(STATE_PREFIX));
        if (state.isEmpty() || session.isStateless()) {
            return new ResumeResult.Unrelated();
        }
        String id;
        SuspendedCall suspended;
        List<RpcMessage.Response> answers;
        boolean more;
        synchronized (this) {
            Optional<Map.Entry<String, SuspendedCall>> found = suspendedCalls.entrySet().stream()
                    .filter(entry -> entry.getValue().state.equals(state.get())
                            && isSameCall(entry.getValue().topicRequest, topicRequest))
                    .findFirst();
            if (found.isEmpty()) {
                publisher.respond(
                        topicRequest,
                        RpcErrorCode.INVALID_PARAMS.toResponse(
                                "null",
                                "'" + name + "' does not wait for this input any more. Call again without"
                                        + " 'inputResponses' and 'requestState'."));
                return new ResumeResult.Handled();
            }
            id = found.get().getKey();
            suspended = found.get().getValue();
            answers = takeAnswers(suspended, topicRequest.params().orElse("{}"));
            more = !suspended.requests.isEmpty() && suspended.response == null;
            suspended.topicRequest = topicRequest;
            suspended.state = newState();
            suspended.since = System.nanoTime();
            if (!more) {
                inFlight.addRunning(id, topicRequest);
                suspendedCalls.remove(id);
            }
        }
        answers.forEach(session::respond);
        if (more) {
            respondInputRequired(id, topicRequest);
            return new ResumeResult.Handled();
        }
        RpcMessage.Response response = suspended.response;
        return response == null ? new ResumeResult.Handled() : new ResumeResult.Answered(id, response);
    }

    private static boolean isSameCall(TopicRequest first, TopicRequest repeated) {
        return first.from().equals(repeated.from())
                && first.kind().equals(repeated.kind())
                && repeated.proposal().isEmpty();
    }

    /** Removes the requests that the caller has received, and returns the responses to the server. */
    private List<RpcMessage.Response> takeAnswers(SuspendedCall suspended, String params) {
        List<RpcMessage.Response> answers = new ArrayList<>();
        suspended.requests.entrySet().removeIf(entry -> {
            ServerRequest each = entry.getValue();
            if (each.shown) {
                answers.add(RawJsonEditor.at(params, "inputResponses", entry.getKey())
                        .filter(raw -> raw.startsWith("{"))
                        .<RpcMessage.Response>map(raw -> new RpcMessage.ResultResponse(each.request.id(), raw))
                        .orElseGet(() -> RpcErrorCode.INTERNAL.toResponse(
                                each.request.id(), "The caller did not answer this request.")));
            }
            return each.shown;
        });
        return answers;
    }

    /**
     * Stores the server's response to a suspended call until the caller repeats the call. Returns false if the call is
     * not suspended.
     */
    synchronized boolean storeResponse(String id, RpcMessage.Response response) {
        SuspendedCall suspended = suspendedCalls.get(id);
        if (suspended != null) {
            suspended.response = response;
        }
        return suspended != null;
    }

    /** Ends a suspended call that its caller cancels. Returns its id; empty if there is no such call. */
    Optional<String> cancel(String member, String envelopeId) {
        Optional<String> id;
        synchronized (this) {
            id = suspendedCalls.entrySet().stream()
                    .filter(entry -> entry.getValue().topicRequest.from().equals(member)
                            && entry.getValue().topicRequest.envelopeId().equals(envelopeId))
                    .map(Map.Entry::getKey)
                    .findFirst();
        }
        id.ifPresent(each -> end(each, "The caller has cancelled the call."));
        return id;
    }

    /** Ends the calls whose callers took too long, and returns their ids. */
    List<String> expire(Duration timeout) {
        List<String> ids;
        synchronized (this) {
            long now = System.nanoTime();
            ids = suspendedCalls.entrySet().stream()
                    .filter(entry -> now - entry.getValue().since >= timeout.toNanos())
                    .map(Map.Entry::getKey)
                    .toList();
        }
        ids.forEach(id -> end(id, "The caller did not answer this request in time."));
        return ids;
    }

    private void end(String id, String reason) {
        List<RpcMessage.Request> unanswered = new ArrayList<>();
        synchronized (this) {
            SuspendedCall removed = suspendedCalls.remove(id);
            if (removed != null) {
                removed.requests.values().forEach(each -> unanswered.add(each.request));
            }
        }
        unanswered.forEach(each -> session.respond(RpcErrorCode.INTERNAL.toResponse(each.id(), reason)));
    }
}
