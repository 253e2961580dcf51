package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.envelope;
import static dev.gavel.mcpx.EnvelopeFixtures.readAccepted;
import static dev.gavel.mcpx.EnvelopeFixtures.readRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the table of envelope fields row by row. */
class EnvelopeFieldsTest {
    private static final String CHAT = "'kind':'chat.message','payload':{'text':'hi'}";

    @Test
    void anEnvelopeIsReadWithAllItsFields() {
        Envelope envelope = readAccepted("""
                {'protocol':'mcpx/v0.1','id':'prop-123','ts':'2026-01-05T10:00:00Z','from':'untrusted-agent',
                 'to':['filesystem-agent','bob'],'kind':'mcp.request.tools/call','correlationId':'p-1',
                 'payload':{'method':'tools/call', 'params':{'name':'x'} }}""");
        assertThat(envelope.id()).isEqualTo("prop-123");
        assertThat(envelope.ts()).isEqualTo("2026-01-05T10:00:00Z");
        assertThat(envelope.from()).isEqualTo("untrusted-agent");
        assertThat(envelope.to()).containsExactly("filesystem-agent", "bob");
        assertThat(envelope.kind()).isEqualTo(Kind.of("mcp.request.tools/call"));
        assertThat(envelope.correlationIds()).containsExactly("p-1");
        assertThat(envelope.syntax()).isEqualTo(EnvelopeSyntax.CURRENT);
        assertThat(envelope.payload()).hasToString("{\"method\":\"tools/call\", \"params\":{\"name\":\"x\"} }");
        assertThat(envelope.payloadFields().method()).isEqualTo("tools/call");
        assertThat(envelope.payloadFields().name()).isEqualTo("x");
    }

    @Test
    void whatMayBeAbsentMayBeAbsent() {
        Envelope envelope = readAccepted("{'protocol':'mcpx/v0.1','id':'1'," + CHAT + "}");
        assertThat(envelope.ts()).isNull();
        assertThat(envelope.from()).isNull();
        assertThat(envelope.to()).isEmpty();
        assertThat(envelope.correlationIds()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'id':'1','kind':'chat.message','payload':{'text':'hi'}}                         | 'protocol' is missing
            {'protocol':'mcpx/v0.1','kind':'chat.message','payload':{'text':'hi'}}           | 'id' is missing
            {'protocol':'mcpx/v0.1','id':'1','payload':{'text':'hi'}}                        | 'kind' is missing
            {'protocol':'mcpx/v0.1','id':'1','kind':'chat.message'}                          | 'payload' is missing
            {}                                                                               | 'protocol' is missing
            """)
    void whatMustBeThereIsMissed(String text, String message) {
        assertThat(readRefused(text).code()).isEqualTo(EnvelopeErrorCode.MALFORMED);
        assertThat(readRefused(text).message()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            'protocol':1             | 'protocol' must be a string
            'id':7                   | 'id' must be a string
            'id':null                | 'id' must be a string
            'id':''                  | 1 to 128 characters
            'ts':5                   | 'ts' must be a string
            'ts':null                | 'ts' must be a string
            'ts':'yesterday'         | RFC 3339
            'from':['a']             | 'from' must be a string
            'from':''                | 'from' must have 1 to 128
            'to':'bob'               | 'to' must be an array
            'to':null                | 'to' must be an array
            'to':{'a':'b'}           | 'to' must be an array
            'to':[1]                 | 'to' must hold strings only
            'to':[['a']]             | 'to' must hold strings only
            'to':['a',null]          | 'to' must hold strings only
            'to':['']                | a name in 'to'
            'to':['can:nonsense']    | after 'can:', kind 'nonsense'
            'kind':3                 | 'kind' must be a string
            'kind':'chatter'         | PROTOCOL.OPERATION
            'correlationId':5        | string or an array
            'correlationId':{}       | string or an array
            'correlationId':null     | string or an array
            'correlationId':''       | 1 to 128 characters
            'correlation_id':['']    | 1 to 128 characters
            'correlationId':[1]      | must hold strings only
            'payload':[]             | 'payload' must be an object
            'payload':'{}'           | 'payload' must be an object
            'payload':null           | 'payload' must be an object
            """)
    void aFieldOfTheWrongTypeIsMalformed(String field, String message) {
        String name = field.substring(0, field.indexOf(':') + 1);
        String rest = "'protocol':'mcpx/v0.1','id':'e-1','kind':'x.y','payload':{}";
        String others = String.join(
                ",",
                Arrays.stream(rest.split(",(?=')"))
                        .filter(each -> !each.startsWith(name))
                        .toList());
        EnvelopeRefusal refusal = readRefused("{" + field + "," + others + "}");
        assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.MALFORMED);
        assertThat(refusal.message()).contains(message);
        // The id follows the invalid field, and the reader still finds it.
        assertThat(refusal.id()).isEqualTo(name.equals("'id':") ? null : "e-1");
    }

    @Test
    void anotherProtocolIsUnsupportedWhateverElseIsThere() {
        EnvelopeRefusal refusal = readRefused("{'protocol':'mcpx/v0.2','id':'1','kind':5,'payload':[]}");
        assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.UNSUPPORTED_PROTOCOL);
        assertThat(refusal.message()).contains("'mcpx/v0.2'").contains("mcpx/v0.1");
        assertThat(refusal.id()).isEqualTo("1");
        assertThat(readRefused("{'protocol':'MCPX/v0.1','id':'1'," + CHAT + "}").code())
                .isEqualTo(EnvelopeErrorCode.UNSUPPORTED_PROTOCOL);
    }

    @Test
    void anIdHasUpTo128CharactersHoweverManyBytesTheyTake() {
        for (String id : new String[] {"x".repeat(128), "é".repeat(128), "😀".repeat(128)}) {
            assertThat(readAccepted("{'protocol':'mcpx/v0.1','id':'" + id + "'," + CHAT + "}")
                            .id())
                    .isEqualTo(id);
        }
        for (String id : new String[] {"x".repeat(129), "😀".repeat(129), "x".repeat(300)}) {
            assertThat(readRefused("{'protocol':'mcpx/v0.1','id':'" + id + "'," + CHAT + "}")
                            .id())
                    .isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {",'to':[]", ""})
    void anEmptyToIsABroadcastLikeNone(String to) {
        assertThat(readAccepted(envelope("chat.message", "{'text':'hi'}", to)).to())
                .isEmpty();
    }

    @Test
    void toMayAskForWhoeverCan() {
        Envelope envelope = readAccepted(envelope(
                "chat.message", "{'text':'hi'}", ",'to':['can:mcp.request.tools/call:write_file','can:chat','bob']"));
        assertThat(envelope.to().stream().map(entry -> Recipient.parse(entry).orThrow()))
                .containsExactly(
                        new Recipient.WithCapability(Kind.of("mcp.request.tools/call:write_file")),
                        new Recipient.WithCapability(Kind.of("chat.message")),
                        new Recipient.Member("bob"));
    }

    @Test
    void bothSpellingsOfTheCorrelationInOneEnvelopeAreMalformed() {
        assertThat(readRefused(envelope(
                                "mcp.response.tools/call",
                                "{'result':{}}",
                                ",'correlationId':'a','correlation_id':'a'"))
                        .message())
                .contains("'correlationId' and 'correlation_id' are both present");
    }

    @Test
    void fieldsNotNamedAreTakenWhateverTheyAre() {
        readAccepted(envelope("chat.message", "{'text':'hi'}", ",'x':null,'y':[1,{'z':{}}],'':0,'PROTOCOL':1,'Id':2"));
    }

    @Test
    void theRefusalKnowsTheKindAndTheSpellingToAnswerIn() {
        EnvelopeRefusal refusal = readRefused("{'kind':'mcp/request:tools/call','id':'7','payload':{},'to':5}");
        assertThat(refusal.kind()).isEqualTo(Kind.of("mcp.request.tools/call"));
        assertThat(refusal.syntax()).isEqualTo(EnvelopeSyntax.LEGACY);
    }

    @Test
    void anIdGivenTwiceIsNotAnsweredTo() {
        assertThat(readRefused("{'id':'a','id':'b'}").id()).isNull();
        assertThat(readRefused("{'id':'a','id':'a'}").id()).isNull();
    }

    @Test
    void kindsOfTheSameHashAreToldApart() {
        // "Aa" and "BB" have the same hash.
        for (String method : new String[] {"Aa", "BB", "Aa", "AaAa", "BBBB", "AaBB"}) {
            assertThat(readAccepted(envelope("x.y." + method, "{}", "")).kind())
                    .isEqualTo(new Kind("x", "y", method, null));
        }
    }

    @Test
    void countsAreBounded() {
        String many = "'x',".repeat(1000) + "'x'";
        assertThat(readRefused(envelope("chat.message", "{'text':'hi'}", ",'to':[" + many + "]"))
                        .message())
                .contains("'to' has more than 1000");
        assertThat(readRefused(envelope("mcpx.withdraw.proposal", "{}", ",'correlationId':[" + many + "]"))
                        .message())
                .contains("'correlationId' has more than 1000");
        assertThat(readRefused(envelope("x.y." + "z".repeat(2048), "{}", "")).message())
                .contains("'kind' is longer than 2048");
        assertThat(readRefused(envelope("chat.message", "{'text':'hi'}", ",'to':['" + "x".repeat(2049) + "']"))
                        .message())
                .contains("a name in 'to'");
    }
}
