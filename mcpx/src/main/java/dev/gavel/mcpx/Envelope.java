package dev.gavel.mcpx;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An MCPx envelope as read from its bytes: id, sender, recipients, kind, correlation ids and payload. Immutable,
 * provided that the caller does not modify the bytes after passing them to {@link EnvelopeReader}.
 */
public final class Envelope implements EnvelopeReadResult {
    /** The only supported protocol version. */
    public static final String PROTOCOL = EnvelopeTokenParser.PROTOCOL;

    private final String id;
    private final @Nullable String ts;
    private final @Nullable String from;
    private final List<String> to;
    private final Kind kind;
    private final KindCategory category;
    private final List<String> correlationIds;
    private final EnvelopeSyntax syntax;
    private final RawPayload payload;
    private final ExtractedPayloadFields payloadFields;
    private final List<String> definitionDigests;
    private final boolean unchecked;
    private final boolean redactionMarkerNamed;
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
            KindCategory category,
            List<String> correlationIds,
            EnvelopeSyntax syntaxVersion,
            RawPayload payload,
            ExtractedPayloadFields payloadFields,
            List<String> definitionDigests,
            boolean unchecked,
            boolean redactionMarkerNamed,
            byte[] bytes,
            int offset,
            int length,
            EnvelopeOffsets envelopeOffsets) {
        this.id = id;
        this.ts = ts;
        this.from = from;
        this.to = to;
        this.kind = kind;
        this.category = category;
        this.correlationIds = correlationIds;
        this.syntax = syntaxVersion;
        this.payload = payload;
        this.payloadFields = payloadFields;
        this.definitionDigests = definitionDigests;
        this.unchecked = unchecked;
        this.redactionMarkerNamed = redactionMarkerNamed;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        this.fieldOffsets = envelopeOffsets;
        String context = category.isCall() && kind.context() == null ? payloadFields.context(kind.method()) : null;
        this.effectiveKind = context == null ? kind : kind.withContext(context);
    }

    /** The id that the sender chose; 1 to 128 characters. */
    public String id() {
        return id;
    }

    /** The sender's own timestamp, if the envelope has one. */
    public @Nullable String ts() {
        return ts;
    }

    /** The sender that the envelope names, if any. The gateway verifies it. */
    public @Nullable String from() {
        return from;
    }

    /** The recipients: member ids and {@code can:KIND} entries, see {@link Recipient}; empty for a broadcast. */
    public List<String> to() {
        return to;
    }

    /** The kind as the sender wrote it. */
    public Kind kind() {
        return kind;
    }

    /**
     * The kind that capabilities are matched against: if a request or proposal omits CONTEXT, the one from its payload
     * is added.
     */
    public Kind kindWithContext() {
        return effectiveKind;
    }

    /** The category of its kind. */
    public KindCategory category() {
        return category;
    }

    /** The ids of the envelopes that it refers to. */
    public List<String> correlationIds() {
        return correlationIds;
    }

    /** The syntax of the envelope: legacy as soon as any part of it is. */
    public EnvelopeSyntax syntax() {
        return syntax;
    }

    /** The payload's bytes as received. */
    public RawPayload payload() {
        return payload;
    }

    /** The fields that the reader extracted from the payload. */
    public ExtractedPayloadFields payloadFields() {
        return payloadFields;
    }

    /**
     * The digests of the tool definitions for which a request approves a proposal; empty if the sender does not name
     * any.
     */
    public List<String> definitionDigests() {
        return definitionDigests;
    }

    /** Whether the sender asks not to check the edited arguments of an approval against the tool's schema. */
    public boolean unchecked() {
        return unchecked;
    }

    /** Whether a name in the envelope, with its escapes resolved, is that of the {@link RedactionMarker}. */
    boolean mayNameRedactionMarker() {
        return redactionMarkerNamed;
    }

    /** The length of the envelope as received, in bytes. */
    public int length() {
        return length;
    }

    /**
     * Whether the gateway must check the envelope against the ledger: always for proposals and for envelopes that close
     * or report on them, for a request that may fulfil a proposal, and for a response that may answer such a request.
     */
    public boolean needsLedgerCheck() {
        return switch (category) {
            case PROPOSAL, WITHDRAW, REJECT, STATUS, RESPONSE -> true;
            case REQUEST -> !correlationIds.isEmpty();
            case CHAT, SYSTEM, OTHER -> false;
        };
    }

    /** Returns the refusal if kind and payload contradict each other, or null if they agree. */
    public @Nullable EnvelopeRefusal findKindPayloadMismatch() {
        String method = kind.method();
        if (!category.isCall() || method == null) {
            return null;
        }
        if (!method.equals(payloadFields.method())) {
            return mismatch("'payload.method' is "
                    + (payloadFields.method() == null ? "missing" : InputExcerptFormatter.quote(payloadFields.method()))
                    + ", but the kind's METHOD is "
                    + InputExcerptFormatter.quote(method) + ". Make them the same.");
        }
        String context = kind.context();
        if (context == null) {
            return null;
        }
        String field = ExtractedPayloadFields.contextField(method);
        if (field == null) {
            return mismatch("A kind with the METHOD " + InputExcerptFormatter.quote(method)
                    + " takes no CONTEXT. Leave out the colon and " + InputExcerptFormatter.quote(context) + ".");
        }
        String actual = payloadFields.context(method);
        return context.equals(actual)
                ? null
                : mismatch("'payload." + field + "' is "
                        + (actual == null ? "missing" : InputExcerptFormatter.quote(actual))
                        + ", but the kind's CONTEXT is " + InputExcerptFormatter.quote(context)
                        + ". Make them the same, or leave the CONTEXT out.");
    }

    private EnvelopeRefusal mismatch(String message) {
        return refuse(EnvelopeErrorCode.KIND_PAYLOAD_MISMATCH, message);
    }

    /** Returns a refusal of this envelope. */
    public EnvelopeRefusal refuse(EnvelopeErrorCode code, String message) {
        return new EnvelopeRefusal(code, message, id, kind, syntax);
    }

    /**
     * Encodes the envelope for forwarding: stamps {@code from} and {@code ts} if absent, and writes the kind and the
     * name of {@code correlationId} in the receiver's syntax. All other bytes stay as received; if nothing changes, no
     * copy is made.
     */
    public byte[] encode(EnvelopeSyntax target, String stampedFrom, Instant stampedTs) {
        return EnvelopeForwardingEncoder.encode(this, target, stampedFrom, stampedTs, null);
    }

    /**
     * Like {@link #encode(EnvelopeSyntax, String, Instant)}, with the recipients to which {@code can:} entries were
     * resolved.
     */
    public byte[] encode(EnvelopeSyntax target, String stampedFrom, Instant stampedTs, List<String> resolvedTo) {
        return EnvelopeForwardingEncoder.encode(this, target, stampedFrom, stampedTs, resolvedTo);
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
