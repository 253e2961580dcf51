package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.CanonicalJsonWriter;
import dev.gavel.mcpx.json.Json;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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

    /** The limit on the lengths of the suspended calls, with their requests and the server's responses. */
    private static final long MAX_LENGTH = 64L * 1024 * 1024;

    private static final String CALL_ENDED = "The call that this request belongs to has ended.";
    /** The parameters that belong to one attempt to make a call, and not to the call itself. */
    private static final List<String> ATTEMPT_PARAMS = List.of(McpMetaFields.META, "inputResponses", "requestState");

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

        /** Whether the server may still run the call. */
        boolean mayRun() {
            RpcMessage.Response answer = response;
            return answer == null || ServerResponseAction.isUnavailable(answer);
        }

        long length() {
            RpcMessage.Response answer = response;
            return topicRequest.envelopeLength()
                    + requests.values().stream()
                            .mapToLong(each -> lengthOf(each.request))
                            .sum()
                    + (answer == null ? 0 : lengthOf(answer));
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

    private static long lengthOf(RpcMessage.Request request) {
        return (long) request.id().length() + request.params().orElse("").length();
    }

    private static long lengthOf(RpcMessage.Response response) {
        return switch (response) {
            case RpcMessage.ResultResponse(String _, String result) -> result.length();
            case RpcMessage.ErrorResponse(String _, String error) -> error.length();
        };
    }

    /**
     * Whether a member's calls have room for this much more. A member can use at most as much as is free, so that one
     * member cannot block the server's requests to others.
     */
    private boolean hasRoom(String member, long added) {
        long all = 0;
        long own = added;
        for (SuspendedCall each : suspendedCalls.values()) {
            long length = each.length();
            all += length;
            own += each.topicRequest.from().equals(member) ? length : 0;
        }
        return own <= MAX_LENGTH - all;
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
            Optional<String> problem =
                    topicRequest == null ? Optional.of(CALL_ENDED) : problem(topicRequest, existing, request, params);
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
                refuse(remove(id), CALL_ENDED);
            } else {
                respondInputRequired(id, removed);
            }
        }
    }

    private Optional<String> problem(
            TopicRequest topicRequest, @Nullable SuspendedCall suspended, RpcMessage.Request request, String params) {
        String method = request.method();
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
        } else if (!hasRoom(
                topicRequest.from(), lengthOf(request) + (suspended == null ? topicRequest.envelopeLength() : 0))) {
            return Optional.of("The calls that wait for input are too large in total.");
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
                            && isSameTarget(entry.getValue().topicRequest, topicRequest))
                    .findFirst();
            if (found.isEmpty()) {
                refuseInput(topicRequest, "'" + name + "' does not wait for this input any more.");
                return new ResumeResult.Handled();
            }
            if (!hasSameArguments(found.get().getValue().topicRequest, topicRequest)) {
                refuseInput(
                        topicRequest,
                        "'" + name + "' waits for this input for a call with other arguments. Supply it with the same"
                                + " arguments.");
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

    private void refuseInput(TopicRequest topicRequest, String reason) {
        publisher.respond(
                topicRequest,
                RpcErrorCode.INVALID_PARAMS.toResponse(
                        "null", reason + " To start a new call, leave out 'inputResponses' and 'requestState'."));
    }

    private static boolean isSameTarget(TopicRequest first, TopicRequest repeated) {
        return first.from().equals(repeated.from())
                && first.kind().equals(repeated.kind())
                && repeated.proposal().isEmpty();
    }

    /** Whether the call that runs is the one that the members of the topic see in the repeated request. */
    private static boolean hasSameArguments(TopicRequest first, TopicRequest repeated) {
        return callParams(first).equals(callParams(repeated));
    }

    /** Returns a text that the parameters of equal calls have in common. */
    private static String callParams(TopicRequest topicRequest) {
        String params = topicRequest.params().orElse("{}");
        return Json.parse(params)
                .map(json -> {
                    Map<String, Json> members = new LinkedHashMap<>(json.members());
                    ATTEMPT_PARAMS.forEach(members::remove);
                    return CanonicalJsonWriter.writeWithNumbersAsSent(members);
                })
                .orElse(params);
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
            // The answer to the only suspended call has its own limit.
            boolean fits = suspendedCalls.size() == 1 || hasRoom(suspended.topicRequest.from(), lengthOf(response));
            suspended.response = fits ? response : responseWithoutRoom();
        }
        return suspended != null;
    }

    private RpcMessage.Response responseWithoutRoom() {
        String problem = "The calls that wait for input are too large in total, so the server's answer was dropped.";
        publisher.recordUndelivered(problem);
        return RpcErrorCode.UNSENDABLE.toResponse("null", problem);
    }

    /** Ends a suspended call that is cancelled. Returns its id; empty if there is no such call. */
    Optional<String> cancel(Predicate<TopicRequest> isCancelled) {
        Optional<String> id;
        synchronized (this) {
            id = suspendedCalls.entrySet().stream()
                    .filter(entry -> isCancelled.test(entry.getValue().topicRequest))
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

    /** Ends a suspended call that the server may still run. */
    private void end(String id, String reason) {
        List<RpcMessage.Request> unanswered;
        synchronized (this) {
            SuspendedCall ended = suspendedCalls.get(id);
            if (ended != null && ended.mayRun()) {
                // A request that the server sends for it from now on must not go to another member.
                cancelled.addAnswered(id, ended.topicRequest.from()).forEach(session::ignoreResponse);
            }
            unanswered = remove(id);
        }
        refuse(unanswered, reason);
    }

    /** Removes a call that is not suspended any more. Returns the requests that the server needs a response to. */
    private synchronized List<RpcMessage.Request> remove(String id) {
        SuspendedCall removed = suspendedCalls.remove(id);
        return removed == null
                ? List.of()
                : removed.requests.values().stream().map(each -> each.request).toList();
    }

    private void refuse(List<RpcMessage.Request> unanswered, String reason) {
        unanswered.forEach(each -> session.respond(RpcErrorCode.INTERNAL.toResponse(each.id(), reason)));
    }
}
