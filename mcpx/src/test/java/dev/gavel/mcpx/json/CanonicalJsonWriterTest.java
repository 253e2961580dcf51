package dev.gavel.mcpx.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonWriterTest {
    @Test
    void writesTheExampleOfTheRfc() {
        String input = """
                {
                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }""";

        assertThat(canonical(input))
                .isEqualTo("{\"literals\":[null,true,false],"
                        + "\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void sortsNamesByUtf16CodeUnits() {
        assertThat(
                        canonical(
                                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"))
                .isEqualTo("{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"\ud83d\ude00\":5,\"\ufb33\":3}");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "-0.0, 0",
        "1, 1",
        "-1, -1",
        "10, 10",
        "1.0, 1",
        "1.50, 1.5",
        "123456789, 123456789",
        "1e21, 1e+21",
        "1e20, 100000000000000000000",
        "1e-6, 0.000001",
        "1e-7, 1e-7",
        "1.5e-9, 1.5e-9",
        "9007199254740993, 9007199254740992",
        "5e-324, 5e-324",
        "1.7976931348623157e308, 1.7976931348623157e+308",
        "0.1, 0.1",
        "-0.000001, -0.000001",
        "999999999999999900000, 999999999999999900000"
    })
    void writesNumbersAsEcmaScriptDoes(String input, String expected) {
        assertThat(canonical(input)).isEqualTo(expected);
    }

    @Test
    void numbersThatAreTooLargeStayAsTheyAreSoThatTheTextIsJson() {
        assertThat(canonical("{\"maximum\": 1e400, \"minimum\": -1E+999}"))
                .isEqualTo("{\"maximum\":1e400,\"minimum\":-1E+999}");
    }

    @Test
    void equalValuesWithOtherOrderAndSpacesHaveTheSameText() {
        assertThat(canonical("{ \"b\" : 1.0, \"a\" : [ ] }")).isEqualTo(canonical("{\"a\":[],\"b\":1}"));
    }

    private static String canonical(String json) {
        return CanonicalJsonWriter.write(Json.parse(json).orElseThrow());
    }
}
