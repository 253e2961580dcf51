package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.Payload;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.trace.ProposalTrace;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A request that somebody sent to a bridge, or to who else answers in a topic: all that is needed to run it and to answer it. Immutable.
 *
 * @param envelope the id of the envelope it came in
 * @param from who asks
 * @param kind with what it is about, be it that the envelope left that out
 * @param id the payload's own id, as it was written
 * @param params as they were written
 * @param proposal the proposal it fulfils, if it does
 * @param bytes how long the envelope is
 */
public record Asked(
        String envelope,
        String from,
        Kind kind,
        String id,
        Optional<String> params,
        Optional<String> proposal,
        int bytes) {
    /** Takes a request out of its envelope. */
    public static Asked of(Envelope envelope) {
        String payload = envelope.payload().toString();
        return new Asked(
                envelope.id(),
                String.valueOf(envelope.from()),
                envelope.effectiveKind(),
                // Who gives no id is answered all the same, under the one id there is.
                RawJson.at(payload, "id")
                        .orElseGet(() -> Json.ofText(envelope.id()).raw()),
                RawJson.at(payload, "params"),
                envelope.correlationIds().stream().findFirst(),
                envelope.length());
    }

    /** What is asked for. */
    public String method() {
        return String.valueOf(kind.method());
    }

    /** The progress token it asks for, as it was written. */
    Optional<String> progressToken() {
        return params.flatMap(raw -> RawJson.at(raw, "_meta", "progressToken"));
    }

    /**
     * What they could be asked for in turn: an object, empty where they did not say. Of a proposal's fulfilment it does not
     * count: who made the proposal said it, and who fulfils it was not asked.
     */
    Json declared() {
        return capabilities().flatMap(Json::parse).orElseGet(Json::object);
    }

    private Optional<String> capabilities() {
        return params.filter(_ -> proposal.isEmpty()).flatMap(raw -> RawJson.at(raw, Meta.META, Meta.CAPABILITIES));
    }

    /** The same params, where what the tool does is part of a trace: below the run of the proposal that it fulfils. */
    String traced(String raw, String topic) {
        if (proposal.isEmpty()) {
            return raw;
        }
        Payload call = Payload.of(("{\"params\":" + raw + "}").getBytes(StandardCharsets.UTF_8));
        String below = ProposalTrace.of(topic, proposal.get(), call)
                .below(ProposalTrace.Part.RUN)
                .toString();
        return RawJson.replaced(raw, Json.ofText(below).raw(), "_meta", "traceparent")
                .orElse(raw);
    }

    /** The envelope that answers it. */
    public byte[] answered(Message.Answer answer) {
        return EnvelopeDraft.of(EnvelopeIds.next('a', Instant.now()), kind.withOperation("response"))
                .addressed(List.of(from))
                .about(List.of(envelope))
                .encode(Spelling.CURRENT, Payload.of(answer.withId(id).json().getBytes(StandardCharsets.UTF_8)));
    }

    /** The envelope that tells who asked of progress. */
    byte[] progressed(String params) {
        return EnvelopeDraft.of(EnvelopeIds.next('n', Instant.now()), Notices.PROGRESS)
                .addressed(List.of(from))
                .encode(
                        Spelling.CURRENT,
                        Notices.payload(new Message.Notification(Notices.PROGRESS_METHOD, Optional.of(params))));
    }
}
