package dev.gavel.gateway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolArgumentValidatorTest {
    private static final String WRITE_FILE = """
            {"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},
             "mode":{"type":"integer","minimum":0}},"required":["path"]}""";

    @Test
    void acceptsArgumentsThatMatch() {
        assertThat(messages(WRITE_FILE, "{\"path\":\"a\",\"content\":\"b\"}")).isEmpty();
    }

    @Test
    void refusesAMistypedNameAndSuggestsTheRightOne() {
        assertThat(messages(WRITE_FILE, "{\"path\":\"a\",\"contnet\":\"b\"}"))
                .containsExactly("write_file has no argument 'contnet'; did you mean 'content'?");
    }

    @Test
    void listsTheArgumentsIfNoNameIsSimilar() {
        assertThat(messages(WRITE_FILE, "{\"path\":\"a\",\"verbose\":true}"))
                .containsExactly("write_file has no argument 'verbose'; its arguments are path, content, mode");
    }

    @Test
    void aToolWithoutArgumentsSaysSo() {
        assertThat(messages("{\"type\":\"object\",\"properties\":{}}", "{\"x\":1}"))
                .containsExactly("write_file has no argument 'x'; it takes no arguments");
    }

    @Test
    void reportsMissingArgumentsAndWrongTypes() {
        assertThat(messages(WRITE_FILE, "{\"mode\":\"x\"}"))
                .containsExactlyInAnyOrder(
                        "write_file needs the argument 'path'", "'mode': string found, integer expected");
        assertThat(messages(WRITE_FILE, "{\"path\":\"a\",\"mode\":-1}"))
                .containsExactly("'mode': must have a minimum value of 0");
    }

    @Test
    void aSchemaThatAcceptsOtherNamesIsObeyed() {
        for (String others : List.of(
                "\"additionalProperties\":true",
                "\"additionalProperties\":{\"type\":\"string\"}",
                "\"patternProperties\":{\"^x\":{}}")) {
            assertThat(messages("{\"type\":\"object\",\"properties\":{\"a\":{}}," + others + "}", "{\"xyz\":\"1\"}"))
                    .as(others)
                    .isEmpty();
        }
        assertThat(messages("{\"type\":\"object\"}", "{\"xyz\":1}")).isEmpty();
        assertThat(messages("{\"type\":\"object\",\"additionalProperties\":false}", "{\"xyz\":1}"))
                .containsExactly("write_file has no argument 'xyz'; it takes no arguments");
    }

    @Test
    void namesInCombinedSchemasAreKnown() {
        String combined = """
                {"type":"object","allOf":[{"$ref":"#/$defs/base"},{"properties":{"b":{}}}],
                 "$defs":{"base":{"properties":{"a":{}}}}}""";

        assertThat(messages(combined, "{\"a\":1,\"b\":2}")).isEmpty();
        assertThat(messages(combined, "{\"a\":1,\"cc\":2}")).hasSize(1);
    }

    @Test
    void nestedValuesAreNamedByTheirPath() {
        String nested = """
                {"type":"object","properties":{"edits":{"type":"array","items":{"type":"object",
                 "properties":{"old":{"type":"string"}},"additionalProperties":false,"required":["old"]}}}}""";

        assertThat(messages(nested, "{\"edits\":[{\"old\":\"x\"},{\"old\":1}]}"))
                .containsExactly("'edits[1].old': integer found, string expected");
        assertThat(messages(nested, "{\"edits\":[{\"old\":\"x\",\"nwe\":1}]}"))
                .containsExactly("'edits[0]' has no field 'nwe'; its fields are old");
    }

    @Test
    void aMistypedNameInANestedObjectIsRefusedAlthoughTheSchemaDoesNotForbidIt() {
        String nested = """
                {"type":"object","properties":{"options":{"$ref":"#/$defs/options"},"steps":{"type":"array","items":
                 {"allOf":[{"$ref":"#/$defs/options"},{"properties":{"name":{}}}]}},"free":{"type":"object"},
                 "labels":{"additionalProperties":{"$ref":"#/$defs/options"}},"self":{"$ref":"#"}},
                 "$defs":{"options":{"type":"object","properties":{"recursive":{"type":"boolean"}}}}}""";

        assertThat(messages(nested, "{\"options\":{\"recursiv\":true}}"))
                .containsExactly("'options' has no field 'recursiv'; did you mean 'recursive'?");
        assertThat(messages(nested, "{\"steps\":[{\"name\":1,\"recursive\":true},{\"nmae\":1}]}"))
                .containsExactly("'steps[1]' has no field 'nmae'; did you mean 'name'?");
        assertThat(messages(nested, "{\"labels\":{\"any\":{\"recursive\":true},\"b\":{\"x\":1}}}"))
                .containsExactly("'labels.b' has no field 'x'; its fields are recursive");
        assertThat(messages(nested, "{\"self\":{\"self\":{\"option\":{}}}}"))
                .containsExactly("'self.self' has no field 'option'; did you mean 'options'?");
        assertThat(messages(nested, "{\"free\":{\"x\":{\"y\":1}}}")).isEmpty();
    }

    @Test
    void aMistypedNestedNameOfTheProposalIsNotTheReviewersFault() {
        String nested = "{\"properties\":{\"o\":{\"properties\":{\"a\":{}}},\"b\":{}}}";
        ToolDefinition tool = tool(nested);

        assertThat(ToolArgumentValidator.validateEdit(
                        tool,
                        Json.parse("{\"o\":{\"xyz\":1},\"b\":1}").orElseThrow(),
                        Json.parse("{\"o\":{\"xyz\":1},\"b\":2}").orElseThrow()))
                .isEqualTo(new ArgumentValidationResult.Checked(List.of()));
    }

    @Test
    void schemasOfOlderDraftsWork() {
        assertThat(messages(
                        "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"properties\":{\"a\":{\"type\":\"string\"}}}",
                        "{\"a\":1}"))
                .containsExactly("'a': integer found, string expected");
    }

    @Test
    void aPatternThatBacktracksForeverIsStopped() {
        assertThat(validate(
                        "{\"properties\":{\"a\":{\"pattern\":\"^(.*a){20}$\"}}}",
                        "{\"a\":\"" + "a".repeat(60) + "!\"}"))
                .isEqualTo(new ArgumentValidationResult.Uncheckable("a pattern in its schema takes too long to check"));
    }

    @Test
    void aSchemaThatBranchesExponentiallyIsStopped() {
        String schema = """
                {"properties":{"a":{"$ref":"#/$defs/n"}},"$defs":{"n":{
                 "anyOf":[{"properties":{"a":{"$ref":"#/$defs/n"}},"required":["b"]},
                          {"properties":{"a":{"$ref":"#/$defs/n"}},"required":["b"]},
                          {"type":"integer"}]}}}""";

        assertThat(validate(schema, "{\"a\":".repeat(40) + "1" + "}".repeat(40)))
                .isEqualTo(new ArgumentValidationResult.Uncheckable("its schema takes too long to check"));
    }

    @Test
    void remoteReferencesAreNotLoaded() {
        assertThat(validate("{\"properties\":{\"a\":{\"$ref\":\"http://127.0.0.1:1/schema\"}}}", "{\"a\":1}"))
                .isInstanceOf(ArgumentValidationResult.Uncheckable.class);
        assertThat(validate("{\"properties\":{\"a\":{\"$ref\":\"file:///etc/hostname\"}}}", "{\"a\":1}"))
                .isInstanceOf(ArgumentValidationResult.Uncheckable.class);
        assertThat(validate("{\"properties\":{\"a\":{\"$ref\":\"classpath:/logback.xml\"}}}", "{\"a\":1}"))
                .isInstanceOf(ArgumentValidationResult.Uncheckable.class);
    }

    @Test
    void somethingThatIsNoSchemaCannotBeChecked() {
        assertThat(validate("{\"type\":5}", "{}")).isInstanceOf(ArgumentValidationResult.class);
        assertThat(validate("\"text\"", "{\"a\":1}")).isInstanceOf(ArgumentValidationResult.class);
        assertThat(validate("{\"$ref\":\"#/$defs/missing\"}", "{\"a\":1}"))
                .isInstanceOf(ArgumentValidationResult.Uncheckable.class);
    }

    private static List<String> messages(String schema, String arguments) {
        return validate(schema, arguments) instanceof ArgumentValidationResult.Checked(List<ArgumentViolation> found)
                ? found.stream().map(ArgumentViolation::message).toList()
                : List.of("uncheckable");
    }

    private static ArgumentValidationResult validate(String schema, String arguments) {
        return ToolArgumentValidator.validate(
                tool(schema), Json.parse(arguments).orElseThrow());
    }

    private static ToolDefinition tool(String schema) {
        return ToolDefinition.of(
                "files",
                "write_file",
                Json.object().with("inputSchema", Json.parse(schema).orElseThrow()));
    }
}
