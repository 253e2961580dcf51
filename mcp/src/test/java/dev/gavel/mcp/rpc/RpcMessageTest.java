package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RpcMessageTest {
    @Test
    void keepsRawJson() {
        String params = "{ \"n\" : 1.10000000000000000001e2, \"ä\" : \"\\u00e4/\\/\", \"n2\":[ 1 , 2.0 ] }";
        assertThat(RpcMessage.read("{\"id\": \"a\\u0062\" ,\"params\":" + params
                        + " , \"jsonrpc\":\"2.0\",\"method\":\"tools\\/call\"}"))
                .isEqualTo(new RpcMessage.Request("\"a\\u0062\"", "tools/call", Optional.of(params)));
        assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"id\":1e0,\"result\":" + params + "}"))
                .isEqualTo(new RpcMessage.ResultResponse("1e0", params));
        assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"))
                .isEqualTo(new RpcMessage.Notification("x", Optional.empty()));
        assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1 }}"))
                .isEqualTo(new RpcMessage.ErrorResponse("null", "{\"code\":-1 }"));
    }

    @Test
    void roundTripsMessages() {
        for (RpcMessage message : new RpcMessage[] {
            new RpcMessage.Request("1", "tools/\"call", Optional.of("{}")),
            new RpcMessage.Notification("x", Optional.empty()),
            new RpcMessage.ResultResponse("\"a\"", "[1]"),
            RpcErrorCode.BUSY.toResponse("7", "too \"much\"\n")
        }) {
            assertThat(RpcMessage.read(message.json())).isEqualTo(message);
            assertThat(RpcMessage.read(message.bytes())).isEqualTo(message);
        }
    }

    @Test
    void writesSingleLine() {
        RpcMessage message = new RpcMessage.ResultResponse("1", "{\n\"a\":\r\n\"b\\n\"}");
        assertThat(message.line()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{ \"a\":  \"b\\n\"}}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "[]",
                "1",
                "{",
                "{\"jsonrpc\":\"2.0\"}",
                "{\"jsonrpc\":\"1.0\",\"method\":\"x\"}",
                "{\"method\":\"x\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":1}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[1]}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":null}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"id\":{}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"method\":\"y\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"result\":1}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"x\"} {}",
            })
    void rejectsMalformedMessages(String text) {
        assertThat(RpcMessage.read(text)).isInstanceOf(MalformedRpcMessage.class);
    }

    @Test
    void errorResponseHasReadableId() {
        assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":[]}"))
                .isInstanceOfSatisfying(
                        MalformedRpcMessage.class,
                        malformedRpcMessage -> assertThat(
                                        malformedRpcMessage.toResponse().json())
                                .startsWith("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,"));
    }

    @Test
    void rejectsTooLongTooDeepOrInvalidUtf8() {
        assertThat(new RpcMessageParser(20).read("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"))
                .isInstanceOf(MalformedRpcMessage.class);
        String deep = "[".repeat(200) + "]".repeat(200);
        assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + deep + "}"))
                .isInstanceOf(MalformedRpcMessage.class);
        byte[] bytes = "{\"jsonrpc\":\"2.0\",\"method\":\"x?\"}".getBytes(StandardCharsets.UTF_8);
        bytes[bytes.length - 3] = (byte) 0xFF;
        assertThat(RpcMessage.read(bytes)).isInstanceOf(MalformedRpcMessage.class);
    }

    @Test
    void keepsRawJsonOfLargeMessages() {
        String result = "{\"text\":\"" + "ä\\n".repeat(100_000) + "\", \"n\": 1.50 }";
        assertThat(RpcMessage.read("{\"jsonrpc\":\"2.0\",\"result\":" + result + ",\"id\":12}"))
                .isEqualTo(new RpcMessage.ResultResponse("12", result));
    }

    @Test
    void findsAndReplacesNestedValue() {
        String params = "{ \"a\":[{\"_meta\":1}], \"_meta\" : { \"x\":1.0 ,\"progressToken\" :  \"t\" } , \"z\":0}";
        assertThat(RawJsonEditor.at(params, "_meta", "progressToken")).contains("\"t\"");
        assertThat(RawJsonEditor.replace(params, "17", "_meta", "progressToken"))
                .contains("{ \"a\":[{\"_meta\":1}], \"_meta\" : { \"x\":1.0 ,\"progressToken\" :  17 } , \"z\":0}");
        assertThat(RawJsonEditor.at(params, "z")).contains("0");
        assertThat(RawJsonEditor.at(params, "a", "b")).isEmpty();
        assertThat(RawJsonEditor.replace(params, "1", "nothing")).isEmpty();
        assertThat(RawJsonEditor.at("not json", "a")).isEmpty();
    }
}
