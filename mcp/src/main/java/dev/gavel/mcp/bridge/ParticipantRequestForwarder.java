package dev.gavel.mcp.bridge;

import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards participants' requests to the bridged server and returns responses and progress; handles cancellation, retry
 * and expiry. No method blocks. Thread-safe.
 */
final class ParticipantRequestForwarder {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final String name;
    private final String topic;
    private final McpClientSession mcpClientSession;
    private final BridgePublisher publisher;
    private final ProposalProposerCache proposerCache;
    private final BooleanSupplier isOwner;
    private final InFlightRequests inFlight = new InFlightRequests();
    private final CancelledRequests cancelled = new CancelledRequests();
    private final ServerTasks tasks;
    private final ServerInputRequests inputs;
    private volatile boolean closed;

    /**
     * Creates a forwarder without requests in flight.
     *
     * @param ownerCheck whether this process still owns the bridge and may run calls
     */
    ParticipantRequestForwarder(
            String name,
            String topic,
            McpClientSession session,
            BridgePublisher bridgePublisher,
            ProposalProposerCache proposerCache,
            BooleanSupplier ownerCheck) {
        this.name = name;
        this.topic = topic;
        this.mcpClientSession = session;
        this.tasks = new ServerTasks(session);
        this.publisher = bridgePublisher;
        this.proposerCache = proposerCache;
        this.isOwner = ownerCheck;
        this.inputs = new ServerInputRequests(name, session, inFlight, cancelled, bridgePublisher);
    }

    /**
     * Sends a request to the server when a check has passed, unless the same request is already in flight. The request
     * can be cancelled during the check.
     *
     * @param check completes with the error to respond with, or empty if the server may run the request
     * @param asTask completes with whether the server can run the request only as a task
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the callback responds
    void forward(
            TopicRequest topicRequest,
            CompletableFuture<Optional<RpcMessage.ErrorResponse>> check,
            CompletableFuture<Boolean> asTask) {
        if (isRunning(topicRequest)) {
            onRepeatedId(topicRequest);
            return;
        }
        // A late answer to a cancelled request with this id could be taken for the answer to this request.
        cancelled.evictIf(topicRequest::hasSameId).forEach(mcpClientSession::ignoreResponse);
        switch (inputs.resume(topicRequest)) {
            case ServerInputRequests.ResumeResult.Handled _ -> {
                return;
            }
            case ServerInputRequests.ResumeResult.Answered(String resumedId, RpcMessage.Response response) -> {
                respondFromServer(resumedId, response);
                return;
            }
            case ServerInputRequests.ResumeResult.Unrelated _ -> {}
        }
        String id = mcpClientSession.nextId();
        if (!inFlight.add(id, topicRequest)) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.BUSY.toResponse(
                            "null",
                            "The call has not run: too many calls are in progress on '" + name + "'. "
                                    + (topicRequest.proposal().isPresent()
                                            ? "Propose it again later."
                                            : "Try again when some of your calls have ended.")));
            return;
        }
        check.exceptionally(failure -> {
                    log.error("A request for '{}' could not be checked.", name, failure);
                    return Optional.of(RpcErrorCode.UNAVAILABLE.toResponse(
                            "null", "'" + name + "' did not run the request, because it could not be checked."));
                })
                .thenAcceptBoth(
                        asTask,
                        (error, task) -> error.ifPresentOrElse(
                                response -> respond(id, response),
                                () -> inFlight.ifOpen(
                                        id, _ -> send(id, topicRequest, topicRequest.params(), 0, task))));
    }

    /** Responds with what the server, or the connection to it, has answered. */
    private void respondFromServer(String id, RpcMessage.Response response) {
        if (ServerResponseAction.isUnavailable(response)) {
            // The server may still run the call, and ask for its input.
            inFlight.get(id)
                    .ifPresent(
                            each -> cancelled.addAnswered(id, each.from()).forEach(mcpClientSession::ignoreResponse));
        }
        respond(id, response);
    }

    private void respond(String id, RpcMessage.Response response) {
        TopicRequest removed = inFlight.remove(id);
        if (removed == null && inputs.storeResponse(id, response)) {
            return;
        }
        if (removed == null) {
            // The caller may have continued the call since the first look.
            removed = inFlight.remove(id);
        }
        if (removed != null) {
            publisher.respond(removed, response);
        } else if (!ServerResponseAction.isUnavailable(response)) {
            // A server can answer a request although it was cancelled. This answer says whether the call ran.
            cancelled.remove(id).ifPresent(topicRequest -> publisher.respond(topicRequest, response));
        }
    }

    /** Sends a request to the server. A cancellation waits until the request is sent. */
    private void send(
            String id, TopicRequest topicRequest, Optional<String> originalParams, int round, boolean asTask) {
        boolean owner = isOwner.getAsBoolean();
        if (!owner || closed) {
            rejectUnrun(id, topicRequest, owner, round);
            return;
        }
        Optional<String> params = originalParams
                .map(raw -> RawJsonEditor.replace(raw, id, McpMetaFields.META, "progressToken")
                        .orElse(raw))
                .map(raw -> topicRequest.withTraceParent(raw, topic))
                .map(raw -> asTask ? ServerTasks.withTask(raw) : raw);
        mcpClientSession.sendRequest(
                id, topicRequest.method(), params, topicRequest.proposal().isEmpty(), response -> {
                    if (asTask) {
                        onTaskStarted(id, response);
                        return;
                    }
                    switch (ServerResponseAction.decide(
                            name, mcpClientSession.isStateless(), topicRequest, response, round)) {
                        case ServerResponseAction.Deliver(RpcMessage.Response finalResponse) ->
                            respondFromServer(id, withUnknownOutcome(finalResponse));
                        case ServerResponseAction.Retry(String requestState, Duration delay) ->
                            retry(id, topicRequest, requestState, round, delay);
                    }
                });
    }

    private void onTaskStarted(String id, RpcMessage.Response response) {
        tasks.onStarted(
                id,
                response,
                result -> respondFromServer(id, withUnknownOutcome(ServerResponseAction.normalize(result, false))));
        if (inFlight.get(id).isEmpty()) {
            // The request was cancelled before the server had created the task.
            tasks.cancel(id);
        }
    }

    /**
     * Removes a request that is not run, or not retried. Responds to it, unless another process may run it.
     *
     * @param owner whether this process still owns the bridge
     */
    private void rejectUnrun(String id, TopicRequest topicRequest, boolean owner, int round) {
        if (inFlight.remove(id) == null) {
            return;
        }
        if (round > 0) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.UNAVAILABLE.toResponse(
                            "null",
                            "The bridge '" + name
                                    + "' is shutting down. It is not known whether the call ran. Check before you"
                                    + " call it again."));
        } else if (owner) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.UNAVAILABLE.toResponse(
                            "null",
                            "The bridge '" + name + "' is shutting down. The call has not run. Call it again."));
        } else {
            // No response is sent: the process that now owns the bridge may run the call, and the response is up to it.
            log.warn("Bridge {}: a call was not run, because another process now runs this bridge.", name);
        }
    }

    /** Stops running requests. Later requests are answered with an error. */
    void close() {
        closed = true;
    }

    /**
     * Responds to a request that an earlier process received and left unanswered. Whether that process ran the call is
     * not known.
     */
    void failAbandoned(TopicRequest topicRequest) {
        if (!isRunning(topicRequest)) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.UNAVAILABLE.toResponse(
                            "null",
                            "The process that ran the bridge '" + name + "' ended before it answered. It is not known"
                                    + " whether the call ran. Check before you call it again."));
        }
    }

    private boolean isRunning(TopicRequest topicRequest) {
        return inFlight.find(topicRequest::hasSameId).isPresent();
    }

    /**
     * Handles a request whose id belongs to a request in progress. The same request is ignored: it was delivered twice.
     * Another one cannot run, because its answer could be taken for the answer to the first one. The gateway refuses
     * such requests, but two gateways can accept them at the same time.
     */
    private void onRepeatedId(TopicRequest topicRequest) {
        if (inFlight.find(topicRequest::isSameRequest).isPresent()) {
            return;
        }
        log.warn("Bridge {}: a request was not run, because another request with the same id is in progress.", name);
        // The answer to a request that fulfils a proposal is the proposal's answer. Of two such requests, or if the
        // first one fulfils a proposal, an error would be taken for the answer of the first one.
        if (topicRequest.proposal().isPresent()
                && inFlight.find(each ->
                                topicRequest.hasSameId(each) && each.proposal().isPresent())
                        .isEmpty()) {
            publisher.respond(
                    topicRequest,
                    RpcErrorCode.INVALID_REQUEST.toResponse(
                            "null",
                            "The call has not run, because another request with the same id is in progress. Propose it"
                                    + " again."));
        }
    }

    /** If the connection to the server was lost, adds to the error that the outcome of the call is not known. */
    private static RpcMessage.Response withUnknownOutcome(RpcMessage.Response response) {
        return response instanceof RpcMessage.ErrorResponse errorResponse
                        && ServerResponseAction.isUnavailable(response)
                ? RpcErrorCode.UNAVAILABLE.toResponse(
                        errorResponse.id(),
                        "No result: " + errorResponse.message()
                                + ". It is not known whether the call ran. Check before you call it again.")
                : response;
    }

    private void retry(String id, TopicRequest topicRequest, String requestState, int round, Duration delay) {
        String next = mcpClientSession.nextId();
        if (!inFlight.rekey(id, next)) {
            return;
        }
        Thread.ofVirtual().name("bridge " + name + " again").start(() -> {
            try {
                Thread.sleep(delay);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            String params = RawJsonEditor.with(topicRequest.params().orElse("{}"), requestState, "requestState");
            inFlight.ifOpen(next, _ -> send(next, topicRequest, Optional.of(params), round + 1, false));
        });
    }

    /** Fails the requests for which the server has sent neither response nor progress for this time. */
    void expireSilent(Duration silence) {
        inFlight.idleFor(silence).forEach(this::expire);
        inputs.expire(ServerInputRequests.TIMEOUT)
                .forEach(id -> cancelOnServer(id, Optional.of("the caller supplied no input within the time limit")));
    }

    private void expire(String id) {
        inFlight.get(id)
                .ifPresent(each -> cancelled.addAnswered(id, each.from()).forEach(mcpClientSession::ignoreResponse));
        TopicRequest removed = inFlight.remove(id);
        if (removed != null) {
            cancelOnServer(id, Optional.of("no answer and no progress within the time limit"));
            publisher.respond(
                    removed,
                    RpcErrorCode.UNAVAILABLE.toResponse(
                            "null",
                            "The server '" + name + "' sent neither an answer nor progress for an hour. It is not known"
                                    + " whether the call ran. Check before you call it again."));
        }
    }

    private void cancelOnServer(String id, Optional<String> reason) {
        // A request that was not sent yet is unknown to the server.
        if (!tasks.cancel(id) && mcpClientSession.ignoreResponse(id)) {
            sendCancellation(id, reason);
        }
    }

    private void sendCancellation(String id, Optional<String> reason) {
        mcpClientSession.sendNotification(
                NotificationEnvelopeFactory.CANCELLED_METHOD,
                NotificationEnvelopeFactory.cancellationParams(id, reason));
    }

    /**
     * Cancels a request. Its requester, the proposer of its proposal, and the gateway on behalf of either may do so.
     */
    void cancel(Envelope envelope) {
        Json params = PayloadJsonConverter.of(envelope).at("params");
        Json requestedId = params.at("requestId");
        String from = String.valueOf(envelope.from());
        Predicate<TopicRequest> isCancelled = topicRequest -> {
            boolean requester = topicRequest.from().equals(from);
            boolean authorized = requester
                    || from.equals(SystemMessage.GATEWAY)
                    || topicRequest
                            .proposal()
                            .flatMap(proposerCache::find)
                            .filter(from::equals)
                            .isPresent();
            return authorized
                    && (requestedId
                                    .asText()
                                    .filter(topicRequest.envelopeId()::equals)
                                    .isPresent()
                            || (requester
                                    && requestedId.isPresent()
                                    && requestedId.raw().equals(topicRequest.id())));
        };
        Optional<String> requestId = inFlight.find(isCancelled);
        if (requestId.isEmpty()) {
            cancelSuspended(isCancelled, params.at("reason").asText());
            return;
        }
        String id = requestId.get();
        // The server may run the call nevertheless, so its answer still counts. The request is added to the cancelled
        // ones first, so that the answer always finds it.
        inFlight.get(id).ifPresent(each -> cancelled.add(id, each).forEach(mcpClientSession::ignoreResponse));
        TopicRequest removed = inFlight.remove(id);
        boolean sent = mcpClientSession.isAwaitingResponse(id);
        boolean task = removed != null && tasks.cancel(id);
        if (removed == null || !(sent || task)) {
            cancelled.remove(id);
        }
        if (removed == null) {
            // The server has just answered the call, or asked for input.
            cancelSuspended(isCancelled, params.at("reason").asText());
            return;
        }
        if (sent) {
            sendCancellation(id, params.at("reason").asText());
        }
        // It names no member: with 'showApprovers: false', the proposer must not learn who cancelled the call.
        publisher.respond(
                removed,
                RpcErrorCode.CANCELLED.toResponse(
                        "null", "Cancelled. It is not known whether the call ran. Check before you call it again."));
    }

    private void cancelSuspended(Predicate<TopicRequest> isCancelled, Optional<String> reason) {
        inputs.cancel(isCancelled).ifPresent(id -> cancelOnServer(id, reason));
    }

    /** Passes a request of the server on to the caller that it belongs to, or refuses it. */
    void onServerRequest(RpcMessage.Request request, Optional<String> relatedRequest) {
        inputs.onServerRequest(request, relatedRequest.map(tasks::starterOf));
    }

    /** Drops a request that the server has cancelled. */
    void onServerCancelled(RpcMessage.Notification cancellation) {
        inputs.onServerCancelled(cancellation);
    }

    /** Passes the server's progress on to the requester, under the progress token that the requester gave. */
    void onProgress(RpcMessage.Notification notification) {
        Optional<String> token = notification.params().flatMap(raw -> RawJsonEditor.at(raw, "progressToken"));
        if (token.isEmpty()) {
            return;
        }
        boolean allowed = publisher.tryAcquireNotification();
        // ifOpen holds the request's lock, so that no progress follows the response.
        inFlight.ifOpen(
                token.get(),
                topicRequest -> topicRequest
                        .progressToken()
                        .filter(original -> allowed)
                        .flatMap(original -> notification
                                .params()
                                .flatMap(raw -> RawJsonEditor.replace(raw, original, "progressToken")))
                        .ifPresent(params -> publisher.sendNotification(topicRequest.progressEnvelope(params))));
    }
}
