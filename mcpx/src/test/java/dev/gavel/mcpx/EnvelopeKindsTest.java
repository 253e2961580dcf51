package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.envelope;
import static dev.gavel.mcpx.EnvelopeFixtures.json;
import static dev.gavel.mcpx.EnvelopeFixtures.readAccepted;
import static dev.gavel.mcpx.EnvelopeFixtures.readRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the table of kinds row by row: what each kind accepts and refuses. */
class EnvelopeKindsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mcp.request.tools/list                  | {'method':'tools/list','id':1}                 |
            mcp.request.tools/list                  | {'jsonrpc':'2.0','method':'tools/list'}        | ,'correlationId':'p'
            mcp.request.notifications/initialized   | {'method':'notifications/initialized'}         |
            mcp.response.tools/call                 | {'id':1,'result':{}}                           | ,'correlationId':'r'
            mcp.response.tools/call:x               | {'id':1,'error':{'code':1}}                    | ,'correlationId':'r'
            mcp.proposal.tools/call:x               | {'method':'tools/call','params':{'name':'x'}}  |
            mcp.proposal.tools/list                 | {'method':'tools/list','ttl':0.5}              |
            mcp.proposal.tools/list                 | {'method':'tools/list','ttl':1e2}              |
            mcpx.withdraw.proposal                  | {}                                             | ,'correlationId':'p'
            mcpx.withdraw.proposal                  | {'reason':'no longer needed'}                  | ,'correlationId':['p','q']
            mcpx.reject.proposal                    | {}                                             | ,'correlationId':'p'
            mcpx.reject.proposal                    | {'reason':'busy','note':'later'}               | ,'correlationId':['p']
            mcpx.status.proposal                    | {'status':'considering'}                       | ,'correlationId':'p'
            mcpx.status.proposal                    | {'status':'queued'}                            | ,'correlationId':'p'
            mcpx.status.proposal                    | {'status':'processing','note':'half'}          | ,'correlationId':'p'
            mcpx.status.proposal                    | {'status':'unable'}                            | ,'correlationId':['p','q']
            chat.message                            | {'text':''}                                    |
            chat.message                            | {'text':'a','format':'plain'}                  | ,'correlationId':'c'
            chat.message                            | {'text':'a','format':'markdown','more':[1]}    |
            x.y                                     | {'ttl':-1,'status':5,'method':[]}              | ,'correlationId':['a','b']
            x.y.z:w                                 | {}                                             |
            mcp.other.thing                         | {'method':5}                                   |
            mcpx.other                              | {}                                             |
            system.error                            | {'error':'malformed'}                          | ,'correlationId':'c'
            """)
    void whatTheTableAllowsIsTaken(String kind, String payload, String more) {
        readAccepted(envelope(kind, payload, more == null ? "" : more));
        // The same with the payload before the kind, as a sender may write it.
        readAccepted("{'payload':" + payload + ",'kind':'" + kind + "','id':'1','protocol':'mcpx/v0.1'"
                + (more == null ? "" : more) + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mcp.request                | {'method':'tools/list'}                  |                            | has no METHOD
            mcp.response               | {'result':{}}                            | ,'correlationId':'r'       | has no METHOD
            mcp/proposal               | {'method':'tools/list'}                  |                            | has no METHOD
            mcp.request.tools/list     | {'method':5}                             |                            | 'payload.method' must be a string
            mcp.request.tools/list     | {'method':'tools/list','params':[]}      |                            | 'payload.params' must be an object
            mcp.request.tools/list     | {'method':'tools/list','params':null}    |                            | 'payload.params' must be an object
            mcp.request.tools/list     | {'method':'tools/list'}                  | ,'correlationId':['p']     | must be a string here
            mcp.response.tools/call    | {'result':{}}                            |                            | 'correlationId' is missing
            mcp.response.tools/call    | {'result':{}}                            | ,'correlationId':['r']     | must be a string here
            mcp.proposal.tools/list    | {'method':'tools/list'}                  | ,'correlationId':'p'       | takes no 'correlationId'
            mcp.proposal.tools/list    | {'method':'tools/list'}                  | ,'correlationId':[]        | takes no 'correlationId'
            mcp.proposal.tools/list    | {'method':'tools/list','ttl':0}          |                            | above 0
            mcp.proposal.tools/list    | {'method':'tools/list','ttl':-5}         |                            | above 0
            mcp.proposal.tools/list    | {'method':'tools/list','ttl':'5'}        |                            | above 0
            mcp.proposal.tools/list    | {'method':'tools/list','ttl':null}       |                            | above 0
            mcp.proposal.tools/list    | {'method':'tools/list','ttl':[1]}        |                            | above 0
            mcpx.withdraw.proposal     | {}                                       |                            | 'correlationId' is missing
            mcpx.withdraw.proposal     | {}                                       | ,'correlationId':[]        | 'correlationId' is missing
            mcpx.withdraw.proposal     | {'reason':1}                             | ,'correlationId':'p'       | 'payload.reason' must be a string
            mcpx.withdraw.proposal:x   | {}                                       | ,'correlationId':'p'       | takes no CONTEXT
            mcpx.reject.proposal       | {}                                       |                            | 'correlationId' is missing
            mcpx.reject.proposal       | {'reason':['busy']}                      | ,'correlationId':'p'       | 'payload.reason' must be a string
            mcpx.reject.proposal       | {'note':{}}                              | ,'correlationId':'p'       | 'payload.note' must be a string
            mcpx.reject.proposal:x     | {}                                       | ,'correlationId':'p'       | takes no CONTEXT
            mcpx.status.proposal       | {}                                       | ,'correlationId':'p'       | 'payload.status' is missing
            mcpx.status.proposal       | {'status':'thinking'}                    | ,'correlationId':'p'       | considering, queued
            mcpx.status.proposal       | {'status':1}                             | ,'correlationId':'p'       | 'payload.status' must be a string
            mcpx.status.proposal       | {'status':'queued'}                      |                            | 'correlationId' is missing
            mcpx.status.proposal       | {'status':'queued','note':0}             | ,'correlationId':'p'       | 'payload.note' must be a string
            chat.message               | {}                                       |                            | 'payload.text' is missing
            chat.message               | {'text':1}                               |                            | 'payload.text' must be a string
            chat.message               | {'text':'a','format':'html'}             |                            | plain or markdown
            chat.message               | {'text':'a','format':1}                  |                            | 'payload.format' must be a string
            chat.message               | {'text':'a'}                             | ,'correlationId':['c']     | must be a string here
            """)
    void whatTheTableDoesNotAllowIsMalformed(String kind, String payload, String more, String message) {
        String rest = more == null ? "" : more;
        EnvelopeRefusal refusal = readRefused(envelope(kind, payload, rest));
        assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.MALFORMED);
        assertThat(refusal.message()).contains(message);
        assertThat(refusal.id()).isEqualTo("e-1");
        EnvelopeRefusal otherOrder = readRefused(
                "{'payload':" + payload + ",'kind':'" + kind + "','id':'1','protocol':'mcpx/v0.1'" + rest + "}");
        assertThat(otherOrder.message()).isEqualTo(refusal.message());
    }

    @Test
    void whatTheLedgerNeedsIsKept() {
        assertThat(readAccepted(envelope("mcpx.reject.proposal", "{}", ",'correlationId':'p'"))
                        .payloadFields()
                        .reason())
                .isEqualTo("unspecified");
        ExtractedPayloadFields rejected = readAccepted(
                        envelope("mcpx.reject.proposal", "{'reason':'busy','note':'n'}", ",'correlationId':'p'"))
                .payloadFields();
        assertThat(rejected.reason()).isEqualTo("busy");
        assertThat(rejected.note()).isEqualTo("n");
        assertThat(readAccepted(envelope("mcpx.status.proposal", "{'status':'queued'}", ",'correlationId':'p'"))
                        .payloadFields()
                        .status())
                .isEqualTo("queued");
    }

    @ParameterizedTest
    @CsvSource({
        "1, PT1S",
        "0.5, PT0.5S",
        "1.5e2, PT150S",
        "1e-12, PT0.000000001S",
        "1e300, P36525D",
        "1e999999999, P36525D",
        "1e99999999999, P36525D"
    })
    void ttlIsADurationThatNoNumberBreaks(String ttl, Duration duration) {
        Envelope envelope =
                readAccepted(envelope("mcp.proposal.tools/list", "{'method':'tools/list','ttl':" + ttl + "}", ""));
        assertThat(envelope.payloadFields().ttl()).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'result':{}}                                | false
            {'result':{'isError':false}}                 | false
            {'result':{'isError':true}}                  | true
            {'result':{'content':[{'isError':true}]}}    | false
            {'error':{'code':-32000}}                    | true
            {'result':{},'error':null}                   | false
            {'isError':true,'result':[1]}                | false
            """)
    void aResponseTellsWhetherItFailed(String payload, boolean failed) {
        assertThat(readAccepted(envelope("mcp.response.tools/call", payload, ",'correlationId':'r'"))
                        .payloadFields()
                        .failed())
                .isEqualTo(failed);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            mcp.proposal.tools/list  | {'method':'tools/list'}  |                       | true
            mcp.request.tools/list   | {'method':'tools/list'}  | ,'correlationId':'p'  | true
            mcp.request.tools/list   | {'method':'tools/list'}  |                       | false
            mcp.response.tools/list  | {'result':{}}            | ,'correlationId':'r'  | true
            mcpx.withdraw.proposal   | {}                       | ,'correlationId':'p'  | true
            mcpx.reject.proposal     | {}                       | ,'correlationId':'p'  | true
            mcpx.status.proposal     | {'status':'unable'}      | ,'correlationId':'p'  | true
            chat.message             | {'text':''}              | ,'correlationId':'p'  | false
            x.y                      | {}                       | ,'correlationId':'p'  | false
            """)
    void lifecycleEnvelopesAreKnownByKind(String kind, String payload, String more, boolean lifecycle) {
        assertThat(readAccepted(envelope(kind, payload, more == null ? "" : more))
                        .needsLedgerCheck())
                .isEqualTo(lifecycle);
    }

    @Test
    void whatACallIsAboutIsBounded() {
        String payload = json("{'method':'tools/call','params':{'name':'" + "x".repeat(2049) + "'}}");
        assertThat(readRefused(envelope("mcp.request.tools/call", payload, "")).message())
                .contains("more than 2048 characters");
    }
}
