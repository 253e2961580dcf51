package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageTest {
    @Test
    void whatAMessageCarriesKeepsItsLetters() {
        String params = "{ \"n\" : 1.10000000000000000001e2, \"ä\" : \"\\u00e4/\\/\", \"n2\":[ 1 , 2.0 ] }";
        assertThat(Message.read("{\"id\": \"a\\u0062\" ,\"params\":" + params
                        + " , \"jsonrpc\":\"2.0\",\"method\":\"tools\\/call\"}"))
                .isEqualTo(new Message.Request("\"a\\u0062\"", "tools/call", Optional.of(params)));
        assertThat(Message.read("{\"jsonrpc\":\"2.0\",\"id\":1e0,\"result\":" + params + "}"))
                .isEqualTo(new Message.Response("1e0", params));
        assertThat(Message.read("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"))
                .isEqualTo(new Message.Notification("x", Optional.empty()));
        assertThat(Message.read("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-1 }}"))
                .isEqualTo(new Message.Failure("null", "{\"code\":-1 }"));
    }

    @Test
    void whatIsWrittenIsReadAgainAsTheSame() {
        for (Message message : new Message[] {
            new Message.Request("1", "tools/\"call", Optional.of("{}")),
            new Message.Notification("x", Optional.empty()),
            new Message.Response("\"a\"", "[1]"),
            RpcError.BUSY.failure("7", "too \"much\"\n")
        }) {
            assertThat(Message.read(message.json())).isEqualTo(message);
            assertThat(Message.read(message.bytes())).isEqualTo(message);
        }
    }

    @Test
    void aMessageIsWrittenOnOneLine() {
        Message message = new Message.Response("1", "{\n\"a\":\r\n\"b\\n\"}");
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
    void whatIsNoMessageIsRefused(String text) {
        assertThat(Message.read(text)).isInstanceOf(Malformed.class);
    }

    @Test
    void aRefusalGoesToTheIdThatCouldBeRead() {
        assertThat(Message.read("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":[]}"))
                .isInstanceOfSatisfying(
                        Malformed.class,
                        malformed -> assertThat(malformed.failure().json())
                                .startsWith("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,"));
    }

    @Test
    void whatIsTooLargeOrTooDeepOrNoTextIsRefused() {
        assertThat(new MessageReader(20).read("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}"))
                .isInstanceOf(Malformed.class);
        String deep = "[".repeat(200) + "]".repeat(200);
        assertThat(Message.read("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + deep + "}"))
                .isInstanceOf(Malformed.class);
        byte[] bytes = "{\"jsonrpc\":\"2.0\",\"method\":\"x?\"}".getBytes(StandardCharsets.UTF_8);
        bytes[bytes.length - 3] = (byte) 0xFF;
        assertThat(Message.read(bytes)).isInstanceOf(Malformed.class);
    }

    @Test
    void largeMessagesKeepTheirLettersToo() {
        String result = "{\"text\":\"" + "ä\\n".repeat(100_000) + "\", \"n\": 1.50 }";
        assertThat(Message.read("{\"jsonrpc\":\"2.0\",\"result\":" + result + ",\"id\":12}"))
                .isEqualTo(new Message.Response("12", result));
    }

    @Test
    void aValueWithinIsFoundAndReplacedAndAllElseStays() {
        String params = "{ \"a\":[{\"_meta\":1}], \"_meta\" : { \"x\":1.0 ,\"progressToken\" :  \"t\" } , \"z\":0}";
        assertThat(RawJson.at(params, "_meta", "progressToken")).contains("\"t\"");
        assertThat(RawJson.replaced(params, "17", "_meta", "progressToken"))
                .contains("{ \"a\":[{\"_meta\":1}], \"_meta\" : { \"x\":1.0 ,\"progressToken\" :  17 } , \"z\":0}");
        assertThat(RawJson.at(params, "z")).contains("0");
        assertThat(RawJson.at(params, "a", "b")).isEmpty();
        assertThat(RawJson.replaced(params, "1", "nothing")).isEmpty();
        assertThat(RawJson.at("not json", "a")).isEmpty();
    }
}
