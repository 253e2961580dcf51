package dev.gavel.mcp.facade.stateful;

import dev.gavel.mcp.facade.call.CallWaiter;
import dev.gavel.mcp.facade.call.InFlightClientRequest;
import dev.gavel.mcp.facade.call.ProgressNotificationFactory;
import dev.gavel.mcp.facade.call.ResponseChannel;
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
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Translates requests for input for a session client, which uses MCP 2025-11-25 or earlier. If the client's call is
 * answered with {@code input_required}, sends the requests to the client, and repeats the call with its answers.
 * Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a task that is obsolete when it runs does nothing
final class InputRequestTranslator implements InFlightClientRequest {
    /** The capability that a client declares for each method. */
    private static final Map<String, String> CAPABILITIES = Map.of(
            "elicitation/create", "elicitation",
            "sampling/createMessage", "sampling",
            "roots/list", "roots");

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
    private int round;

    /** The result that requests input, from when the call is answered until the client is asked. */
    private @Nullable Json inputRequired;

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
    }

    /** Returns the declared capabilities that concern input. */
    static Json inputCapabilities(Json clientCapabilities) {
        Json found = Json.object();
        for (String capability : CAPABILITIES.values()) {
            Json declared = clientCapabilities.at(capability);
            found = declared.type() == Json.Type.OBJECT ? found.with(capability, declared.detached()) : found;
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
        client.onCallStarted(waiter);
    }

    @Override
    public void respond(RpcMessage answer) {
        client.respond(answer);
    }

    @Override
    public void onCallDone(CallWaiter waiter) {
        Json result = inputRequired;
        inputRequired = null;
        if (result == null) {
            client.onCallDone(waiter);
        } else {
            ask(result, waiter);
        }
    }

    @Override
    public void onResponseUnread(CallWaiter waiter) {
        client.onResponseUnread(waiter);
    }

    private void ask(Json result, CallWaiter waiter) {
        Map<String, Json> requests = result.at("inputRequests").members();
        round++;
        boolean supported = requests.values().stream()
                .allMatch(each -> capabilities
                        .at(CAPABILITIES.getOrDefault(each.at("method").text(), ""))
                        .isPresent());
        if (!supported
                || round > MAX_ROUNDS
                || requests.size() > MAX_REQUESTS
                || !clientInputRequests.hasPlaces(requests.size())) {
            client.response()
                    .complete(RpcErrorCode.INTERNAL.toResponse(
                            client.id(),
                            supported
                                    ? "The server asks for input too often."
                                    : "The server asks for input that this client does not support."));
            client.onCallDone(waiter);
            return;
        }
        String state = Optional.of(result.at("requestState"))
                .filter(each -> each.type() == Json.Type.TEXT)
                .map(Json::raw)
                .orElse("");
        new InputRound(round, state).ask(requests);
    }

    /** The questions of one result, with the answers so far. */
    private final class InputRound {
        private final int number;
        private final String state;
        private final Map<String, String> answers = new LinkedHashMap<>();
        private final List<String> openIds = new ArrayList<>();
        private boolean done;

        InputRound(int number, String state) {
            this.number = number;
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
            topicCalls
                    .topic()
                    .loop()
                    .schedule(
                            this::repeatCall,
                            requests.isEmpty() ? REPEAT_DELAY_MILLIS : ANSWER_TIMEOUT_MILLIS,
                            TimeUnit.MILLISECONDS);
        }

        private void onAnswer(String key, String id, RpcMessage.Response answer) {
            openIds.remove(id);
            if (answer instanceof RpcMessage.ResultResponse(String _, String result)) {
                answers.put(key, result);
            }
            if (openIds.isEmpty()) {
                repeatCall();
            }
        }

        /** Makes the call again with the answers. The bridge reports missing answers to the server. */
        private void repeatCall() {
            openIds.forEach(clientInputRequests::remove);
            if (done || number != round || client.response().isClosed()) {
                return;
            }
            done = true;
            Json supplied = Json.write(json -> {
                json.writeStartObject();
                answers.forEach((key, answer) -> {
                    json.writeName(key);
                    json.writeRawValue(answer);
                });
                json.writeEndObject();
            });
            String repeated = RawJsonEditor.with(params, supplied.raw(), "inputResponses");
            repeated = state.isEmpty() ? repeated : RawJsonEditor.with(repeated, state, "requestState");
            try {
                repeat.accept(InputRequestTranslator.this, repeated);
            } catch (RuntimeException e) {
                topicCalls.respondInternalError(client, e);
            }
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
