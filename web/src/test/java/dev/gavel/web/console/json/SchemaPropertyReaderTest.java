package dev.gavel.web.console.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import dev.gavel.web.console.json.SchemaPropertyReader.SchemaProperty;
import org.junit.jupiter.api.Test;

class SchemaPropertyReaderTest {
    @Test
    void listsNamesTypesAndDescriptions() {
        Json schema = Json.parse("""
                {"required":["path"],"properties":{"path":{"type":"string","description":"Where it is."},
                 "mode":{"enum":["fast","safe"]},"size":{"type":["integer","null"]}}}""").orElseThrow();

        assertThat(SchemaPropertyReader.read(schema))
                .containsExactly(
                        new SchemaProperty("path", "string", true, "Where it is."),
                        new SchemaProperty("mode", "\"fast\" or \"safe\"", false, ""),
                        new SchemaProperty("size", "integer or null", false, ""));
    }

    @Test
    void aValueThatIsNotASchemaHasNoProperties() {
        assertThat(SchemaPropertyReader.read(Json.ofText("nonsense"))).isEmpty();
    }

    @Test
    void theLineOfAValueIsKnown() {
        String text = "{\n  \"path\": \"a\",\n  \"tags\": [\n    \"ok\",\n    \"long\"\n  ]\n}";
        JsonLineIndex jsonLineIndex = JsonLineIndex.parse(text);
        assertThat(jsonLineIndex.line(JsonValuePath.ROOT.child("tags").child(1)))
                .isEqualTo(5);
        assertThat(jsonLineIndex.line(JsonValuePath.ROOT.child("path"))).isEqualTo(2);
        assertThat(jsonLineIndex.line(JsonValuePath.ROOT.child("depth"))).isEqualTo(1);
    }
}
