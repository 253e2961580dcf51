package dev.gavel.mcpx;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Kinds met before, so that the few a topic lives on are not parsed again with every envelope. Bounded: a kind takes the
 * place of another of the same hash, and a sender who invents kinds only makes them be parsed. Thread-safe.
 */
final class KnownKinds {
    private static final int PLACES = 256;

    private final AtomicReferenceArray<@Nullable Known> places = new AtomicReferenceArray<>(PLACES);

    /** A kind as it was written, and what that means. */
    record Known(
            String text,
            Kind kind,
            KindRule rule,
            Spelling spelling,
            @Nullable String problem) {}

    /** What a text means as a kind. */
    Parsed<Known> parse(String text) {
        int hash = text.hashCode();
        int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
        Known known = places.getPlain(place);
        if (known != null && known.text.equals(text)) {
            return new Parsed.Valid<>(known);
        }
        return switch (Kind.parse(text)) {
            case Parsed.Invalid<Kind>(String problem) -> new Parsed.Invalid<>(problem);
            case Parsed.Valid<Kind>(Kind kind) -> {
                KindRule rule = KindRule.of(kind);
                var learnt = new Known(text, kind, rule, Spelling.of(text), problem(kind, rule));
                places.setRelease(place, learnt);
                yield new Parsed.Valid<>(learnt);
            }
        };
    }

    /** What a kind lacks or has too much by its own rule, or null. */
    private static @Nullable String problem(Kind kind, KindRule rule) {
        return switch (rule) {
            case REQUEST, RESPONSE, PROPOSAL ->
                kind.method() != null
                        ? null
                        : "kind '" + kind.written(Spelling.CURRENT) + "' has no METHOD: write for example mcp."
                                + kind.operation() + ".tools/call";
            case WITHDRAW, REJECT, STATUS ->
                kind.context() == null
                        ? null
                        : "kind mcpx." + kind.operation()
                                + ".proposal takes no CONTEXT: name the proposal in 'correlationId'";
            case CHAT, SYSTEM, OTHER -> null;
        };
    }
}
