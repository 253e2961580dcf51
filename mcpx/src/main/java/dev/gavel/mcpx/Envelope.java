package dev.gavel.mcpx;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An MCPx envelope as read from its bytes: id, sender, recipients, kind, correlation ids and payload. Immutable, as
 * long as the bytes that were given to {@link EnvelopeReader} are left alone.
 */
public final class Envelope implements EnvelopeReadResult {
    /** The one protocol there is. */
    public static final String PROTOCOL = EnvelopeParser.PROTOCOL;

    private final String id;
    private final @Nullable String ts;
    private final @Nullable String from;
    private final List<String> to;
    private final Kind kind;
    private final KindCategory category;
    private final List<String> correlationIds;
    private final SyntaxVersion syntax;
    private final Payload payload;
    private final ExtractedPayloadFields payloadFields;
    private final Kind effectiveKind;
    private final byte[] bytes;
    private final int offset;
    private final int length;
    private final EnvelopeOffsets fieldOffsets;

    Envelope(
            String id,
            @Nullable String ts,
            @Nullable String from,
            List<String> to,
            Kind kind,
            KindCategory rule,
            List<String> correlationIds,
            SyntaxVersion syntaxVersion,
            Payload payload,
            ExtractedPayloadFields facts,
            byte[] bytes,
            int offset,
            int length,
            EnvelopeOffsets envelopeOffsets) {
        this.id = id;
        this.ts = ts;
        this.from = from;
        this.to = to;
        this.kind = kind;
        this.category = rule;
        this.correlationIds = correlationIds;
        this.syntax = syntaxVersion;
        this.payload = payload;
        this.payloadFields = facts;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.fieldOffsets = envelopeOffsets;
        String context = rule.isCall() && kind.context() == null ? facts.context(kind.method()) : null;
        this.effectiveKind = context == null ? kind : kind.withContext(context);
    }

    /** Chosen by its sender; 1 to 128 characters. */
    public String id() {
        return id;
    }

    /** The sender's own time stamp, if it gave one. */
    public @Nullable String ts() {
        return ts;
    }

    /** Who the envelope says it is from, if it says. Whether that is true is for the gateway to see. */
    public @Nullable String from() {
        return from;
    }

    /** Member ids and {@code can:KIND} entries, see {@link Recipient}; empty for a broadcast. */
    public List<String> to() {
        return to;
    }

    /** What it is, as it says. */
    public Kind kind() {
        return kind;
    }

    /**
     * What it is as capabilities see it: a request or proposal that leaves CONTEXT out counts as if it carried its
     * payload's.
     */
    public Kind effectiveKind() {
        return effectiveKind;
    }

    /** The row of the kinds' table it falls under. */
    public KindCategory category() {
        return category;
    }

    /** The envelopes it refers to. */
    public List<String> correlationIds() {
        return correlationIds;
    }

    /** The spelling it is written in: the older one as soon as anything in it is. */
    public SyntaxVersion syntax() {
        return syntax;
    }

    /** The payload's bytes as they came. */
    public Payload payload() {
        return payload;
    }

    /** What was seen of the payload while reading. */
    public ExtractedPayloadFields payloadFields() {
        return payloadFields;
    }

    /** How many bytes it came in. */
    public int length() {
        return length;
    }

    /**
     * Whether the ledger has to be asked about it: proposals and what ends them always, a request that may fulfil one, a
     * response that may answer such a request.
     */
    public boolean mayAffectProposal() {
        return switch (category) {
            case PROPOSAL, WITHDRAW, REJECT, STATUS, RESPONSE -> true;
            case REQUEST -> !correlationIds.isEmpty();
            case CHAT, SYSTEM, OTHER -> false;
        };
    }

    /** Why kind and payload say different things, or null where they agree. */
    public @Nullable EnvelopeRefusal kindPayloadMismatch() {
        String method = kind.method();
        if (!category.isCall() || method == null) {
            return null;
        }
        if (!method.equals(payloadFields.method())) {
            return mismatch("'payload.method' is "
                    + (payloadFields.method() == null ? "missing" : InputExcerpt.quote(payloadFields.method()))
                    + ", but the kind's METHOD is "
                    + InputExcerpt.quote(method) + ". Make them the same.");
        }
        String context = kind.context();
        if (context == null) {
            return null;
        }
        String field = ExtractedPayloadFields.contextField(method);
        if (field == null) {
            return mismatch("A kind of METHOD " + InputExcerpt.quote(method)
                    + " takes no CONTEXT. Leave out the colon and " + InputExcerpt.quote(context) + ".");
        }
        String actual = payloadFields.context(method);
        return context.equals(actual)
                ? null
                : mismatch("'payload." + field + "' is " + (actual == null ? "missing" : InputExcerpt.quote(actual))
                        + ", but the kind's CONTEXT is " + InputExcerpt.quote(context)
                        + ". Make them the same, or leave the CONTEXT out.");
    }

    private EnvelopeRefusal mismatch(String message) {
        return refuse(EnvelopeErrorCode.KIND_PAYLOAD_MISMATCH, message);
    }

    /** A refusal of this envelope. */
    public EnvelopeRefusal refuse(EnvelopeErrorCode code, String message) {
        return new EnvelopeRefusal(code, message, id, kind, syntax);
    }

    /**
     * The bytes to forward: those that came, with {@code from} and {@code ts} stamped where absent, and the kind and the
     * name of {@code correlationId} in the receiver's spelling. Everything else is byte for byte as it came; where nothing
     * changes, no copy is made.
     */
    public byte[] encode(SyntaxVersion target, String stampedFrom, Instant stampedTs) {
        return ForwardingEncoder.encode(this, target, stampedFrom, stampedTs, null);
    }

    /** As {@link #encode(SyntaxVersion, String, Instant)}, with other recipients: those that {@code can:} entries stood for. */
    public byte[] encode(SyntaxVersion target, String stampedFrom, Instant stampedTs, List<String> resolvedTo) {
        return ForwardingEncoder.encode(this, target, stampedFrom, stampedTs, resolvedTo);
    }

    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    EnvelopeOffsets fieldOffsets() {
        return fieldOffsets;
    }
}
