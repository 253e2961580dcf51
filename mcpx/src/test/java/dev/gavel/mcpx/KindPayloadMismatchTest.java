package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.envelope;
import static dev.gavel.mcpx.EnvelopeFixtures.readAccepted;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that an envelope detects when its kind and payload contradict each other. */
class KindPayloadMismatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tools/call              | {'method':'tools/call','params':{'name':'rm'}}                | tools/call:rm
            tools/call:rm           | {'method':'tools/call','params':{'name':'rm'}}                | tools/call:rm
            tools/call:rm           | {'params':{'arguments':{},'name':'rm'},'method':'tools/call'} | tools/call:rm
            tools/call              | {'method':'tools/call','params':{}}                           | tools/call
            tools/call              | {'method':'tools/call','params':{'name':5}}                   | tools/call
            tools/call              | {'method':'tools/call'}                                       | tools/call
            tools/call              | {'method':'tools/call','params':{'uri':'u'}}                  | tools/call
            prompts/get:hello       | {'method':'prompts/get','params':{'name':'hello'}}            | prompts/get:hello
            prompts/get             | {'method':'prompts/get','params':{'name':'hello'}}            | prompts/get:hello
            resources/read:file:/a  | {'method':'resources/read','params':{'uri':'file:/a'}}        | resources/read:file:/a
            resources/read          | {'method':'resources/read','params':{'uri':'file:/a'}}        | resources/read:file:/a
            resources/subscribe     | {'method':'resources/subscribe','params':{'uri':'u','name':'n'}} | resources/subscribe:u
            resources/list          | {'method':'resources/list'}                                   | resources/list
            tools/list              | {'method':'tools/list','params':{'name':'x','uri':'u'}}       | tools/list
            completion/complete     | {'method':'completion/complete','params':{'name':'x'}}        | completion/complete
            """)
    void anAgreeingCallCountsAsIfItCarriedItsPayloadsContext(String kind, String payload, String effective) {
        for (String operation : new String[] {"mcp.request.", "mcp.proposal."}) {
            Envelope envelope = readAccepted(envelope(operation + kind, payload, ""));
            assertThat(envelope.findKindPayloadMismatch()).isNull();
            assertThat(envelope.kindWithContext()).hasToString(operation + effective);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            tools/list              | {'method':'tools/call','params':{'name':'rm'}}  | 'payload.method' is 'tools/call'
            tools/call              | {'method':'Tools/call'}                         | 'payload.method' is 'Tools/call'
            tools/call              | {}                                              | 'payload.method' is missing
            tools/call:ls           | {'method':'tools/call','params':{'name':'rm'}}  | 'payload.params.name' is 'rm'
            tools/call:ls           | {'method':'tools/call','params':{}}             | 'payload.params.name' is missing
            tools/call:ls           | {'method':'tools/call'}                         | 'payload.params.name' is missing
            tools/call:5            | {'method':'tools/call','params':{'name':5}}     | 'payload.params.name' is missing
            tools/call:u            | {'method':'tools/call','params':{'uri':'u'}}    | 'payload.params.name' is missing
            prompts/get:a           | {'method':'prompts/get','params':{'name':'b'}}  | 'payload.params.name' is 'b'
            resources/read:a        | {'method':'resources/read','params':{'uri':'b'}}  | 'payload.params.uri' is 'b'
            resources/read:a        | {'method':'resources/read','params':{'name':'a'}} | 'payload.params.uri' is missing
            resources/list:a        | {'method':'resources/list'}                     | 'payload.params.uri' is missing
            tools/list:x            | {'method':'tools/list','params':{'name':'x'}}   | takes no CONTEXT
            sampling/x:y            | {'method':'sampling/x','params':{'name':'y'}}   | takes no CONTEXT
            """)
    void aCallThatSaysTwoThingsIsAMismatch(String kind, String payload, String message) {
        for (String operation : new String[] {"mcp.request.", "mcp.proposal."}) {
            EnvelopeRefusal refusal =
                    readAccepted(envelope(operation + kind, payload, "")).findKindPayloadMismatch();
            assertThat(refusal).isNotNull();
            assertThat(refusal.code()).isEqualTo(EnvelopeErrorCode.KIND_PAYLOAD_MISMATCH);
            assertThat(refusal.message()).contains(message);
            assertThat(refusal.id()).isEqualTo("e-1");
        }
    }

    @Test
    void escapesDoNotHideWhatIsCalled() {
        Envelope envelope = readAccepted(envelope(
                "mcp.request.tools/call", "{'\\u006dethod':'tools\\/call','params':{'n\\u0061me':'r\\u006d'}}", ""));
        assertThat(envelope.findKindPayloadMismatch()).isNull();
        assertThat(envelope.kindWithContext()).hasToString("mcp.request.tools/call:rm");
    }

    @Test
    void responsesAndOtherProtocolsAreNotCompared() {
        Envelope response =
                readAccepted(envelope("mcp.response.tools/call:x", "{'method':'y'}", ",'correlationId':'r'"));
        assertThat(response.findKindPayloadMismatch()).isNull();
        assertThat(response.kindWithContext()).isEqualTo(response.kind());
        assertThat(readAccepted(envelope("x.request.tools/call:a", "{'method':'b'}", ""))
                        .findKindPayloadMismatch())
                .isNull();
    }
}
