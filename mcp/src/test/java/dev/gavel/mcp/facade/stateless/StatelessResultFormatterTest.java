package dev.gavel.mcp.facade.stateless;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StatelessResultFormatterTest {
    private final StatelessResultFormatter statelessResultFormatter =
            new StatelessResultFormatter(new ServerDescriptionWriter("ops", "1.0", true));

    private static Json result(RpcMessage answer) {
        return Json.parse(((RpcMessage.ResultResponse) answer).result()).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"resultType\":null}", "{\"resultType\":{\"x\":1}}"})
    void addsResultType(String written) {
        assertThat(result(statelessResultFormatter.formatForwarded(
                                "tools/call", new RpcMessage.ResultResponse("1", written)))
                        .at("resultType")
                        .text())
                .isEqualTo("complete");
    }

    @Test
    void keepsExistingResultType() {
        String inputRequired = "{\"resultType\":\"input_required\",\"requestState\":\"s\"}";
        assertThat(statelessResultFormatter.formatForwarded(
                        "resources/read", new RpcMessage.ResultResponse("1", inputRequired)))
                .isEqualTo(new RpcMessage.ResultResponse("1", inputRequired));
    }

    @Test
    void addsMissingCacheHints() {
        Json read = result(statelessResultFormatter.formatForwarded(
                "resources/read", new RpcMessage.ResultResponse("1", "{\"contents\":[]}")));
        assertThat(read.at("ttlMs").raw()).isEqualTo("0");
        assertThat(read.at("cacheScope").text()).isEqualTo("private");
        Json withOwnHints = result(statelessResultFormatter.formatForwarded(
                "resources/read", new RpcMessage.ResultResponse("1", "{\"ttlMs\":7,\"cacheScope\":\"public\"}")));
        assertThat(withOwnHints.at("ttlMs").raw()).isEqualTo("7");
        assertThat(withOwnHints.at("cacheScope").text()).isEqualTo("public");
    }

    @Test
    void addsServerInfoToLocalResultsOnly() {
        RpcMessage answer = new RpcMessage.ResultResponse("1", "{\"content\":[]}");
        assertThat(result(statelessResultFormatter.formatForwarded("tools/call", answer))
                        .at("_meta")
                        .isPresent())
                .isFalse();
        assertThat(result(statelessResultFormatter.formatLocal("tools/call", answer))
                        .at("_meta")
                        .at("io.modelcontextprotocol/serverInfo")
                        .at("title")
                        .text())
                .isEqualTo("Gavel: ops");
    }

    @ParameterizedTest
    @CsvSource({"-32002, -32602", "-32042, -32603", "-32601, -32601", "42, 42"})
    void replacesOutdatedErrorCodes(int before, int after) {
        RpcMessage.ErrorResponse errorResponse =
                new RpcMessage.ErrorResponse("1", "{\"code\":" + before + ",\"message\":\"m\",\"data\":{\"a\":1}}");
        assertThat(statelessResultFormatter.formatForwarded("tools/call", errorResponse))
                .isEqualTo(new RpcMessage.ErrorResponse(
                        "1", "{\"code\":" + after + ",\"message\":\"m\",\"data\":{\"a\":1}}"));
    }

    @Test
    void ownErrorCodesAreOutsideReservedRange() {
        for (RpcErrorCode error : RpcErrorCode.values()) {
            boolean reserved = error.code() >= -32768 && error.code() <= -32000;
            boolean defined = error.code() <= -32600 || (error.code() <= -32020 && error.code() >= -32022);
            assertThat(!reserved || defined || error == RpcErrorCode.RESOURCE_NOT_FOUND)
                    .as(error.name())
                    .isTrue();
        }
    }
}
