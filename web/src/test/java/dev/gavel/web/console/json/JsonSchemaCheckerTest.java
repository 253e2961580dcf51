package dev.gavel.web.console.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonSchemaCheckerTest {
    private static final String SCHEMA = """
            {"type":"object","required":["path"],"additionalProperties":false,
             "properties":{
               "path":{"type":"string","minLength":1,"description":"Where it is."},
               "depth":{"type":"integer","minimum":0,"maximum":9},
               "mode":{"enum":["fast","safe"]},
               "tags":{"type":"array","maxItems":2,"items":{"$ref":"#/$defs/tag"}},
               "size":{"anyOf":[{"type":"integer"},{"type":"null"}]}},
             "$defs":{"tag":{"type":"string","maxLength":3}}}
            """;

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static List<String> faults(String value) {
        return new JsonSchemaChecker(json(SCHEMA))
                .validate(json(value)).stream()
                        .map(schemaViolation -> schemaViolation.path() + " " + schemaViolation.message())
                        .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                 | path is missing
            {'path':1}                         | path must be a string in double quotes
            {'path':''}                        | path must have at least 1 character
            {'path':'a','depth':1.5}           | depth must be a whole number
            {'path':'a','depth':-1}            | depth is too small
            {'path':'a','depth':10}            | depth is too large
            {'path':'a','mode':'slow'}         | mode must be "fast" or "safe"
            {'path':'a','tags':['ok','long']}  | tags[1] must have at most 3 characters
            {'path':'a','tags':['a','b','c']}  | tags must have at most 2 elements
            {'path':'a','size':'big'}          | size matches none of the 2 allowed forms
            {'path':'a','pth':'b'}             | pth is unknown; known arguments: path, depth, mode, tags, size
            []                                 | ` must be an object {…}`
            """)
    void saysWhatIsWrongAndWhere(String value, String fault) {
        assertThat(faults(value)).containsExactly(fault);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'path':'a'}
            {'path':'a','depth':2.0,'mode':'safe','tags':['abc'],'size':null}
            """)
    void saysNothingOfWhatIsRight(String value) {
        assertThat(faults(value)).isEmpty();
    }

    @Test
    void aSchemaThatGoesRoundInCirclesIsSurvived() {
        Json schema = json("{'$ref':'#/$defs/a','$defs':{'a':{'$ref':'#/$defs/a'}}}");
        assertThat(new JsonSchemaChecker(schema).validate(json("{'x':1}"))).isEmpty();
    }

    @Test
    void aSchemaThatBranchesIntoItselfIsGivenUp() {
        Json schema = json("{'anyOf':[{'$ref':'#/$defs/a'}],'$defs':{'a':{'anyOf':[{'$ref':'#/$defs/a','const':1},"
                + "{'$ref':'#/$defs/a','const':2},{'$ref':'#/$defs/a','const':3}]}}}");
        assertThat(new JsonSchemaChecker(schema).validate(json("{'x':1}"))).hasSizeLessThan(5);
    }

    @Test
    void whatIsNoSchemaAllowsEverything() {
        assertThat(new JsonSchemaChecker(json("'nonsense'")).validate(json("{'x':1}")))
                .isEmpty();
    }

    @Test
    void theLineOfAFaultIsKnown() {
        String text = "{\n  \"path\": \"a\",\n  \"tags\": [\n    \"ok\",\n    \"long\"\n  ]\n}";
        JsonLineIndex jsonLineIndex = JsonLineIndex.parse(text);
        assertThat(jsonLineIndex.line(JsonValuePath.ROOT.child("tags").child(1)))
                .isEqualTo(5);
        assertThat(jsonLineIndex.line(JsonValuePath.ROOT.child("path"))).isEqualTo(2);
        assertThat(jsonLineIndex.line(JsonValuePath.ROOT.child("depth"))).isEqualTo(1);
    }
}
