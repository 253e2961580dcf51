package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static dev.gavel.mcpx.EnvelopeFixtures.capabilities;
import static dev.gavel.mcpx.EnvelopeFixtures.json;
import static dev.gavel.mcpx.EnvelopeFixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests capabilities with payload patterns. */
class RawPayloadPatternTest {
    private static boolean admits(String pattern, String payload) {
        CapabilitySet capabilitySet = capabilities("[{'kind':'x.y','payload':" + pattern + "}]");
        boolean admitted = capabilitySet.admits(Kind.of("x.y"), RawPayload.of(bytes(json(payload))));
        assertThat(capabilitySet.asList().getFirst().admits(Kind.of("x.y"), RawPayload.of(bytes(json(payload)))))
                .isEqualTo(admitted);
        return admitted;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                             | {}                                     | true
            {}                             | {'a':1}                                | true
            {'a':'x'}                      | {'a':'x'}                              | true
            {'a':'x'}                      | {'b':1,'a':'x','c':[1,{'a':2}]}        | true
            {'a':'x'}                      | {'a':'y'}                              | false
            {'a':'x'}                      | {}                                     | false
            {'a':'x'}                      | {'b':{'a':'x'}}                        | false
            {'a':'x'}                      | {'a':['x']}                            | false
            {'a':'x'}                      | {'a':{'x':'x'}}                        | false
            {'a':'*'}                      | {'a':''}                               | true
            {'a':'*'}                      | {'a':[]}                               | false
            {'a':'*'}                      | {'a':{}}                               | false
            {'a':'*'}                      | {}                                     | false
            {'a':'/tmp/*'}                 | {'a':'/tmp/x/y'}                       | true
            {'a':'/tmp/*'}                 | {'a':'/tmpx'}                          | false
            {'a':'/tmp/*'}                 | {'a':'\\/tm\\u0070/x'}                 | true
            {'a':'!x'}                     | {'a':'y'}                              | true
            {'a':'!x'}                     | {'a':'x'}                              | false
            {'a':'!x'}                     | {}                                     | false
            {'a':'!x'}                     | {'a':['y']}                            | false
            {'a':'!x'}                     | {'a':{}}                               | false
            {'a':'!x*'}                    | {'a':'yx'}                             | true
            {'a':'!x*'}                    | {'a':'xy'}                             | false
            {'a':['x','y']}                | {'a':'y'}                              | true
            {'a':['x','y']}                | {'a':'z'}                              | false
            {'a':['x','!y*']}              | {'a':'z'}                              | true
            {'a':['x','!y*']}              | {'a':'yy'}                             | false
            {'a':{'b':{'c':'x'}}}          | {'a':{'b':{'c':'x','d':1}}}            | true
            {'a':{'b':{'c':'x'}}}          | {'a':{'b':'x'}}                        | false
            {'a':{'b':{'c':'x'}}}          | {'a':{'b':[{'c':'x'}]}}                | false
            {'a':{}}                       | {'a':{'b':1}}                          | true
            {'a':{}}                       | {'a':1}                                | false
            {'a':{}}                       | {'a':[]}                               | false
            {'a':[{'b':'1'},{'c':'2'}]}    | {'a':{'c':2}}                          | true
            {'a':[{'b':'1'},{'c':'2'}]}    | {'a':{'b':2,'c':1}}                    | false
            {'a':[{'b':'1'},'x']}          | {'a':'x'}                              | true
            {'a':[['x'],[['y']]]}          | {'a':'y'}                              | true
            {'a':'x','b':'y'}              | {'b':'y','a':'x'}                      | true
            {'a':'x','b':'y'}              | {'a':'x'}                              | false
            {'n':8080}                     | {'n':8080}                             | true
            {'n':8080}                     | {'n':'8080'}                           | true
            {'n':'80*'}                    | {'n':8080}                             | true
            {'n':8080}                     | {'n':8080.0}                           | false
            {'n':1.50}                     | {'n':1.50}                             | true
            {'n':'!8080'}                  | {'n':8081}                             | true
            {'n':'!8080'}                  | {'n':8080}                             | false
            {'n':'!8080'}                  | {'n':8080.0}                           | false
            {'n':'!8080'}                  | {'n':8.08e3}                           | false
            {'n':'!8080'}                  | {'n':1e99999999999}                    | false
            {'n':'!8080'}                  | {'n':'8080.0'}                         | true
            {'n':true}                     | {'n':true}                             | true
            {'n':true}                     | {'n':false}                            | false
            {'n':'!true'}                  | {'n':false}                            | true
            {'n':null}                     | {'n':null}                             | true
            {'n':null}                     | {}                                     | false
            {'':'x'}                       | {'':'x'}                               | true
            """)
    void everyNamedFieldMustBeThereAndMatch(String pattern, String payload, boolean admitted) {
        assertThat(admits(pattern, payload)).isEqualTo(admitted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/tmp/../etc/passwd",
                "/tmp/..",
                "..",
                "/tmp\\\\..\\\\etc",
                "/tmp/%2e%2e/etc",
                "/tmp/.%2E%2fetc",
                "/tmp%5c..%5cetc",
                "/tmp/\\u002e\\u002e/etc"
            })
    void aValueWithADotDotSegmentMatchesNoWildcardNegatedOrNot(String path) {
        String payload = "{'path':'" + path + "'}";
        assertThat(admits("{'path':'/tmp/*'}", payload)).isFalse();
        assertThat(admits("{'path':'*'}", payload)).isFalse();
        assertThat(admits("{'path':'!/etc/*'}", payload)).isFalse();
        assertThat(admits("{'path':['/tmp/*','!/etc/*']}", payload)).isFalse();
        assertThat(admits("{'path':'" + path + "'}", payload)).isTrue();
        assertThat(admits("{'path':'!/etc'}", payload)).isTrue();
    }

    @Test
    void theExampleOfTheSpecificationHolds() {
        CapabilitySet capabilitySet = capabilities(
                "[{'kind':'mcp.request.tools/call','payload':{'params':{'name':'write_file','arguments':{'path':'/tmp/*'}}}}]");
        assertThat(capabilitySet.admits(EnvelopeFixtures.call(
                        "mcp.request.tools/call",
                        "tools/call",
                        "{'name':'write_file','arguments':{'path':'/tmp/a','text':'x'}}")))
                .isTrue();
        assertThat(capabilitySet.admits(EnvelopeFixtures.call(
                        "mcp.request.tools/call", "tools/call", "{'name':'write_file','arguments':{'path':'/etc/a'}}")))
                .isFalse();
        assertThat(capabilitySet.admits(EnvelopeFixtures.call(
                        "mcp.request.tools/call", "tools/call", "{'name':'read_file','arguments':{'path':'/tmp/a'}}")))
                .isFalse();
        assertThat(capabilitySet.admits(EnvelopeFixtures.call(
                        "mcp.proposal.tools/call",
                        "tools/call",
                        "{'name':'write_file','arguments':{'path':'/tmp/a'}}")))
                .isFalse();
    }

    @Test
    void severalCapabilitiesShareOneLookAndEachDecidesForItself() {
        CapabilitySet capabilitySet = capabilities("""
                ['chat.*',
                 {'kind':'x.y','payload':{'a':'1','b':{'c':'2'}}},
                 {'kind':'x.y','payload':{'b':'text'}},
                 {'kind':'x.z','payload':{'d':'*'}},
                 {'kind':'x.*','payload':{'b':{'e':['3','4']}}}]""");
        assertThat(capabilitySet.admits(Kind.of("x.y"), payload("{'a':1,'b':{'c':2}}")))
                .isTrue();
        assertThat(capabilitySet.admits(Kind.of("x.y"), payload("{'a':1,'b':{'c':3}}")))
                .isFalse();
        assertThat(capabilitySet.admits(Kind.of("x.y"), payload("{'b':'text'}")))
                .isTrue();
        assertThat(capabilitySet.admits(Kind.of("x.y"), payload("{'d':5}"))).isFalse();
        assertThat(capabilitySet.admits(Kind.of("x.z"), payload("{'d':5}"))).isTrue();
        assertThat(capabilitySet.admits(Kind.of("x.q"), payload("{'b':{'e':4}}")))
                .isTrue();
        assertThat(capabilitySet.admits(Kind.of("chat.message"), payload("{}"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "5", "null", "{", "{'a':'x'", "{'a':'x'}}x", "\u0000"})
    void whatIsNoPayloadMatchesNothing(String text) {
        assertThat(admits("{'a':'x','b':'y'}", text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'kind':'x.y'}                              | array
            5                                           | array
            [                                           | not valid JSON
            ['x.y'] 5                                   | extra data
            [5]                                         | pattern of kinds
            [['x.y']]                                   | pattern of kinds
            [{'payload':{}}]                            | pattern of kinds
            [{'kind':5}]                                | 'kind' must be a string
            [{'kind':'x.y','paylod':{}}]                | not 'paylod'
            [{'kind':'x.y','payload':'a'}]              | must be an object
            [{'kind':'x.y','payload':['a']}]            | must be an object
            [{'kind':'x.y','payload':{'a':[]}}]         | empty list
            [{'kind':'x.y','payload':{'a':'!'}}]        | needs a value
            [{'kind':'x.y','payload':{'a':1,'a':2}}]    | 'a' is repeated
            [{'kind':'x.y','kind':'x.z'}]               | 'kind' is repeated
            ['nonsense']                                | has no OPERATION
            """)
    void whatIsWrongWithCapabilitiesIsSaid(String text, String problem) {
        assertThat(CapabilitySet.fromJson(bytes(json(text))))
                .isInstanceOfSatisfying(
                        ValueParseResult.Invalid.class,
                        invalid -> assertThat(invalid.problem()).contains(problem));
    }

    @Test
    void payloadPatternsAreBounded() {
        PayloadPattern deep = new PayloadPattern.Text("x");
        for (int i = 0; i < 17; i++) {
            deep = new PayloadPattern.Fields(Map.of("a", deep));
        }
        assertThat(Capability.compile("x.y", deep)).isInstanceOf(ValueParseResult.Invalid.class);
        var wide = new LinkedHashMap<String, PayloadPattern>();
        for (int i = 0; i < 1001; i++) {
            wide.put("f" + i, new PayloadPattern.Text("x"));
        }
        assertThat(Capability.compile("x.y", new PayloadPattern.Fields(wide)))
                .isInstanceOf(ValueParseResult.Invalid.class);
        assertThat(Capability.compile(
                        "x.y", new PayloadPattern.Fields(Map.of("a", new PayloadPattern.Text("x".repeat(3000))))))
                .isInstanceOf(ValueParseResult.Invalid.class);
    }

    @Property(tries = 300)
    void capabilitiesComeBackFromTheirJson(
            @ForAll("patterns") PayloadPattern pattern, @ForAll EnvelopeSyntax syntaxVersion) {
        CapabilitySet capabilitySet = CapabilitySet.of(List.of(
                Capability.compile("mcp.request.tools/*", new PayloadPattern.Fields(Map.of("f", pattern)))
                        .orThrow(),
                Capability.compile("chat.message").orThrow()));
        byte[] written = capabilitySet.toJson(syntaxVersion);
        assertThat(CapabilitySet.fromJson(written).orThrow()).isEqualTo(capabilitySet);
        assertThat(text(written)).contains(syntaxVersion == EnvelopeSyntax.CURRENT ? "\"chat.message\"]" : "\"chat\"]");
    }

    @Provide
    Arbitrary<PayloadPattern> patterns() {
        Arbitrary<PayloadPattern> text = Arbitraries.strings()
                .withChars("ab*!/\"\\é")
                .ofMaxLength(6)
                .filter(each -> !each.equals("!"))
                .map(PayloadPattern.Text::new);
        return Arbitraries.recursive(
                () -> text,
                inner -> Arbitraries.oneOf(
                        inner.list().ofMinSize(1).ofMaxSize(3).map(PayloadPattern.AnyOf::new),
                        Arbitraries.maps(Arbitraries.strings().alpha().ofMaxLength(3), inner)
                                .ofMaxSize(3)
                                .map(PayloadPattern.Fields::new)),
                0,
                3);
    }

    private static RawPayload payload(String text) {
        return RawPayload.of(bytes(json(text)));
    }
}
