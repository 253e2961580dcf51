package dev.gavel.mcpx;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Caches parsed envelope kinds by their text in a bounded table, so that frequent kinds are parsed once. A kind
 * replaces another one in the same slot, so a sender that invents kinds only causes additional parsing, not growth.
 * Thread-safe.
 */
final class KindCache {
    private static final int SLOTS = 256;

    private final AtomicReferenceArray<@Nullable CachedKind> slots = new AtomicReferenceArray<>(SLOTS);

    /** The text of a kind with its parsed form. */
    record CachedKind(
            String text,
            Kind kind,
            KindCategory category,
            EnvelopeSyntax syntax,
            @Nullable String problem) {}

    /** Returns the cached kind for a text, or parses the text and caches the result. */
    ValueParseResult<CachedKind> parse(String text) {
        int hash = text.hashCode();
        int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
        CachedKind cachedKind = slots.getPlain(slot);
        if (cachedKind != null && cachedKind.text.equals(text)) {
            return new ValueParseResult.Valid<>(cachedKind);
        }
        return switch (Kind.parse(text)) {
            case ValueParseResult.Invalid<Kind>(String problem) -> new ValueParseResult.Invalid<>(problem);
            case ValueParseResult.Valid<Kind>(Kind kind) -> {
                KindCategory category = KindCategory.of(kind);
                var parsed = new CachedKind(text, kind, category, EnvelopeSyntax.of(text), findProblem(kind, category));
                slots.setRelease(slot, parsed);
                yield new ValueParseResult.Valid<>(parsed);
            }
        };
    }

    /** The problem if a kind lacks a required part or has a part that its category forbids, or null. */
    private static @Nullable String findProblem(Kind kind, KindCategory category) {
        return switch (category) {
            case REQUEST, RESPONSE, PROPOSAL ->
                kind.method() != null
                        ? null
                        : "kind '" + kind.format(EnvelopeSyntax.CURRENT) + "' has no METHOD: write for example mcp."
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
