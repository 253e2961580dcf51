package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * The kind of an envelope: PROTOCOL.OPERATION[.METHOD[:CONTEXT]]. Immutable.
 *
 * @param protocol the protocol of the payload: {@code mcp}, {@code mcpx}, {@code chat}, {@code system} or another one
 * @param operation the operation: {@code request}, {@code response}, {@code proposal}, ...
 * @param method the method in the payload's protocol, such as {@code tools/call}; may contain slashes and further dots
 * @param context the target of the method: the name of a tool or prompt, or the URI of a resource; only with a method
 */
public record Kind(
        String protocol,
        String operation,
        @Nullable String method,
        @Nullable String context) {
    public Kind {
        if (!KindParts.isValidName(protocol, false) || !KindParts.isValidName(operation, false)) {
            throw new IllegalArgumentException("PROTOCOL and OPERATION must be letters, digits, '_' and '-', not "
                    + InputExcerptFormatter.quote(protocol) + " and " + InputExcerptFormatter.quote(operation));
        }
        if (method == null ? context != null : method.isEmpty() || method.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "A METHOD must not be empty or contain a colon, and a CONTEXT needs a METHOD");
        }
    }

    /** Parses a kind in the current or the legacy syntax. */
    public static ValueParseResult<Kind> parse(String text) {
        return switch (KindParts.parseKind(text)) {
            case ValueParseResult.Valid<KindParts>(KindParts parts) -> new ValueParseResult.Valid<>(parts.toKind());
            case ValueParseResult.Invalid<KindParts>(String problem) ->
                new ValueParseResult.Invalid<>("kind " + problem);
        };
    }

    /** Parses a kind that is a constant of the program; throws if it is invalid. */
    public static Kind of(String text) {
        return parse(text).orThrow();
    }

    /** Whether only the gateway may send envelopes of this kind. */
    public boolean isReserved() {
        return protocol.equals("system");
    }

    /** Returns a copy with another context. */
    public Kind withContext(@Nullable String other) {
        return new Kind(protocol, operation, method, other);
    }

    /** Returns a copy with another operation: the request of a proposal, the response of a request. */
    public Kind withOperation(String other) {
        return new Kind(protocol, other, method, context);
    }

    /** Formats the kind in that syntax; a kind without a legacy form is always in the current syntax. */
    public String format(EnvelopeSyntax syntaxVersion) {
        return new KindParts(protocol, operation, method, context).format(syntaxVersion);
    }

    /** Whether the legacy syntax writes this kind differently. */
    boolean hasLegacyForm() {
        return new KindParts(protocol, operation, method, context).hasLegacyForm();
    }

    /** Formats the kind in the current syntax (ADR-008). */
    @Override
    public String toString() {
        return format(EnvelopeSyntax.CURRENT);
    }
}
