package dev.gavel.mcp.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerResponseActionTest {
    private static final String NOTHING = "{}";
    private static final String ELICITATION = wants("{\"a\":{\"method\":\"elicitation/create\"}}");
    private static final String AGAIN = "{\"resultType\":\"input_required\",\"requestState\":\"s\"}";

    private static String wants(String inputRequests) {
        return "{\"resultType\":\"input_required\",\"inputRequests\":" + inputRequests + ",\"requestState\":\"s\"}";
    }

    private static TopicRequest asked(String declared, Optional<String> proposal) {
        return new TopicRequest(
                "e1",
                "alice",
                Kind.of("mcp.request.tools/call"),
                "1",
                Optional.of("{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":" + declared + "}}"),
                proposal,
                100);
    }

    private static ServerResponseAction trip(boolean stateless, TopicRequest topicRequest, String result, int round) {
        return ServerResponseAction.decide(
                "files", stateless, topicRequest, new RpcMessage.ResultResponse("7", result), round);
    }

    /** Returns the response delivered for a result of a stateless server. */
    private static Json judged(String declared, String result) {
        return answer(trip(true, asked(declared, Optional.empty()), result, 0));
    }

    private static Json older(String result) {
        return answer(trip(false, asked(NOTHING, Optional.empty()), result, 0));
    }

    private static Json answer(ServerResponseAction trip) {
        return trip instanceof ServerResponseAction.Deliver(RpcMessage.Response response)
                ? Json.parse(response.json()).orElseThrow()
                : Json.ofText(trip.toString());
    }

    private static long code(Json answer) {
        return answer.at("error").at("code").asLong(0);
    }

    private static String words(Json answer) {
        return answer.at("error").at("message").text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "\"text\"", "[{}]", "true"})
    void aResultThatIsNoObjectDoesNotGoOn(String result) {
        for (Json answer : new Json[] {judged(NOTHING, result), older(result)}) {
            assertThat(code(answer)).isEqualTo(-32603);
            assertThat(words(answer)).isEqualTo("the server's result is no object");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"resultType\":\"task\",\"taskId\":\"t\"}",
                "{\"taskId\":\"t\",\"result\\u0054ype\" : \"t\\u0061sk\"}"
            })
    void aTaskOfTheServersDoesNotGoOn(String result) {
        for (Json answer : new Json[] {judged("{\"elicitation\":{}}", result), older(result)}) {
            assertThat(code(answer)).isEqualTo(-32603);
            assertThat(words(answer)).contains("made a task of it");
        }
    }

    @Test
    void aKindOfResultThatIsNoTextIsTakenOut() {
        assertThat(judged(NOTHING, "{\"resultType\": null, \"content\":[1.0]}")
                        .at("result")
                        .raw())
                .isEqualTo("{ \"content\":[1.0]}");
        assertThat(judged(NOTHING, "{\"content\":[],\"resultType\":{\"a\":1}}")
                        .at("result")
                        .raw())
                .isEqualTo("{\"content\":[]}");
        String complete = "{\"content\":[], \"resultType\":\"complete\"}";
        assertThat(judged(NOTHING, complete).at("result").raw()).isEqualTo(complete);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "\"complete\"", "\"input_required\""})
    void anOlderVersionHasNoKindsOfResults(String type) {
        assertThat(older("{\"resultType\":" + type + ",\"content\":[]}")
                        .at("result")
                        .raw())
                .isEqualTo("{\"content\":[]}");
    }

    @Test
    void aResultOfTwoKindsDoesNotGoOn() {
        String result = "{\"resultType\":\"complete\",\"resultType\":\"task\"}";
        assertThat(words(judged(NOTHING, result))).contains("twice");
        assertThat(words(older(result))).contains("twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "null", "{\"sampling\":{},\"roots\":{}}", "{\"elicitation\":null}"})
    void whoDidNotDeclareWhatTheServerWantsIsToldWhatThatIs(String declared) {
        Json answer = judged(declared, ELICITATION);
        assertThat(code(answer)).isEqualTo(-32021);
        assertThat(words(answer)).contains("elicitation/create");
        assertThat(answer.at("error").at("data").raw()).isEqualTo("{\"requiredCapabilities\":{\"elicitation\":{}}}");
    }

    @Test
    void allThatTheServerWantsMustBeDeclared() {
        String result = wants("{\"a\":{\"method\":\"sampling/createMessage\"},\"b\":{\"method\":\"roots/list\"},"
                + "\"c\":{\"method\":\"roots/list\"}}");
        assertThat(judged("{\"roots\":{}}", result).at("error").at("data").raw())
                .isEqualTo("{\"requiredCapabilities\":{\"roots\":{},\"sampling\":{}}}");
        assertThat(judged("{\"roots\":{},\"sampling\":{}}", result).at("result").raw())
                .isEqualTo(result);
    }

    @Test
    void anApprovedCallThatTheServerWantsMoreForIsNoFaultOfWhoProposedIt() {
        Json answer = answer(trip(true, asked("{\"elicitation\":{}}", Optional.of("p1")), ELICITATION, 0));
        assertThat(code(answer)).isEqualTo(-32603);
        assertThat(words(answer)).contains("approved as it is", "elicitation/create");
    }

    @Test
    void whoOnlyWantsToBeAskedAgainIsAskedByTheBridgeWhereNobodyElseWould() {
        ServerResponseAction again = new ServerResponseAction.Retry("\"s\"", Duration.ofMillis(100));
        assertThat(trip(true, asked(NOTHING, Optional.empty()), AGAIN, 0)).isEqualTo(again);
        assertThat(trip(true, asked("{\"extensions\":{}}", Optional.empty()), AGAIN, 0))
                .isEqualTo(again);
        assertThat(trip(true, asked("{\"roots\":{}}", Optional.of("p1")), AGAIN, 0))
                .isEqualTo(again);
        assertThat(judged("{\"roots\":{}}", AGAIN).at("result").raw()).isEqualTo(AGAIN);
    }

    @Test
    void whoAlwaysWantsToBeAskedAgainIsGivenUp() {
        assertThat(words(answer(trip(true, asked(NOTHING, Optional.empty()), AGAIN, ServerResponseAction.MAX_RETRIES))))
                .contains("given up");
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
    void aWishThatMakesNoSenseIsAnErrorOfTheServers(String result) {
        Json answer = judged("{\"elicitation\":{}}", result);
        assertThat(code(answer)).isEqualTo(-32603);
        assertThat(words(answer)).contains("makes no sense");
    }
}
