package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which values are markers, and in which envelopes the reserved name occurs. */
class RedactionMarkerTest {
    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'dev.gavel/redacted':'secret'}",
                "{ 'dev.gavel\\/redacted' : '\\u0073ecret' }",
                "{'dev.gavel/redacted':'secret, edited by the reviewer'}"
            })
    void theGatewaysOwnObjectIsAMarker(String value) {
        assertThat(RedactionMarker.isMarker(json(value))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'dev.gavel/redacted':'secret','mode':'evil'}",
                "{'dev.gavel/redacted':'read-only'}",
                "{'dev.gavel/redacted':{}}",
                "[{'dev.gavel/redacted':'secret'}]",
                "'secret'"
            })
    void anotherObjectIsNoMarker(String value) {
        assertThat(RedactionMarker.isMarker(json(value))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'name':'t','arguments':{'a':{'dev.gavel/redacted':'secret'}}}",
                "{'name':'t','arguments':{'a':{'dev\\u002egavel/redacted':'secret'}}}",
                "{'name':'t','arguments':[[{'\\u0064ev.gavel\\/redacted':1}]]}",
                "{'name':'t','_meta':{'x':{'\\u0064\\u0065\\u0076\\u002E\\u0067avel/redacted':null}}}"
            })
    void anEscapedNameIsFoundAtAnyDepth(String params) {
        assertThat(RedactionMarker.isNamedIn(call("mcp.proposal.tools/call", "tools/call", params)))
                .isTrue();
    }

    @Test
    void aTextWithTheNameIsNoMarker() {
        assertThat(RedactionMarker.isNamedIn(call(
                        "mcp.proposal.tools/call",
                        "tools/call",
                        "{'name':'t','arguments':{'a':'dev.gavel/redacted','dev.gavel/redacted2':1}}")))
                .isFalse();
    }

    @Test
    void theNameIsFoundWhenTheKindFollowsThePayload() {
        assertThat(RedactionMarker.isNamedIn(EnvelopeFixtures.readAccepted(
                        "{'protocol':'mcpx/v0.1','id':'e-1','payload':{'method':'tools/call','params':{'name':'t',"
                                + "'arguments':{'dev\\u002egavel/redacted':1}}},'kind':'mcp.request.tools/call'}")))
                .isTrue();
    }

    @Test
    void theNameOutsideThePayloadDoesNotCount() {
        assertThat(RedactionMarker.isNamedIn(EnvelopeFixtures.readAccepted(
                        "{'protocol':'mcpx/v0.1','id':'e-1','kind':'mcp.request.tools/call','dev.gavel/redacted':1,"
                                + "'payload':{'method':'tools/call','params':{'name':'t'}}}")))
                .isFalse();
    }
}
