package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ToolParamHeaderMappingTest {
    private static final ToolParamHeaderMapping SQL = read("""
            {"type":"object","properties":{
              "region":{"type":"string","x-mcp-header":"Region"},
              "limits":{"type":"object","properties":{"rows":{"type":"integer","x-mcp-header":"Rows"}}},
              "dry":{"type":"boolean","x-mcp-header":"Dry-Run"},
              "query":{"type":"string"}}}""");

    private static ToolParamHeaderMapping read(String schema) {
        return ToolParamHeaderMapping.of(Json.parse(schema).orElseThrow());
    }

    @Test
    void mapsMarkedArgumentsToHeaders() {
        assertThat(SQL.schemaProblem()).isEmpty();
        assertThat(SQL.of("""
                {"name":"sql","arguments":{"region":"eu","limits":{"rows":5.0},"dry":true,"query":"x"}}"""))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("Mcp-Param-Region", "eu", "Mcp-Param-Rows", "5", "Mcp-Param-Dry-Run", "true"));
        assertThat(SQL.of("{\"name\":\"sql\",\"arguments\":{\"region\":null}}")).isEmpty();
        assertThat(SQL.of("{\"name\":\"sql\"}")).isEmpty();
    }

    @Test
    void findsHeaderMismatch() {
        String call = "{\"arguments\":{\"region\":\"eu\",\"limits\":{\"rows\":5}}}";
        assertThat(SQL.findMismatch(call, Map.of("mcp-param-region", "eu", "mcp-param-rows", "5.0")))
                .isEmpty();
        assertThat(SQL.findMismatch(call, Map.of("mcp-param-region", "=?base64?ZXU=?=", "mcp-param-rows", "5")))
                .isEmpty();
        assertThat(SQL.findMismatch(call, Map.of("mcp-param-region", "us", "mcp-param-rows", "5")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("Mcp-Param-Region"));
        assertThat(SQL.findMismatch(call, Map.of("mcp-param-region", "eu")))
                .hasValueSatisfying(problem -> assertThat(problem).contains("Mcp-Param-Rows"));
        assertThat(SQL.findMismatch("{\"arguments\":{}}", Map.of("mcp-param-region", "eu")))
                .isPresent();
        assertThat(SQL.findMismatch("{\"arguments\":{}}", Map.of())).isEmpty();
    }

    @Test
    void reportsInvalidMarks() {
        assertThat(read("{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"\"}}}")
                        .schemaProblem())
                .isPresent();
        assertThat(read("{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"a b\"}}}")
                        .schemaProblem())
                .isPresent();
        assertThat(read("{\"properties\":{\"a\":{\"type\":\"number\",\"x-mcp-header\":\"A\"}}}")
                        .schemaProblem())
                .isPresent();
        assertThat(
                        read("{\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}}")
                                .schemaProblem())
                .isPresent();
        assertThat(
                        read("{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},\"b\":{\"type\":\"string\",\"x-mcp-header\":\"a\"}}}")
                                .schemaProblem())
                .isPresent();
        assertThat(read("{\"oneOf\":[{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"}}}]}")
                        .schemaProblem())
                .isPresent();
    }

    @Test
    void argumentMayHaveNameOfMark() {
        assertThat(read("{\"properties\":{\"x-mcp-header\":{\"type\":\"string\"}}}")
                        .schemaProblem())
                .isEmpty();
    }
}
