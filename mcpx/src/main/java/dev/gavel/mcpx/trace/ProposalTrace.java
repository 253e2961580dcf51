package dev.gavel.mcpx.trace;

import dev.gavel.mcpx.Payload;
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
 * The trace of a proposal, whose trace and span ids are derived from its topic and id. Its ids follow from the topic
 * and the proposal's id alone, so that whoever knows these can add spans to it: another gateway after a restart, a
 * bridge, a tool; nobody has to be told. Where the proposed call says in {@code params._meta.traceparent} which trace
 * it belongs to, the proposal's is that one. Immutable.
 *
 * @param traceId of all its spans
 * @param parent what the whole proposal is part of, if its proposer said so
 */
public record ProposalTrace(String topic, String proposal, String traceId, Optional<TraceParent> parent) {
    private static final JsonFactory JSON = JsonFactory.builder().build();
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;

    /** The spans every proposal has; others may be added under words of their own. */
    public enum SpanType {
        /** From its being proposed to its end, and its outcome where it was fulfilled. */
        PROPOSAL,
        /** Until it was decided, or nobody had. */
        DECIDE,
        /** From its fulfilment to the answer: what a tool does belongs below this. */
        RUN,
        /** From the moment no answer was expected any more to the one that came all the same. */
        LATE
    }

    /**
     * The trace of a proposal.
     *
     * @param payload what is proposed: {@code method} and {@code params}
     */
    public static ProposalTrace of(String topic, String proposal, Payload payload) {
        Optional<TraceParent> parent = traceParent(payload).flatMap(TraceParent::parse);
        return new ProposalTrace(
                topic,
                proposal,
                parent.map(TraceParent::traceId).orElseGet(() -> deriveId(TRACE_BYTES, "trace", topic, proposal)),
                parent);
    }

    /** Whether it is to be recorded; only a proposer who began the trace can say that it is not. */
    public boolean isSampled() {
        return parent.map(TraceParent::sampled).orElse(true);
    }

    /** The id of one of its spans. */
    public String spanId(SpanType spanType) {
        return deriveId(SPAN_BYTES, spanType.name(), topic, proposal);
    }

    /** What to hand to whoever's work belongs below one of its spans: a bridge's, or a tool's, below {@link SpanType#RUN}. */
    public TraceParent traceParentFor(SpanType spanType) {
        return new TraceParent(traceId, spanId(spanType), isSampled());
    }

    private static String deriveId(int bytes, String what, String topic, String proposal) {
        try {
            // Neither of the first two has a line break, so no two spans are written the same.
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(("gavel\n" + what + "\n" + topic + "\n" + proposal).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(hash, bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** What stands at {@code params._meta.traceparent}, if it is a string. */
    private static Optional<String> traceParent(Payload payload) {
        byte[] bytes = payload.toBytes();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
            boolean there = parser.nextToken() == JsonToken.START_OBJECT
                    && find(parser, "params") == JsonToken.START_OBJECT
                    && find(parser, "_meta") == JsonToken.START_OBJECT
                    && find(parser, "traceparent") == JsonToken.VALUE_STRING;
            return there ? Optional.of(parser.getString()) : Optional.empty();
        } catch (JacksonException e) {
            // Deeper or longer than we read: then it belongs to no trace but its own.
            return Optional.empty();
        }
    }

    /** Goes to a field of the object that has just begun; null where it has none of that name. */
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
