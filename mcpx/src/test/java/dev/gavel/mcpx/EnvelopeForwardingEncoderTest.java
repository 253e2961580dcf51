package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.bytes;
import static dev.gavel.mcpx.EnvelopeFixtures.json;
import static dev.gavel.mcpx.EnvelopeFixtures.readAccepted;
import static dev.gavel.mcpx.EnvelopeFixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvelopeForwardingEncoderTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00.250Z");

    private static String forwarded(String text, EnvelopeSyntax target) {
        return text(readAccepted(text).encode(target, "alice", NOW));
    }

    @Test
    void fromAndTsAreStampedWhereAbsentAndTheRestIsAsItCame() {
        String rest =
                " 'x' : [ 1.50e+1 , '\\u00e9\\/é' ],'id':'1', 'kind':'chat.message','payload': {'text' :'h\\ti' } , 'protocol':'mcpx/v0.1' }\n";
        assertThat(forwarded("\t{" + rest, EnvelopeSyntax.CURRENT))
                .isEqualTo(json("\t{'from':'alice','ts':'2026-01-05T10:00:00.250Z'," + rest));
        assertThat(forwarded("{'from':'alice'," + rest, EnvelopeSyntax.CURRENT))
                .isEqualTo(json("{'ts':'2026-01-05T10:00:00.250Z','from':'alice'," + rest));
        assertThat(forwarded("{'ts':'2020-01-01T00:00:00Z'," + rest, EnvelopeSyntax.CURRENT))
                .isEqualTo(json("{'from':'alice','ts':'2020-01-01T00:00:00Z'," + rest));
    }

    @Test
    void whereNothingChangesTheVeryBytesAreForwarded() {
        byte[] original = bytes(json("{'from':'alice','ts':'2020-01-01T00:00:00Z','protocol':'mcpx/v0.1','id':'1',"
                + "'kind':'mcpx.withdraw.proposal','correlationId':'p','payload':{}}"));
        var reader = new EnvelopeReader(EnvelopeLimits.DEFAULT);
        assertThat(((Envelope) reader.read(original)).encode(EnvelopeSyntax.CURRENT, "alice", NOW))
                .isSameAs(original);
    }

    @Test
    void anEnvelopeInTheMiddleOfABufferIsForwardedAlone() {
        String inside = json(
                "{'protocol':'mcpx/v0.1','id':'1','kind':'mcp/request:tools/list','correlation_id':'p','to':[ 'b' ],"
                        + "'payload':{'method':'tools/list'}}");
        byte[] buffer = bytes("garbage{" + inside + "}{more");
        var envelope = (Envelope) new EnvelopeReader(EnvelopeLimits.DEFAULT).read(buffer, 8, inside.length());
        assertThat(envelope.payload()).hasToString(json("{'method':'tools/list'}"));
        assertThat(text(envelope.encode(EnvelopeSyntax.CURRENT, "a", NOW, List.of("c", "d"))))
                .isEqualTo(json("{'from':'a','ts':'2026-01-05T10:00:00.250Z','protocol':'mcpx/v0.1','id':'1',"
                        + "'kind':'mcp.request.tools/list','correlationId':'p','to':['c','d'],"
                        + "'payload':{'method':'tools/list'}}"));
        String stamped = json(
                "{'from':'a','ts':'2020-01-01T00:00:00Z','protocol':'mcpx/v0.1','id':'1','kind':'x.y','payload':{}}");
        byte[] second = bytes(".." + stamped + "..");
        assertThat(text(((Envelope) new EnvelopeReader(EnvelopeLimits.DEFAULT).read(second, 2, stamped.length()))
                        .encode(EnvelopeSyntax.CURRENT, "a", NOW)))
                .isEqualTo(stamped);
    }

    @Test
    void kindAndCorrelationAreWrittenInTheReceiversSpelling() {
        String start = "{'from':'a','ts':'2020-01-01T00:00:00Z','protocol':'mcpx/v0.1','id':'1',";
        String current = start + "'kind' : 'mcp.request.tools/call:a.b:c', 'correlationId' : 'p' ,"
                + "'payload':{'method':'tools/call','correlationId':'x','kind':'mcp/request:x'}}";
        String old = start + "'kind' : 'mcp/request:tools/call:a.b:c', 'correlation_id' : 'p' ,"
                + "'payload':{'method':'tools/call','correlationId':'x','kind':'mcp/request:x'}}";
        assertThat(forwarded(current, EnvelopeSyntax.LEGACY)).isEqualTo(json(old));
        assertThat(forwarded(old, EnvelopeSyntax.CURRENT)).isEqualTo(json(current));
        assertThat(forwarded(old, EnvelopeSyntax.LEGACY)).isEqualTo(json(old));
    }

    @Test
    void whereverTheFieldsStandTheRightOnesChange() {
        String text =
                "{'payload':{'method':'tools/list'},'correlationId':'p','to':['can:chat'],'kind':'mcp.request.tools/list','id':'1','protocol':'mcpx/v0.1'}";
        assertThat(text(readAccepted(text).encode(EnvelopeSyntax.LEGACY, "a\"b", NOW, List.of("x\\y"))))
                .isEqualTo("{\"from\":\"a\\\"b\",\"ts\":\"2026-01-05T10:00:00.250Z\","
                        + json("'payload':{'method':'tools/list'},'correlation_id':'p','to':['x\\\\y'],"
                                + "'kind':'mcp/request:tools/list','id':'1','protocol':'mcpx/v0.1'}"));
    }

    @Test
    void namesWrittenWithEscapesAreFoundAndReplacedWhole() {
        String text =
                "{'protocol':'mcpx/v0.1','id':'1','from':'a','ts':'2020-01-01T00:00:00Z','k\\u0069nd':'ch\\u0061t','correlation\\u005fid':'\\u0070','payload':{'text':''}}";
        assertThat(forwarded(text, EnvelopeSyntax.CURRENT))
                .isEqualTo(
                        json(
                                "{'protocol':'mcpx/v0.1','id':'1','from':'a','ts':'2020-01-01T00:00:00Z','k\\u0069nd':'chat.message','correlationId':'\\u0070','payload':{'text':''}}"));
    }

    @Test
    void recipientsCanBeGivenToABroadcast() {
        String text =
                "{'protocol':'mcpx/v0.1','id':'1','from':'a','ts':'2020-01-01T00:00:00Z','kind':'x.y','payload':{}}";
        assertThat(text(readAccepted(text).encode(EnvelopeSyntax.CURRENT, "a", NOW, List.of("é"))))
                .isEqualTo(json("{'to':['é']," + text.substring(1)));
    }

    @Test
    void samePayloadBytesMakeTheSamePayload() {
        RawPayload payload = readAccepted("{'protocol':'mcpx/v0.1','id':'1','kind':'x.y','payload':{'a': 1}}")
                .payload();
        assertThat(payload)
                .isEqualTo(RawPayload.of(bytes(json("{'a': 1}"))))
                .hasSameHashCodeAs(RawPayload.of(bytes(json("{'a': 1}"))));
        assertThat(payload).isNotEqualTo(RawPayload.of(bytes(json("{'a':1}"))));
        assertThat(payload.toBytes()).isEqualTo(bytes(json("{'a': 1}")));
        assertThat(payload.buffer().remaining()).isEqualTo(payload.length());
        assertThat(payload.buffer().isReadOnly()).isTrue();
    }
}
