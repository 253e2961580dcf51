package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerResponseActionTest {
    private static final String NO_CAPABILITIES = "{}";
    private static final String ELICITATION = inputRequired("{\"a\":{\"method\":\"elicitation/create\"}}");
    private static final String RETRY_RESULT = "{\"resultType\":\"input_required\",\"requestState\":\"s\"}";

    private static String inputRequired(String inputRequests) {
        return "{\"resultType\":\"input_required\",\"inputRequests\":" + inputRequests + ",\"requestState\":\"s\"}";
    }

    private static TopicRequest request(String clientCapabilities, Optional<String> proposal) {
        return new TopicRequest(
                "e1",
                "alice",
                Kind.of("mcp.request.tools/call"),
                "1",
                Optional.of("{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":" + clientCapabilities + "}}"),
                proposal,
                List.of(),
                100);
    }

    private static ServerResponseAction decide(boolean stateless, TopicRequest topicRequest, String result, int round) {
        return ServerResponseAction.decide(
                "files", stateless, topicRequest, new RpcMessage.ResultResponse("7", result), round);
    }

    /** Returns the response delivered for a result of a stateless server. */
    private static Json statelessResponse(String clientCapabilities, String result) {
        return answer(decide(true, request(clientCapabilities, Optional.empty()), result, 0));
    }

    private static Json statefulResponse(String result) {
        return answer(decide(false, request(NO_CAPABILITIES, Optional.empty()), result, 0));
    }

    private static Json answer(ServerResponseAction action) {
        return action instanceof ServerResponseAction.Deliver(RpcMessage.Response response)
                ? Json.parse(response.json()).orElseThrow()
                : Json.ofText(action.toString());
    }

    private static long code(Json answer) {
        return answer.at("error").at("code").asLong(0);
    }

    private static String errorMessage(Json answer) {
        return answer.at("error").at("message").text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "\"text\"", "[{}]", "true"})
    void refusesResultThatIsNotAnObject(String result) {
        for (Json answer : new Json[] {statelessResponse(NO_CAPABILITIES, result), statefulResponse(result)}) {
            assertThat(code(answer)).isEqualTo(-32603);
            assertThat(errorMessage(answer)).isEqualTo("The server's result is not a JSON object.");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resultType\":\"task\",\"taskId\":\"t\"}",
                "{\"taskId\":\"t\",\"result\\u0054ype\" : \"t\\u0061sk\"}"
            })
    void refusesTaskResult(String result) {
        for (Json answer : new Json[] {statelessResponse("{\"elicitation\":{}}", result), statefulResponse(result)}) {
            assertThat(code(answer)).isEqualTo(-32603);
            assertThat(errorMessage(answer)).contains("returned a task");
        }
    }

    @Test
    void removesInvalidResultType() {
        assertThat(statelessResponse(NO_CAPABILITIES, "{\"resultType\": null, \"content\":[1.0]}")
                        .at("result")
                        .raw())
                .isEqualTo("{ \"content\":[1.0]}");
        assertThat(statelessResponse(NO_CAPABILITIES, "{\"content\":[],\"resultType\":{\"a\":1}}")
                        .at("result")
                        .raw())
                .isEqualTo("{\"content\":[]}");
        String complete = "{\"content\":[], \"resultType\":\"complete\"}";
        assertThat(statelessResponse(NO_CAPABILITIES, complete).at("result").raw())
                .isEqualTo(complete);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "\"complete\"", "\"input_required\""})
    void removesResultTypeOfStatefulServer(String type) {
        assertThat(statefulResponse("{\"resultType\":" + type + ",\"content\":[]}")
                        .at("result")
                        .raw())
                .isEqualTo("{\"content\":[]}");
    }

    @Test
    void refusesDuplicateResultType() {
        String result = "{\"resultType\":\"complete\",\"resultType\":\"task\"}";
        assertThat(errorMessage(statelessResponse(NO_CAPABILITIES, result))).contains("twice");
        assertThat(errorMessage(statefulResponse(result))).contains("twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "null", "{\"sampling\":{},\"roots\":{}}", "{\"elicitation\":null}"})
    void reportsMissingCapability(String clientCapabilities) {
        Json answer = statelessResponse(clientCapabilities, ELICITATION);
        assertThat(code(answer)).isEqualTo(-32021);
        assertThat(errorMessage(answer)).contains("elicitation/create");
        assertThat(answer.at("error").at("data").raw()).isEqualTo("{\"requiredCapabilities\":{\"elicitation\":{}}}");
    }

    @Test
    void requiresAllCapabilities() {
        String result =
                inputRequired("{\"a\":{\"method\":\"sampling/createMessage\"},\"b\":{\"method\":\"roots/list\"},"
                        + "\"c\":{\"method\":\"roots/list\"}}");
        assertThat(statelessResponse("{\"roots\":{}}", result)
                        .at("error")
                        .at("data")
                        .raw())
                .isEqualTo("{\"requiredCapabilities\":{\"roots\":{},\"sampling\":{}}}");
        assertThat(statelessResponse("{\"roots\":{},\"sampling\":{}}", result)
                        .at("result")
                        .raw())
                .isEqualTo(result);
    }

    @Test
    void approvedCallFailsIfServerRequestsInput() {
        Json answer = answer(decide(true, request("{\"elicitation\":{}}", Optional.of("p1")), ELICITATION, 0));
        assertThat(code(answer)).isEqualTo(-32603);
        assertThat(errorMessage(answer)).contains("which an approved call cannot supply", "elicitation/create");
    }

    @Test
    void bridgeRetriesIfClientSuppliesNoInput() {
        ServerResponseAction retry = new ServerResponseAction.Retry("\"s\"", Duration.ofMillis(100));
        assertThat(decide(true, request(NO_CAPABILITIES, Optional.empty()), RETRY_RESULT, 0))
                .isEqualTo(retry);
        assertThat(decide(true, request("{\"extensions\":{}}", Optional.empty()), RETRY_RESULT, 0))
                .isEqualTo(retry);
        assertThat(decide(true, request("{\"roots\":{}}", Optional.of("p1")), RETRY_RESULT, 0))
                .isEqualTo(retry);
        assertThat(statelessResponse("{\"roots\":{}}", RETRY_RESULT)
                        .at("result")
                        .raw())
                .isEqualTo(RETRY_RESULT);
    }

    @Test
    void givesUpAfterMaxRetries() {
        assertThat(errorMessage(answer(decide(
                        true,
                        request(NO_CAPABILITIES, Optional.empty()),
                        RETRY_RESULT,
                        ServerResponseAction.MAX_RETRIES))))
                .contains("asked for a retry more than");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resultType\":\"input_required\"}",
                "{\"resultType\":\"input_required\",\"requestState\":null}",
                "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"tools/call\"}}}",
                "{\"resultType\":\"input_required\",\"inputRequests\":{},\"inputRequests\":"
                        + "{\"a\":{\"method\":\"sampling/createMessage\"}},\"requestState\":\"s\"}"
            })
    void refusesInvalidInputRequest(String result) {
        Json answer = statelessResponse("{\"elicitation\":{}}", result);
        assertThat(code(answer)).isEqualTo(-32603);
        assertThat(errorMessage(answer)).contains("its request for input is invalid");
    }
}
