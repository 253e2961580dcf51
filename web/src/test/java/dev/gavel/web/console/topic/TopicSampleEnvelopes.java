package dev.gavel.web.console.topic;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.StoredEnvelope;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Creates the sample envelopes of a proposal, its fulfilment and its answer for tests of topic pages. */
final class TopicSampleEnvelopes {
    static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private TopicSampleEnvelopes() {}

    /** Creates an envelope with this payload, in which single quotes stand for double quotes. */
    static StoredEnvelope sent(String id, String kind, String about, String from, List<String> to, String payload) {
        String text = "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'" + kind + "',"
                + (about.isEmpty() ? "" : "'correlationId':'" + about + "',") + "'payload':" + payload + "}";
        Envelope envelope = switch (new EnvelopeReader(EnvelopeLimits.DEFAULT)
                .read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8))) {
            case Envelope read -> read;
            case EnvelopeRefusal refusal -> throw new AssertionError(refusal.message());
        };
        return StoredEnvelope.of(new AdmittedEnvelope(envelope, from, to, NOON));
    }

    /** Creates the proposal to delete a file. */
    static StoredEnvelope proposal(String from) {
        return sent("p-1", "mcp.proposal.tools/call:delete_file", "", from, List.of(), call("notes.txt"));
    }

    /** Creates the request that fulfils the proposal. */
    static StoredEnvelope request(String from, String path) {
        return sent("r-1", "mcp.request.tools/call:delete_file", "p-1", from, List.of("files"), call(path));
    }

    static StoredEnvelope response(String payload) {
        return sent(
                "a-1",
                "mcp.response.tools/call:delete_file",
                "r-1",
                "files",
                List.of("alice"),
                "{'jsonrpc':'2.0','id':1," + payload + "}");
    }

    private static String call(String path) {
        return "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'delete_file','arguments':{'path':'"
                + path + "'}}}";
    }
}
