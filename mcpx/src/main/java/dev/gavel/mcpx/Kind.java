package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * The kind of an envelope: PROTOCOL.OPERATION[.METHOD[:CONTEXT]]. Immutable.
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
        if (!KindParts.isValidName(protocol, false) || !KindParts.isValidName(operation, false)) {
            throw new IllegalArgumentException("PROTOCOL and OPERATION are letters, digits, '_' and '-', not "
                    + InputExcerpt.quote(protocol) + " and " + InputExcerpt.quote(operation));
        }
        if (method == null ? context != null : method.isEmpty() || method.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "A METHOD has characters, none of them a colon, and stands before CONTEXT");
        }
    }

    /** Reads a kind in either spelling. */
    public static TextParseResult<Kind> parse(String text) {
        return switch (KindParts.parseKind(text)) {
            case TextParseResult.Valid<KindParts>(KindParts parts) -> new TextParseResult.Valid<>(parts.toKind());
            case TextParseResult.Invalid<KindParts>(String problem) -> new TextParseResult.Invalid<>("kind " + problem);
        };
    }

    /** A kind that the program itself writes down; throws where it is none. */
    public static Kind of(String text) {
        return parse(text).orThrow();
    }

    /** Whether only the gateway sends such envelopes. */
    public boolean isReserved() {
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
    public String format(SyntaxVersion syntaxVersion) {
        return new KindParts(protocol, operation, method, context).format(syntaxVersion);
    }

    /** Whether the two spellings write this kind differently. */
    boolean hasLegacyForm() {
        return new KindParts(protocol, operation, method, context).hasLegacyForm();
    }

    /** The kind as ADR-008 writes it. */
    @Override
    public String toString() {
        return format(SyntaxVersion.CURRENT);
    }
}
