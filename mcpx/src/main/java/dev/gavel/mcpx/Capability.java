package dev.gavel.mcpx;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of envelopes that a member may send, compiled once: of kinds, and perhaps of what is in their payload.
 * Immutable.
 */
public final class Capability {
    /** Characters of a pattern, or of one text in a payload pattern, at most. */
    public static final int LONGEST = 2048;

    private final KindPattern kind;
    private final @Nullable PayloadPattern payload;
    private final @Nullable PayloadCheck check;
    private final Shape shape = new Shape();

    private Capability(KindPattern kind, @Nullable PayloadPattern payload) {
        this.kind = kind;
        this.payload = payload;
        this.check = payload == null ? null : PayloadCheck.compile(payload);
        if (check != null) {
            shape.add(check);
        }
    }

    /** Compiles a pattern of kinds, in either spelling. */
    public static Parsed<Capability> compile(String pattern) {
        return compile(pattern, null);
    }

    /** Compiles a pattern of kinds, in either spelling, that also looks into the payload. */
    public static Parsed<Capability> compile(String pattern, @Nullable PayloadPattern payload) {
        if (pattern.length() > LONGEST) {
            return new Parsed.Invalid<>(
                    "capability " + Excerpt.of(pattern) + " is longer than " + LONGEST + " characters: use a wildcard");
        }
        String problem = payload == null ? null : PayloadCheck.problem(payload);
        if (problem != null) {
            return new Parsed.Invalid<>("capability " + Excerpt.of(pattern) + ": " + problem);
        }
        return switch (KindParts.ofPattern(pattern)) {
            case Parsed.Valid<KindParts>(KindParts parts) ->
                new Parsed.Valid<>(new Capability(new KindPattern(parts), payload));
            case Parsed.Invalid<KindParts>(String fault) -> new Parsed.Invalid<>("capability " + fault);
        };
    }

    /** The pattern of kinds in that spelling. */
    public String kind(Spelling spelling) {
        return kind.written(spelling);
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
        return kind.matches(of) && (check == null || check.matches(Seen.look(with, shape)));
    }

    /**
     * Whether it may let an envelope of this kind through, depending on its payload: payload patterns are left aside, and
     * where the kind says nothing of what it is about, so are patterns of that.
     */
    public boolean admitsKind(Kind of) {
        return kind.mayMatch(of);
    }

    boolean matchesKind(Kind of) {
        return kind.matches(of);
    }

    @Nullable
    PayloadCheck check() {
        return check;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Capability that
                && kind(Spelling.CURRENT).equals(that.kind(Spelling.CURRENT))
                && Objects.equals(payload, that.payload);
    }

    @Override
    public int hashCode() {
        return Objects.hash(kind(Spelling.CURRENT), payload);
    }

    @Override
    public String toString() {
        return payload == null ? kind(Spelling.CURRENT) : kind(Spelling.CURRENT) + " " + payload;
    }
}
