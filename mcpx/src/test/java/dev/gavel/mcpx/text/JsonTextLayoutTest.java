package dev.gavel.mcpx.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JsonTextLayoutTest {
    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    @Test
    void escapesThatJsonDoesNotNeedAreDecoded() {
        assertThat(JsonTextLayout.line(json("{'\\u0072m':'\\u0072m \\/ \\u002e\\u002e'}")))
                .isEqualTo("{\"rm\":\"rm / ..\"}");
    }

    @Test
    void hiddenCharactersStayEscapes() {
        assertThat(JsonTextLayout.line(json("['\\u200b','\\ud800','\\u001b','a\\u00a0b']")))
                .isEqualTo("[\"\\u200b\",\"\\ud800\",\"\\u001b\",\"a\\u00a0b\"]");
    }

    @Test
    void linesOfATextCannotLookLikeOtherMembers() {
        assertThat(JsonTextLayout.lines(json("{'a':'x\\r\\n  \\u0022b\\u0022: 1\\n','c':[true,'y\\nz']}")))
                .isEqualTo("""
                        {
                          "a": \"""
                          │ x
                          │   "b": 1
                          │\s
                          \""",
                          "c": [
                            true,
                            \"""
                            │ y
                            │ z
                            \"""
                          ]
                        }""");
    }

    @Property
    void oneLineMeansTheSameAsTheValue(@ForAll String text) {
        Json value = Json.ofText(text);
        assertThat(Json.parse(JsonTextLayout.line(value))).contains(value);
        assertThat(Json.parse(value.compact())).contains(value);
    }
}
