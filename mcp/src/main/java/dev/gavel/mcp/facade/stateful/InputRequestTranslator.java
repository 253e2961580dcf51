package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.CallWaiter;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.ProgressNotificationFactory;
import dev.gavel.mcp.facade.call.ResponseChannel;
import dev.gavel.mcp.facade.call.RestartableTimer;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Translates requests for input for a session client, which uses MCP 2025-11-25 or earlier. If the client's call is
 * answered with {@code input_required}, sends the requests to the client, and repeats the call with its answers.
 * Confined to the topic's loop.
 */
final class InputRequestTranslator implements InFlightClientRequest {
    /** The capability that a client declares for each method. */
    private static final Map<String, String> CAPABILITIES = Map.of(
            "elicitation/create", "elicitation",
            "sampling/createMessage", "sampling",
            "roots/list", "roots");

    /** The length of the details of a capability. Longer ones are not stored, because sessions last long. */
    private static final int MAX_DETAILS = 1_024;

    private static final int MAX_ROUNDS = 100;
    private static final int MAX_REQUESTS = 20;

    /** Shorter than the time for which a bridge waits, so that the server learns that the client did not answer. */
    private static final long ANSWER_TIMEOUT_MILLIS = 9 * 60_000;

    /** The delay before a call is repeated for a server that has no question. */
    private static final long REPEAT_DELAY_MILLIS = 200;

    private final InFlightClientRequest client;
    private final ClientInputRequests clientInputRequests;
    private final TopicCalls topicCalls;
    private final Json capabilities;
    private final String params;
    private final BiConsumer<InFlightClientRequest, String> repeat;
    private final ResponseChannel response = new InterceptingChannel();
    private final RestartableTimer repeatTimer;
    private int roundCount;

    /** The result that requests input, from when the call is answered until the client is asked. */
    private @Nullable Json inputRequired;

    /** The questions that the client is being asked, until the call is repeated. */
    private @Nullable InputRound openRound;

    /** The call that the server is running while the client is asked, until the repeated call has replaced it. */
    private @Nullable CallWaiter suspendedCall;

    /** Whether a call is in progress that can be cancelled through its waiter. */
    private boolean callInProgress;

    /**
     * Creates the request of a client.
     *
     * @param capabilities those that the client declares, limited to the ones for input
     * @param params the parameters of the call
     * @param repeat makes the call again for a request, with these parameters
     */
    InputRequestTranslator(
            InFlightClientRequest client,
            ClientInputRequests clientInputRequests,
            TopicCalls topicCalls,
            Json capabilities,
            String params,
            BiConsumer<InFlightClientRequest, String> repeat) {
        this.client = client;
        this.clientInputRequests = clientInputRequests;
        this.topicCalls = topicCalls;
        this.capabilities = capabilities;
        this.params = params;
        this.repeat = repeat;
        this.repeatTimer = new RestartableTimer(topicCalls);
    }

    /** Returns the declared capabilities that concern input. */
    static Json inputCapabilities(Json clientCapabilities) {
        Json found = Json.object();
        for (String capability : CAPABILITIES.values()) {
            Json declared = clientCapabilities.at(capability);
            if (declared.type() == Json.Type.OBJECT) {
                found = found.with(
                        capability, declared.raw().length() > MAX_DETAILS ? Json.object() : declared.detached());
            }
        }
        return found;
    }

    @Override
    public String id() {
        return client.id();
    }

    @Override
    public ResponseChannel response() {
        return response;
    }

    @Override
    public @Nullable ProgressNotificationFactory progress() {
        return client.progress();
    }

    @Override
    public void onCallStarted(CallWaiter waiter) {
        callInProgress = true;
        client.onCallStarted(waiter);
    }

    @Override
    public void respond(RpcMessage answer) {
        cancelSuspended("the call was not continued");
        client.respond(answer);
    }

    @Override
    public void onCallDone(CallWaiter waiter) {
        callInProgress = false;
        Json result = inputRequired;
        inputRequired = null;
        if (result != null) {
            ask(result, waiter);
            return;
        }
        if (waiter.call().isAccepted()) {
            suspendedCall = null;
        } else {
            cancelSuspended("the call was not continued");
        }
        client.onCallDone(waiter);
    }

    /**
     * Ends the call if it waits for input, and cancels it at the server.
     *
     * @param respond answers the client, or closes its channel
     * @return whether the call waited for input. If not, it is in progress or was not made yet
     */
    boolean endWaiting(String reason, Runnable respond) {
        CallWaiter waiter = suspendedCall;
        if (waiter == null || callInProgress) {
            return false;
        }
        cancelSuspended(reason);
        respond.run();
        client.onCallDone(waiter);
        return true;
    }

    private void cancelSuspended(String reason) {
        closeRound();
        if (suspendedCall != null) {
            suspendedCall.call().cancelSuspended(reason);
            suspendedCall = null;
        }
    }

    private void closeRound() {
        repeatTimer.cancel();
        if (openRound != null) {
            openRound.close();
            openRound = null;
        }
    }

    @Override
    public void onResponseUnread(CallWaiter waiter) {
        client.onResponseUnread(waiter);
    }

    private void ask(Json result, CallWaiter waiter) {
        suspendedCall = waiter;
        Map<String, Json> requests = result.at("inputRequests").members();
        roundCount++;
        boolean supported = requests.values().stream()
                .allMatch(each -> capabilities
                        .at(CAPABILITIES.getOrDefault(each.at("method").text(), ""))
                        .isPresent());
        if (!supported
                || roundCount > MAX_ROUNDS
                || requests.size() > MAX_REQUESTS
                || !clientInputRequests.hasPlaces(requests.size())) {
            endWaiting(
                    "the client cannot be asked",
                    () -> client.response()
                            .complete(RpcErrorCode.INTERNAL.toResponse(
                                    client.id(),
                                    supported
                                            ? "The server asks for input too often."
                                            : "The server asks for input that this client does not support.")));
            return;
        }
        String state = Optional.of(result.at("requestState"))
                .filter(each -> each.type() == Json.Type.TEXT)
                .map(Json::raw)
                .orElse("");
        InputRound round = new InputRound(state);
        openRound = round;
        round.ask(requests);
        repeatTimer.schedule(requests.isEmpty() ? REPEAT_DELAY_MILLIS : ANSWER_TIMEOUT_MILLIS, () -> repeatCall(round));
    }

    /** Makes the call again with the answers. The bridge reports missing answers to the server. */
    private void repeatCall(InputRound round) {
        closeRound();
        Json supplied = Json.write(json -> {
            json.writeStartObject();
            round.answers.forEach((key, answer) -> {
                json.writeName(key);
                json.writeRawValue(answer);
            });
            json.writeEndObject();
        });
        String repeated = RawJsonEditor.with(params, supplied.raw(), "inputResponses");
        repeated = round.state.isEmpty() ? repeated : RawJsonEditor.with(repeated, round.state, "requestState");
        try {
            repeat.accept(this, repeated);
        } catch (RuntimeException e) {
            topicCalls.respondInternalError(this, e);
        }
    }

    /** The questions of one result, with the answers so far. */
    private final class InputRound {
        private final String state;
        private final Map<String, String> answers = new LinkedHashMap<>();
        private final List<String> openIds = new ArrayList<>();

        InputRound(String state) {
            this.state = state;
        }

        void ask(Map<String, Json> requests) {
            requests.forEach((key, request) -> {
                String[] id = new String[1];
                Json given = request.at("params");
                id[0] = clientInputRequests.send(
                        client.response(),
                        request.at("method").text(),
                        given.type() == Json.Type.OBJECT ? Optional.of(given.raw()) : Optional.empty(),
                        answer -> onAnswer(key, String.valueOf(id[0]), answer));
                openIds.add(id[0]);
            });
        }

        private void onAnswer(String key, String id, RpcMessage.Response answer) {
            openIds.remove(id);
            if (answer instanceof RpcMessage.ResultResponse(String _, String result)) {
                answers.put(key, result);
            }
            if (openIds.isEmpty()) {
                repeatCall(this);
            }
        }

        /** Ignores the answers that are still missing. */
        void close() {
            openIds.forEach(clientInputRequests::remove);
            openIds.clear();
        }
    }

    /** The client's channel. It holds back a response that requests input. */
    private final class InterceptingChannel implements ResponseChannel {
        @Override
        public boolean hasReader() {
            return client.response().hasReader();
        }

        @Override
        public boolean isClosed() {
            return client.response().isClosed();
        }

        @Override
        public void start() {
            client.response().start();
        }

        @Override
        public void send(String line) {
            client.response().send(line);
        }

        @Override
        public void sendReplaceable(RpcMessage message) {
            client.response().sendReplaceable(message);
        }

        @Override
        public void complete(RpcMessage message) {
            if (message instanceof RpcMessage.ResultResponse(String _, String result)
                    && RawJsonEditor.at(result, "resultType")
                            .filter("\"input_required\""::equals)
                            .isPresent()) {
                inputRequired = Json.parse(result).orElseGet(Json::object);
            } else {
                client.response().complete(message);
            }
        }

        @Override
        public void close() {
            client.response().close();
        }
    }
}
