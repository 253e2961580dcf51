package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RawJsonTest {
    @Test
    void aValueIsSetWhereOneWas() {
        assertThat(RawJson.with("{ \"a\": 1, \"b\": [2] }", "3", "b")).isEqualTo("{ \"a\": 1, \"b\": 3 }");
    }

    @Test
    void aValueIsSetWhereNoneWasAndSoIsWhatIsMissingOnTheWay() {
        assertThat(RawJson.with("{}", "1", "a")).isEqualTo("{\"a\":1}");
        assertThat(RawJson.with("{ }", "1", "a", "b")).isEqualTo("{\"a\":{\"b\":1} }");
        assertThat(RawJson.with("{\"a\":{\"c\":2}}", "1", "a", "b")).isEqualTo("{\"a\":{\"b\":1,\"c\":2}}");
        assertThat(RawJson.with("{\"a\":null}", "1", "a", "b")).isEqualTo("{\"a\":{\"b\":1}}");
    }

    @Test
    void aMemberIsLeftOutWhereverItStands() {
        assertThat(RawJson.without("{\"a\":1,\"b\":{\"c\":2}}", "a")).isEqualTo("{\"b\":{\"c\":2}}");
        assertThat(RawJson.without("{\"a\" : 1 , \"b\" : {\"c\":2} }", "b")).isEqualTo("{\"a\" : 1 }");
        assertThat(RawJson.without("{\"a\":1,\"b\":2,\"c\":3}", "b")).isEqualTo("{\"a\":1,\"c\":3}");
        assertThat(RawJson.without("{ \"a\": \"x\" }", "a")).isEqualTo("{}");
        assertThat(RawJson.without("{\"b\":1}", "a")).isEqualTo("{\"b\":1}");
    }

    @Test
    void namesWrittenWithEscapesAreLeftOutAsWell() {
        assertThat(RawJson.without("{\"b\":1,\"q\\\"\\\\\":2}", "q\"\\")).isEqualTo("{\"b\":1}");
        assertThat(RawJson.without("{\"b\":1,\"\\u0061\":2}", "a")).isEqualTo("{\"b\":1}");
    }
}
