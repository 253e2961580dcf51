package dev.gavel.mcpx.trace;

import dev.gavel.mcpx.RawPayload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Identifies a proposal's distributed trace by ids computed from topic and proposal id, so that any program can add
 * spans. Any program that knows these two can therefore add spans without coordination: another gateway after a
 * restart, a bridge, a tool. If the proposed call names its trace in {@code params._meta.traceparent}, the proposal
 * belongs to that trace. Immutable.
 *
 * @param traceId the trace id of all its spans
 * @param parent the parent span of the whole proposal, if the proposer gave one
 */
public record ProposalTraceContext(String topic, String proposal, String traceId, Optional<TraceParent> parent) {
    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;

    /** The spans of every proposal; programs may add others under other names. */
    public enum SpanType {
        /** From the proposal to its end, including the outcome if it was fulfilled. */
        PROPOSAL,
        /** From the proposal to its decision, or to its end without one. */
        DECIDE,
        /** From the fulfilment to the response; the spans of a tool belong below it. */
        RUN,
        /** From the moment at which the gateway stopped waiting for a response to the late response. */
        LATE
    }

    /**
     * Returns the trace of a proposal.
     *
     * @param payload the payload of the proposal, with {@code method} and {@code params}
     */
    public static ProposalTraceContext of(String topic, String proposal, RawPayload payload) {
        Optional<TraceParent> parent = traceParent(payload).flatMap(TraceParent::parse);
        return new ProposalTraceContext(
                topic,
                proposal,
                parent.map(TraceParent::traceId).orElseGet(() -> deriveId(TRACE_BYTES, "trace", topic, proposal)),
                parent);
    }

    /** Whether to record the trace; only a proposer who started the trace can disable this. */
    public boolean isSampled() {
        return parent.map(TraceParent::sampled).orElse(true);
    }

    /** The id of one of its spans. */
    public String spanId(SpanType spanType) {
        return deriveId(SPAN_BYTES, spanType.name(), topic, proposal);
    }

    /**
     * Returns the trace parent for work below one of its spans: that of a bridge or a tool, below {@link SpanType#RUN}.
     */
    public TraceParent traceParentFor(SpanType spanType) {
        return new TraceParent(traceId, spanId(spanType), isSampled());
    }

    private static String deriveId(int bytes, String what, String topic, String proposal) {
        try {
            // Neither the span type nor the topic contains a line break, so different spans never have the same input.
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(("gavel\n" + what + "\n" + topic + "\n" + proposal).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(hash, bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is not available", e);
        }
    }

    /** The string at {@code params._meta.traceparent}, if there is one. */
    private static Optional<String> traceParent(RawPayload payload) {
        byte[] bytes = payload.toBytes();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            boolean there = parser.nextToken() == JsonToken.START_OBJECT
                    && find(parser, "params") == JsonToken.START_OBJECT
                    && find(parser, "_meta") == JsonToken.START_OBJECT
                    && find(parser, "traceparent") == JsonToken.VALUE_STRING;
            return there ? Optional.of(parser.getString()) : Optional.empty();
        } catch (JacksonException e) {
            // Beyond the limits of the parser: then the proposal gets its own trace.
            return Optional.empty();
        }
    }

    /**
     * Moves the parser to a field of the object whose brace is the current token; returns null if there is no such
     * field.
     */
    private static @Nullable JsonToken find(JsonParser parser, String field) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            if (name.equals(field)) {
                return value;
            }
            parser.skipChildren();
        }
        return null;
    }
}
