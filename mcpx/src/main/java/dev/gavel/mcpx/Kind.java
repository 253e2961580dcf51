package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * What an envelope is: {@code PROTOCOL.OPERATION[.METHOD[:CONTEXT]]}. Immutable.
 *
 * @param protocol what the payload is written in: {@code mcp}, {@code mcpx}, {@code chat}, {@code system} or another's
 * @param operation what is done: {@code request}, {@code response}, {@code proposal}, ...
 * @param method the payload protocol's own method, such as {@code tools/call}; slashes and further dots belong to it
 * @param context what the method is about: a tool's or prompt's name, a resource's URI; only with a method
 */
public record Kind(
        String protocol,
        String operation,
        @Nullable String method,
        @Nullable String context) {
    public Kind {
        if (!KindParts.name(protocol, false) || !KindParts.name(operation, false)) {
            throw new IllegalArgumentException("PROTOCOL and OPERATION are letters, digits, '_' and '-', not "
                    + Excerpt.of(protocol) + " and " + Excerpt.of(operation));
        }
        if (method == null ? context != null : method.isEmpty() || method.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "A METHOD has characters, none of them a colon, and stands before CONTEXT");
        }
    }

    /** Reads a kind in either spelling. */
    public static Parsed<Kind> parse(String text) {
        return switch (KindParts.ofKind(text)) {
            case Parsed.Valid<KindParts>(KindParts parts) -> new Parsed.Valid<>(parts.toKind());
            case Parsed.Invalid<KindParts>(String problem) -> new Parsed.Invalid<>("kind " + problem);
        };
    }

    /** A kind that the program itself writes down; throws where it is none. */
    public static Kind of(String text) {
        return parse(text).orThrow();
    }

    /** Whether only the gateway sends such envelopes. */
    public boolean reserved() {
        return protocol.equals("system");
    }

    /** The same kind about something else. */
    public Kind withContext(@Nullable String other) {
        return new Kind(protocol, operation, method, other);
    }

    /** The same method and context under another operation: a proposal's request, a request's response. */
    public Kind withOperation(String other) {
        return new Kind(protocol, other, method, context);
    }

    /** How the kind is written in that spelling; one that never had an old form keeps its own. */
    public String written(Spelling spelling) {
        return new KindParts(protocol, operation, method, context).written(spelling);
    }

    /** Whether the two spellings write this kind differently. */
    boolean hadOldForm() {
        return new KindParts(protocol, operation, method, context).hadOldForm();
    }

    /** The kind as ADR-008 writes it. */
    @Override
    public String toString() {
        return written(Spelling.CURRENT);
    }
}
