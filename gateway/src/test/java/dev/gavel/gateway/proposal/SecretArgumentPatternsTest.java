package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redaction of secret arguments, and their restoration in approvals. */
class SecretArgumentPatternsTest {
    private static final String HIDDEN = "{'dev.gavel/redacted':'secret'}";

    private static RawPayload call(String arguments) {
        return RawPayload.of(("{'method':'tools/call','params':{'name':'t','arguments':" + arguments + "}}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8));
    }

    private static String arguments(RawPayload payload) {
        return Json.parse(payload.toString())
                .orElseThrow()
                .at("params")
                .at("arguments")
                .raw()
                .replace('"', '\'');
    }

    private static String redact(String pattern, String arguments) {
        return arguments(SecretArgumentPatterns.of(List.of(pattern)).redact(call(arguments)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            password        | {'password':'x','path':1.50}   | {'password':HIDDEN,'path':1.50}
            password        | {'PassWord':{'a':1}}           | {'PassWord':HIDDEN}
            password        | {'db':{'password':'x'}}        | {'db':{'password':HIDDEN}}
            *.token         | {'token':'x'}                  | {'token':'x'}
            *.token         | {'api':{'token':'x'}}          | {'api':{'token':HIDDEN}}
            *.token         | {'a':[{'token':'x'},{'b':1}]}  | {'a':[{'token':HIDDEN},{'b':1}]}
            *_key           | {'api_key':'x','key':'y'}      | {'api_key':HIDDEN,'key':'y'}
            a.b             | {'a.b':'x','b':'y'}            | {'a.b':HIDDEN,'b':'y'}
            keys            | {'keys':['x','y']}             | {'keys':HIDDEN}
            password        | {'passwords':'x'}              | {'passwords':'x'}
            *.token         | {'my.api':{'token':'x'}}       | {'my.api':{'token':HIDDEN}}
            auths.*.auth    | {'auths':{'ghcr.io':{'auth':'x'},'b':{'auth':'y'}}} | {'auths':{'ghcr.io':{'auth':HIDDEN},'b':{'auth':HIDDEN}}}
            headers.*       | {'headers':{'x.y':'x'},'a':{'b':'y'}} | {'headers':{'x.y':HIDDEN},'a':{'b':'y'}}
            password        | {'db.password':'x'}            | {'db.password':HIDDEN}
            a.*.c           | {'a':{'b':{'x':{'c':1}}}}      | {'a':{'b':{'x':{'c':1}}}}
            .env            | {'.env':'x','env':'y'}         | {'.env':HIDDEN,'env':'y'}
            *               | {'a':'x','b':{'c':'y'}}        | {'a':HIDDEN,'b':HIDDEN}
            *               | ['x',{'a':'y'}]                | HIDDEN
            *               | 'x'                            | HIDDEN
            *               | {}                             | {}
            a               | ['x']                          | ['x']
            """)
    void aPatternMatchesFromTheEndOfAPath(String pattern, String arguments, String shown) {
        assertThat(redact(pattern, arguments)).isEqualTo(shown.replace("HIDDEN", HIDDEN));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'method':'tools/call','params':{'name':'t','password':'x'}}      | {'method':'tools/call','params':{'name':'t','password':HIDDEN}}
            {'params':{'name':'t','_meta':{'password':'x','a':1}}}            | {'params':{'name':'t','_meta':{'password':HIDDEN,'a':1}}}
            {'params':{'name':'t'},'password':'x'}                            | {'params':{'name':'t'},'password':HIDDEN}
            {'params':{'argument':{'name':'password','value':'x'}}}           | {'params':{'argument':{'name':'password','value':HIDDEN}}}
            {'params':{'argument':{'name':'user','value':'x'}}}               | {'params':{'argument':{'name':'user','value':'x'}}}
            {'params':{'context':{'arguments':{'password':'x'}}}}             | {'params':{'context':{'arguments':{'password':HIDDEN}}}}
            {'params':{'arguments':['a',{'password':'x'}]}}                   | {'params':{'arguments':['a',{'password':HIDDEN}]}}
            """)
    void fieldsBesideTheArgumentsCanBeSecretToo(String call, String shown) {
        RawPayload payload = RawPayload.of(call.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        SecretArgumentPatterns secrets = SecretArgumentPatterns.of(List.of("password"));
        RawPayload redacted = secrets.redact(payload);
        assertThat(redacted.toString().replace('"', '\'')).isEqualTo(shown.replace("HIDDEN", HIDDEN));
        assertThat(secrets.restore(redacted, payload)).contains(payload);
    }

    @Test
    void argumentsThatAreNoObjectAreRestoredWhole() {
        SecretArgumentPatterns secrets = SecretArgumentPatterns.of(List.of("*"));
        RawPayload payload = call("['x']");
        assertThat(secrets.hasSecrets(payload)).isTrue();
        assertThat(secrets.restore(secrets.redact(payload), payload)).contains(payload);
    }

    @ParameterizedTest
    @ValueSource(strings = {"password, token", "a b", " pass", "pass ", "a;b", "a\tb", "pass\u200bword", "pass\u00a0"})
    void aTextThatCannotMatchIsNoPattern(String pattern) {
        assertThat(SecretArgumentPatterns.problem(pattern)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"$.key", "/key", "db/key", "key?", "a|b", "[key]", "{a}", "arguments.pin", "params.arguments.pw"
            })
    void aPatternThatProbablyHidesNothingHasAWarning(String pattern) {
        assertThat(SecretArgumentPatterns.problem(pattern)).isEmpty();
        assertThat(SecretArgumentPatterns.warning(pattern)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"password", "*.token", "*_key", "credentials.key", "auths.*.auth", "example.com/token", "*"})
    void anOrdinaryPatternHasNoWarning(String pattern) {
        assertThat(SecretArgumentPatterns.problem(pattern)).isEmpty();
        assertThat(SecretArgumentPatterns.warning(pattern)).isEmpty();
    }

    @Test
    void theNameOfTheToolIsNeverSecret() {
        RawPayload payload = call("{'name':'x'}");
        assertThat(SecretArgumentPatterns.of(List.of("name", "*"))
                        .redact(payload)
                        .toString())
                .contains("\"name\":\"t\"")
                .doesNotContain("\"x\"");
    }

    @Test
    void theToolsSchemaMarksSecretsToo() {
        Json schema = Json.parse("{'properties':{'user':{'type':'string'},'pin':{'type':'string','format':'password'},"
                        .concat("'db':{'properties':{'key':{'writeOnly':true}}},")
                        .concat("'all':{'items':{'properties':{'t':{'format':'password'}}}}}}")
                        .replace('\'', '"'))
                .orElseThrow();
        assertThat(SecretArgumentPatterns.ofSchema(schema).patterns())
                .containsExactlyInAnyOrder("pin", "db.key", "all.t");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'properties':{'auth':{'$ref':'#/$defs/S'},'key':{'$ref':'#/$defs/S'}},'$defs':{'S':PW}}       | auth,key
            {'properties':{'db':{'$ref':'#/$defs/D'}},'$defs':{'D':{'properties':{'pin':PW}}}}             | db.pin
            {'$ref':'#/$defs/All','$defs':{'All':{'properties':{'pin':PW}}}}                               | pin
            {'properties':{'pin':PW,'child':{'$ref':'#'}}}                                                 | pin,child.pin
            {'properties':{'all':{'prefixItems':[{'type':'string'},{'properties':{'pin':PW}}]}}}           | all.pin
            {'properties':{'all':{'items':[{'properties':{'pin':PW}}]}}}                                   | all.pin
            {'properties':{'env':{'additionalProperties':PW}}}                                             | env.*
            {'patternProperties':{'^x':PW}}                                                                | *
            {'if':{'properties':{'a':{'const':1}}},'then':{'properties':{'pin':PW}}}                       | pin
            {'dependentSchemas':{'user':{'properties':{'pin':PW}}}}                                        | pin
            {'properties':{'a':{'$ref':'#/$defs/missing'},'b':{'$ref':'other.json'},'pin':PW,'x':{}}}      | a,b,pin
            {'$ref':'other.json','properties':{'x':{}}}                                                    | *
            {'properties':{'a':{'$ref':'#D'}},'$defs':{'D':{'$anchor':'D','writeOnly':true}}}              | a
            {'properties':{'a':{'$ref':'#D'}},'definitions':{'D':{'$id':'#D','writeOnly':true}}}           | a
            {'properties':{'a':{'$ref':'e.json'}},'$defs':{'E':{'$id':'e.json','writeOnly':true}}}         | a
            {'properties':{'a':{'$ref':'e.json#/$defs/S'}},'$defs':{'E':{'$id':'e.json','$defs':{'S':PW}}}} | a
            {'properties':{'a':{'$ref':'e'}},'$defs':{'E':{'$id':'e','$ref':'#/$defs/S','$defs':{'S':PW}}}} | a
            {'properties':{'a':{'$dynamicRef':'#s'}},'$defs':{'s':{'$dynamicAnchor':'s','writeOnly':true}}} | a
            {'properties':{'a':{'$ref':'#/$defs/a%20b'}},'$defs':{'a b':PW}}                               | a
            {'properties':{'a':{'$ref':'#/allOf/1'}},'allOf':[{'type':'object'},{'writeOnly':true}]}       | a,*
            {'writeOnly':true,'properties':{'pin':{}}}                                                     | *
            {'type':'object','format':'password'}                                                          | *
            {'$ref':'#/$defs/All','$defs':{'All':{'writeOnly':true}}}                                      | *
            {'properties':{'tok':{'type':['string'],'format':'Password'}}}                                 | tok
            {'properties':{'.env':PW,'a..b':PW}}                                                           | .env,a..b
            """)
    void marksBehindReferencesAndInEveryPartOfTheSchemaCount(String schema, String patterns) {
        Json parsed = Json.parse(schema.replace("PW", "{'format':'password'}").replace('\'', '"'))
                .orElseThrow();
        assertThat(SecretArgumentPatterns.ofSchema(parsed).patterns()).containsExactlyInAnyOrder(patterns.split(","));
    }

    @Test
    void aSchemaThatRefersToItselfManyTimesIsReadInBoundedTime() {
        StringBuilder properties = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            properties
                    .append("'p")
                    .append(i)
                    .append("':{'$ref':'#/$defs/d")
                    .append(i)
                    .append("'},");
        }
        StringBuilder definitions = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            definitions
                    .append("'d")
                    .append(i)
                    .append("':{'properties':{")
                    .append(properties)
                    .append("'x':{}}},");
        }
        Json schema = Json.parse(("{'properties':{" + properties + "'pin':{'format':'password'}},'$defs':{"
                                + definitions + "'z':{}}}")
                        .replace('\'', '"'))
                .orElseThrow();
        assertThat(SecretArgumentPatterns.ofSchema(schema).patterns()).containsExactly("*");
    }

    @Test
    void markersInAnApprovalBecomeTheProposedValues() {
        SecretArgumentPatterns secrets = SecretArgumentPatterns.of(List.of("password"));
        RawPayload proposed = call("{'password':'x','path':'a'}");
        RawPayload edited = call("{'password':" + HIDDEN + ",'path':'b'}");
        assertThat(secrets.restore(edited, proposed).map(SecretArgumentPatternsTest::arguments))
                .contains("{'password':'x','path':'b'}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'path':{'dev.gavel/redacted':'secret'}}",
                "{'other':{'password':{'dev.gavel/redacted':'secret'}}}",
                "{'password':'x','path':[{'dev.gavel/redacted':1}]}",
            })
    void aMarkerInAnotherPlaceIsNotRun(String arguments) {
        assertThat(SecretArgumentPatterns.of(List.of("password"))
                        .restore(call(arguments), call("{'password':'x','path':'a'}")))
                .isEqualTo(Optional.empty());
    }

    @Test
    void aMarkerInAnArrayWithOtherElementsIsNotRun() {
        SecretArgumentPatterns secrets = SecretArgumentPatterns.of(List.of("password"));
        RawPayload proposed = call("{'all':[{'password':'x'},{'password':'y'}]}");
        assertThat(secrets.restore(call("{'all':[{'password':" + HIDDEN + "}]}"), proposed))
                .isEqualTo(Optional.empty());
        assertThat(secrets.restore(call("{'all':[{'password':" + HIDDEN + "},{'password':'z'}]}"), proposed)
                        .map(SecretArgumentPatternsTest::arguments))
                .contains("{'all':[{'password':'x'},{'password':'z'}]}");
    }

    @Test
    void anEditedSecretIsMarkedAsEdited() {
        assertThat(arguments(SecretArgumentPatterns.of(List.of("password"))
                        .redact(call("{'password':'y'}"), call("{'password':'x'}"))))
                .isEqualTo("{'password':{'dev.gavel/redacted':'secret, edited by the reviewer'}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".a", "a.", "a..b"})
    void whatIsNotAPathIsRefused(String pattern) {
        assertThat(SecretArgumentPatterns.problem(pattern)).isPresent();
    }
}
