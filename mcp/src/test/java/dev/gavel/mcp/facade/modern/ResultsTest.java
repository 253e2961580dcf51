package dev.gavel.mcp.facade.modern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResultsTest {
    private final Results results = new Results(new Introduction("ops", "1.0", true));

    private static Json result(Message answer) {
        return Json.parse(((Message.Response) answer).result()).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"resultType\":null}", "{\"resultType\":{\"x\":1}}"})
    void aResultSaysOfWhatKindItIs(String written) {
        assertThat(result(results.passed("tools/call", new Message.Response("1", written)))
                        .at("resultType")
                        .text())
                .isEqualTo("complete");
    }

    @Test
    void aKindThatIsThereStays() {
        String asking = "{\"resultType\":\"input_required\",\"requestState\":\"s\"}";
        assertThat(results.passed("resources/read", new Message.Response("1", asking)))
                .isEqualTo(new Message.Response("1", asking));
    }

    @Test
    void whatMayBeKeptSaysSoAndWhatSaysSoItselfIsLeftAlone() {
        Json read = result(results.passed("resources/read", new Message.Response("1", "{\"contents\":[]}")));
        assertThat(read.at("ttlMs").raw()).isEqualTo("0");
        assertThat(read.at("cacheScope").text()).isEqualTo("private");
        Json own = result(
                results.passed("resources/read", new Message.Response("1", "{\"ttlMs\":7,\"cacheScope\":\"public\"}")));
        assertThat(own.at("ttlMs").raw()).isEqualTo("7");
        assertThat(own.at("cacheScope").text()).isEqualTo("public");
    }

    @Test
    void onlyWhatIsOursSaysThatItIs() {
        Message answer = new Message.Response("1", "{\"content\":[]}");
        assertThat(result(results.passed("tools/call", answer)).at("_meta").there())
                .isFalse();
        assertThat(result(results.own("tools/call", answer))
                        .at("_meta")
                        .at("io.modelcontextprotocol/serverInfo")
                        .at("title")
                        .text())
                .isEqualTo("Gavel: ops");
    }

    @ParameterizedTest
    @CsvSource({"-32002, -32602", "-32042, -32603", "-32601, -32601", "42, 42"})
    void codesOfOlderVersionsAreNotUsedAnyMore(int before, int after) {
        Message.Failure failure =
                new Message.Failure("1", "{\"code\":" + before + ",\"message\":\"m\",\"data\":{\"a\":1}}");
        assertThat(results.passed("tools/call", failure))
                .isEqualTo(new Message.Failure("1", "{\"code\":" + after + ",\"message\":\"m\",\"data\":{\"a\":1}}"));
    }

    @Test
    void ourOwnCodesAreOurs() {
        for (RpcError error : RpcError.values()) {
            boolean reserved = error.code() >= -32768 && error.code() <= -32000;
            boolean defined = error.code() <= -32600 || (error.code() <= -32020 && error.code() >= -32022);
            assertThat(!reserved || defined || error == RpcError.RESOURCE_NOT_FOUND)
                    .as(error.name())
                    .isTrue();
        }
    }
}
