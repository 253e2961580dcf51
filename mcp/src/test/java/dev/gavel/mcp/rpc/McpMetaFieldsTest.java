package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class McpMetaFieldsTest {
    private static final String PARAMS = """
            {"name": "x", "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientInfo":{"name":"c"},"a/b": 1.0,"io.modelcontextprotocol/logLevel":"info",\
            "io.modelcontextprotocol/clientCapabilities":{"roots": {},"extensions":{"io.modelcontextprotocol/tasks":{},"c/d":{}}},\
            "io.modelcontextprotocol/new":true,"progressToken":5}, "arguments":{ }}""";

    @Test
    void removesReservedFields() {
        assertThat(McpMetaFields.forwardableParams(PARAMS, false))
                .isEqualTo("{\"name\": \"x\", \"_meta\":{\"a/b\":1.0,\"progressToken\":5}, \"arguments\":{ }}");
    }

    @Test
    void keepsCapabilitiesWithoutTasks() {
        assertThat(McpMetaFields.forwardableParams(PARAMS, true)).isEqualTo("""
                {"name": "x", "_meta":{"a/b":1.0,"io.modelcontextprotocol/logLevel":"info",\
                "io.modelcontextprotocol/clientCapabilities":{"roots": {},"extensions":{"c/d":{}}},"progressToken":5}, \
                "arguments":{ }}""");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{ \"_meta\" : { \"a/b\" : 1.0 } }",
                "{ \"_meta\" : { \"a/b\" : 1.0 }, \"line\":\"\\n\"}",
                "{\"arguments\":{\"io.modelcontextprotocol/logLevel\":1}}",
                "{\"arguments\":{\"_meta\":{\"io.modelcontextprotocol/logLevel\":1}, \"line\":\"\\n\"}}"
            })
    void keepsOtherParamsUnchanged(String params) {
        assertThat(McpMetaFields.forwardableParams(params, false)).isEqualTo(params);
        assertThat(McpMetaFields.forwardableParams(params, true)).isEqualTo(params);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{}},\"a\":1} | {\"a\":1}",
                "{\"_meta\":{\"io.modelcontextprotocol\\/clientInfo\":{}},\"a\":1} | {\"a\":1}",
                "{\"\\u005fmeta\":{\"\\u0069o.modelcontextprotocol/clientInfo\":{}},\"a\":1} | {\"a\":1}",
                "{\"_meta\":\"io.modelcontextprotocol/\"} | {}",
                "{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":7}} | {}",
                // Two parsers might each use a different one.
                "{\"_meta\":{\"x\":1,\"x\":2,\"io.modelcontextprotocol/logLevel\":\"info\"}} | {}"
            })
    void removesEmptyMetadata(String params, String expected) {
        assertThat(McpMetaFields.forwardableParams(params, true)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"elicitation\":{}}", "{\"extensions\":7}", "{\"extensions\":{\"c/d\": {}}}"})
    void keepsCapabilitiesUnchangedIfWithoutTasks(String capabilities) {
        String params = "{\"_meta\":{\"io.modelcontextprotocol/clientCapabilities\":" + capabilities + "}}";
        assertThat(McpMetaFields.forwardableParams(params, true)).isEqualTo(params);
    }
}
