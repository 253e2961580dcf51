package dev.gavel.mcpx.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static Json json(String text) {
        return Json.parse(text).orElseThrow();
    }

    @Test
    void everyPartIsKeptLetterForLetter() {
        Json value = json(" { \"a\" : 1.10e2 , \"b\":[ true,null , \"\\u00e4\\n\" ] , \"c\": { \"d\" : {} } } ");
        assertThat(value.raw()).startsWith("{ \"a\"").endsWith("} }");
        assertThat(value.at("a").raw()).isEqualTo("1.10e2");
        assertThat(value.at("b").raw()).isEqualTo("[ true,null , \"\\u00e4\\n\" ]");
        assertThat(value.at("b").elements().get(2).raw()).isEqualTo("\"\\u00e4\\n\"");
        assertThat(value.at("b").elements().get(2).text()).isEqualTo("ä\n");
        assertThat(value.at("c").at("d").raw()).isEqualTo("{}");
    }

    @Test
    void whatIsLongerThanAnyBufferKeepsItsPlace() {
        String filler = "x".repeat(100_000);
        Json value = json("{\"long\":\"" + filler + "\",\"n\":12345678901234567890.5,\"o\":{\"p\": [1, 2]}}");
        assertThat(value.at("long").text()).isEqualTo(filler);
        assertThat(value.at("n").raw()).isEqualTo("12345678901234567890.5");
        assertThat(value.at("o").raw()).isEqualTo("{\"p\": [1, 2]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"a\":}", "nonsense", "1 2", "{\"a\":1,\"a\":2}", "[1,]", "'a'", "NaN"})
    void whatIsNoJsonIsNotRead(String text) {
        assertThat(Json.parse(text)).isEmpty();
    }

    @Test
    void whatIsMissingIsMissingAllTheWayDown() {
        Json missing = json("{\"a\":1}").at("b").at("c");
        assertThat(missing.isPresent()).isFalse();
        assertThat(missing.text()).isEmpty();
        assertThat(missing.elements()).isEmpty();
        assertThat(missing.asLong(7)).isEqualTo(7);
    }

    @Test
    void aMemberIsChangedAndTheOthersStayAsTheyWereWritten() {
        Json changed =
                json("{\"a\": 1.0,\"b\":{ \"x\" : 1e3 }}").with("a", json("2")).with("new", Json.ofText("\"\\"));
        assertThat(changed.raw()).isEqualTo("{\"a\":2,\"b\":{ \"x\" : 1e3 },\"new\":\"\\\"\\\\\"}");
    }

    @Test
    void itIsPrintedOnOneLineOrOnMany() {
        Json value = json("{ \"a\" : [1, {\"b\" : 1.50}], \"c\" : {}, \"d\": [] }");
        assertThat(value.compact()).isEqualTo("{\"a\":[1,{\"b\":1.50}],\"c\":{},\"d\":[]}");
        assertThat(value.pretty()).isEqualTo("""
                {
                  "a": [
                    1,
                    {
                      "b": 1.50
                    }
                  ],
                  "c": {},
                  "d": []
                }""");
    }

    @Test
    void valuesAreEqualWhereAProgramReadsTheSame() {
        assertThat(json("{\"a\":1, \"b\":\"\\u0061\"}")).isEqualTo(json("{ \"b\":\"a\",\"a\": 1 }"));
        assertThat(json("\"1\"")).isNotEqualTo(json("1"));
        assertThat(json("[1,2]")).isNotEqualTo(json("[2,1]"));
    }

    @Test
    void depthDoesNotMultiplyWhatIsKept() {
        int depth = 90;
        String filler = "x".repeat(900_000);
        String text = "{\"a\":".repeat(depth) + "\"" + filler + "\"" + "}".repeat(depth);
        // A copy for each level would take 50 times 90 times 0.9 MB: four times the memory of the test JVM.
        List<Json> kept = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            kept.add(json(text));
        }
        Json deepest = kept.getLast();
        for (int i = 0; i < depth; i++) {
            deepest = deepest.at("a");
        }
        assertThat(deepest.text()).isEqualTo(filler);
        assertThat(kept).allSatisfy(each -> assertThat(each.raw()).hasSameSizeAs(text));
    }

    @Test
    void aPartCanBeKeptWithoutTheRest() {
        Json part = json("[ {\"a\" : 1.0} , 2 ]").elements().getFirst();
        assertThat(part.detached()).isEqualTo(part);
        assertThat(part.detached().raw()).isEqualTo("{\"a\" : 1.0}");
        assertThat(part.detached().at("a").raw()).isEqualTo("1.0");
    }
}
