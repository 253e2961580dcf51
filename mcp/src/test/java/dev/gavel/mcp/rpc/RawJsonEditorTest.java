package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RawJsonEditorTest {
    @Test
    void replacesValue() {
        assertThat(RawJsonEditor.with("{ \"a\": 1, \"b\": [2] }", "3", "b")).isEqualTo("{ \"a\": 1, \"b\": 3 }");
    }

    @Test
    void insertsValueAndMissingObjects() {
        assertThat(RawJsonEditor.with("{}", "1", "a")).isEqualTo("{\"a\":1}");
        assertThat(RawJsonEditor.with("{ }", "1", "a", "b")).isEqualTo("{\"a\":{\"b\":1} }");
        assertThat(RawJsonEditor.with("{\"a\":{\"c\":2}}", "1", "a", "b")).isEqualTo("{\"a\":{\"b\":1,\"c\":2}}");
        assertThat(RawJsonEditor.with("{\"a\":null}", "1", "a", "b")).isEqualTo("{\"a\":{\"b\":1}}");
    }

    @Test
    void removesMember() {
        assertThat(RawJsonEditor.without("{\"a\":1,\"b\":{\"c\":2}}", "a")).isEqualTo("{\"b\":{\"c\":2}}");
        assertThat(RawJsonEditor.without("{\"a\" : 1 , \"b\" : {\"c\":2} }", "b"))
                .isEqualTo("{\"a\" : 1 }");
        assertThat(RawJsonEditor.without("{\"a\":1,\"b\":2,\"c\":3}", "b")).isEqualTo("{\"a\":1,\"c\":3}");
        assertThat(RawJsonEditor.without("{ \"a\": \"x\" }", "a")).isEqualTo("{}");
        assertThat(RawJsonEditor.without("{\"b\":1}", "a")).isEqualTo("{\"b\":1}");
    }

    @Test
    void removesMemberWithEscapedName() {
        assertThat(RawJsonEditor.without("{\"b\":1,\"q\\\"\\\\\":2}", "q\"\\")).isEqualTo("{\"b\":1}");
        assertThat(RawJsonEditor.without("{\"b\":1,\"\\u0061\":2}", "a")).isEqualTo("{\"b\":1}");
    }
}
