package dev.gavel.mcpx;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A right to send envelopes to a topic: a compiled pattern that matches their kind and optionally their payload.
 * Immutable.
 */
public final class Capability {
    /** The maximum length of a kind pattern, and of one text in a payload pattern, in characters. */
    public static final int MAX_LENGTH = 2048;

    private final KindPattern kind;
    private final @Nullable PayloadPattern payload;
    private final @Nullable PayloadMatcher matcher;
    private final PayloadFieldSelection selection = new PayloadFieldSelection();

    private Capability(KindPattern kind, @Nullable PayloadPattern payload) {
        this.kind = kind;
        this.payload = payload;
        this.matcher = payload == null ? null : PayloadMatcher.compile(payload);
        if (matcher != null) {
            selection.add(matcher);
        }
    }

    /** Compiles a kind pattern in the current or the legacy syntax. */
    public static ValueParseResult<Capability> compile(String pattern) {
        return compile(pattern, null);
    }

    /** Compiles a kind pattern in the current or the legacy syntax, with an optional payload pattern. */
    public static ValueParseResult<Capability> compile(String pattern, @Nullable PayloadPattern payload) {
        if (pattern.length() > MAX_LENGTH) {
            return new ValueParseResult.Invalid<>("capability " + InputExcerptFormatter.quote(pattern)
                    + " is longer than " + MAX_LENGTH + " characters: use a wildcard");
        }
        String problem = payload == null ? null : PayloadMatcher.findProblem(payload);
        if (problem != null) {
            return new ValueParseResult.Invalid<>(
                    "capability " + InputExcerptFormatter.quote(pattern) + ": " + problem);
        }
        return switch (KindParts.parsePattern(pattern)) {
            case ValueParseResult.Valid<KindParts>(KindParts parts) ->
                new ValueParseResult.Valid<>(new Capability(new KindPattern(parts), payload));
            case ValueParseResult.Invalid<KindParts>(String fault) ->
                new ValueParseResult.Invalid<>("capability " + fault);
        };
    }

    /** The kind pattern in that syntax. */
    public String kind(EnvelopeSyntax syntaxVersion) {
        return kind.format(syntaxVersion);
    }

    /** The payload pattern, if there is one. */
    public @Nullable PayloadPattern payload() {
        return payload;
    }

    /** Whether the capability admits the envelope. */
    public boolean admits(Envelope envelope) {
        return admits(envelope.kindWithContext(), envelope.payload());
    }

    /** Whether the capability admits an envelope of this kind with this payload; the kind must include its CONTEXT. */
    public boolean admits(Kind envelopeKind, RawPayload envelopePayload) {
        return kind.matches(envelopeKind)
                && (matcher == null || matcher.matches(MatchablePayloadValue.read(envelopePayload, selection)));
    }

    /**
     * Whether the capability may admit an envelope of this kind, depending on its payload. Ignores payload patterns
     * and, if the kind has no CONTEXT, patterns of the CONTEXT.
     */
    public boolean admitsKind(Kind envelopeKind) {
        return kind.mayMatchWithContext(envelopeKind);
    }

    boolean matchesKind(Kind envelopeKind) {
        return kind.matches(envelopeKind);
    }

    @Nullable
    PayloadMatcher matcher() {
        return matcher;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Capability that
                && kind(EnvelopeSyntax.CURRENT).equals(that.kind(EnvelopeSyntax.CURRENT))
                && Objects.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind(EnvelopeSyntax.CURRENT), payload);
    }

    @Override
    public String toString() {
        return payload == null ? kind(EnvelopeSyntax.CURRENT) : kind(EnvelopeSyntax.CURRENT) + " " + payload;
    }
}
