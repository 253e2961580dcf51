package dev.gavel.mcpx;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A compiled pattern of envelopes that a member may send, by kind and optionally by payload. Immutable. */
public final class Capability {
    /** Characters of a pattern, or of one text in a payload pattern, at most. */
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

    /** Compiles a pattern of kinds, in either spelling. */
    public static TextParseResult<Capability> compile(String pattern) {
        return compile(pattern, null);
    }

    /** Compiles a pattern of kinds, in either spelling, that also looks into the payload. */
    public static TextParseResult<Capability> compile(String pattern, @Nullable PayloadPattern payload) {
        if (pattern.length() > MAX_LENGTH) {
            return new TextParseResult.Invalid<>("capability " + InputExcerpt.quote(pattern) + " is longer than "
                    + MAX_LENGTH + " characters: use a wildcard");
        }
        String problem = payload == null ? null : PayloadMatcher.findProblem(payload);
        if (problem != null) {
            return new TextParseResult.Invalid<>("capability " + InputExcerpt.quote(pattern) + ": " + problem);
        }
        return switch (KindParts.parsePattern(pattern)) {
            case TextParseResult.Valid<KindParts>(KindParts parts) ->
                new TextParseResult.Valid<>(new Capability(new KindPattern(parts), payload));
            case TextParseResult.Invalid<KindParts>(String fault) ->
                new TextParseResult.Invalid<>("capability " + fault);
        };
    }

    /** The pattern of kinds in that spelling. */
    public String kind(SyntaxVersion syntaxVersion) {
        return kind.format(syntaxVersion);
    }

    /** What it asks of the payload, if anything. */
    public @Nullable PayloadPattern payload() {
        return payload;
    }

    /** Whether it lets the envelope through. */
    public boolean admits(Envelope envelope) {
        return admits(envelope.effectiveKind(), envelope.payload());
    }

    /** Whether it lets an envelope of this kind with this payload through; the kind must say all it is about. */
    public boolean admits(Kind of, Payload with) {
        return kind.matches(of) && (matcher == null || matcher.matches(SelectedPayloadValue.read(with, selection)));
    }

    /**
     * Whether it may let an envelope of this kind through, depending on its payload: payload patterns are left aside, and
     * where the kind says nothing of what it is about, so are patterns of that.
     */
    public boolean admitsKind(Kind of) {
        return kind.mayMatchWithContext(of);
    }

    boolean matchesKind(Kind of) {
        return kind.matches(of);
    }

    @Nullable
    PayloadMatcher matcher() {
        return matcher;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Capability that
                && kind(SyntaxVersion.CURRENT).equals(that.kind(SyntaxVersion.CURRENT))
                && Objects.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind(SyntaxVersion.CURRENT), payload);
    }

    @Override
    public String toString() {
        return payload == null ? kind(SyntaxVersion.CURRENT) : kind(SyntaxVersion.CURRENT) + " " + payload;
    }
}
