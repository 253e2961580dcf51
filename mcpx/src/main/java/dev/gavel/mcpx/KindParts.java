package dev.gavel.mcpx;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an envelope kind or kind pattern, such as {@code mcp.request.tools/call:read_file}: protocol, operation,
 * method and context. Kinds and patterns share this code so that both are always split in the same way: a pattern that
 * is split differently than the router splits the kind would be a security hole.
 *
 * @param operation null only in a pattern that consists of its PROTOCOL, such as {@code *}
 */
record KindParts(
        String protocol,
        @Nullable String operation,
        @Nullable String method,
        @Nullable String context) {

    static final String GRAMMAR = "PROTOCOL.OPERATION[.METHOD[:CONTEXT]], for example mcp.request.tools/call:read_file";

    /** Splits a kind. */
    static ValueParseResult<KindParts> parseKind(String text) {
        return split(text, false);
    }

    /** Splits a pattern: the same grammar, with {@code *} allowed anywhere. */
    static ValueParseResult<KindParts> parsePattern(String text) {
        return split(text, true);
    }

    /** Whether the text is in the legacy syntax from before ADR-008. */
    static boolean isLegacySyntax(String text) {
        if (text.equals("chat") || text.equals("presence")) {
            return true;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '/' || c == '.' || c == ':') {
                return c == '/';
            }
        }
        return false;
    }

    /** Returns the kind of these parts; requires an operation, which only {@link #parseKind} guarantees. */
    Kind toKind() {
        return new Kind(protocol, Objects.requireNonNull(operation), method, context);
    }

    /** Formats the parts in that syntax; parts without a legacy form are always in the current syntax. */
    String format(EnvelopeSyntax syntaxVersion) {
        return syntaxVersion == EnvelopeSyntax.LEGACY && hasLegacyForm() ? legacyForm() : currentForm();
    }

    boolean hasLegacyForm() {
        if (operation == null) {
            return false;
        }
        return switch (protocol) {
            case "mcp" -> isLegacyOperation(operation);
            case "mcpx" -> operation.equals("withdraw");
            case "chat" -> operation.equals("message") && method == null;
            case "system" -> method == null ? isLegacySystemOperation(operation) : isWithdrawalNotice();
            default -> false;
        };
    }

    private boolean isWithdrawalNotice() {
        return "proposal".equals(operation) && "withdrawn".equals(method) && context == null;
    }

    private static boolean isLegacyOperation(String operation) {
        return switch (operation) {
            case "request", "response", "proposal" -> true;
            default -> operation.indexOf('*') >= 0;
        };
    }

    private static boolean isLegacySystemOperation(String operation) {
        return switch (operation) {
            case "welcome", "presence", "error", "*" -> true;
            default -> false;
        };
    }

    private String legacyForm() {
        if (protocol.equals("chat")) {
            return "chat";
        }
        String start = protocol + '/' + operation;
        if (method == null) {
            return start;
        }
        return context == null ? start + ':' + method : start + ':' + method + ':' + context;
    }

    private String currentForm() {
        if (operation == null) {
            return protocol;
        }
        if (method == null) {
            return protocol + '.' + operation;
        }
        return context == null
                ? protocol + '.' + operation + '.' + method
                : protocol + '.' + operation + '.' + method + ':' + context;
    }

    private static ValueParseResult<KindParts> split(String text, boolean pattern) {
        if (text.equals("chat")) {
            return new ValueParseResult.Valid<>(new KindParts("chat", "message", null, null));
        }
        if (text.equals("presence")) {
            return new ValueParseResult.Valid<>(new KindParts("system", "presence", null, null));
        }
        boolean legacy = isLegacySyntax(text);
        int first = text.indexOf(legacy ? '/' : '.');
        if (first < 0) {
            return pattern && text.endsWith("*") && isValidName(text, true)
                    ? new ValueParseResult.Valid<>(new KindParts(text, null, null, null))
                    : invalid(text, "has no OPERATION: write " + GRAMMAR);
        }
        int second = text.indexOf(legacy ? ':' : '.', first + 1);
        String protocol = text.substring(0, first);
        String operation = text.substring(first + 1, second < 0 ? text.length() : second);
        if (!isValidName(protocol, pattern)) {
            return invalid(text, "needs a PROTOCOL of letters, digits, '_' and '-': write " + GRAMMAR);
        }
        if (!isValidName(operation, pattern)) {
            return invalid(text, "needs an OPERATION of letters, digits, '_' and '-': write " + GRAMMAR);
        }
        if (legacy && !isLegacyKind(protocol, operation)) {
            return invalid(
                    text,
                    "is neither " + GRAMMAR + ", nor one of the legacy forms mcp/request:METHOD, mcp/response:METHOD,"
                            + " mcp/proposal:METHOD, mcpx/withdraw:proposal, chat");
        }
        if (second < 0) {
            return new ValueParseResult.Valid<>(new KindParts(protocol, operation, null, null));
        }
        int colon = text.indexOf(':', second + 1);
        String method = text.substring(second + 1, colon < 0 ? text.length() : colon);
        if (!isPrintable(method, false)) {
            return invalid(text, "needs a METHOD without spaces or control characters: write " + GRAMMAR);
        }
        String context = colon < 0 ? null : text.substring(colon + 1);
        if (context != null && !isPrintable(context, true)) {
            return invalid(text, "needs a CONTEXT without control characters after the colon, or no colon");
        }
        return new ValueParseResult.Valid<>(new KindParts(protocol, operation, method, context));
    }

    private static boolean isLegacyKind(String protocol, String operation) {
        return switch (protocol) {
            case "mcp" -> isLegacyOperation(operation);
            case "mcpx" -> operation.equals("withdraw");
            case "system" -> true;
            default -> false;
        };
    }

    static boolean isValidName(String part, boolean pattern) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || c == '_'
                    || c == '-'
                    || (pattern && c == '*');
            if (!allowed) {
                return false;
            }
        }
        return !part.isEmpty();
    }

    private static boolean isPrintable(String part, boolean spaces) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c < ' ' || (c >= 0x7F && c <= 0x9F) || (c == ' ' && !spaces)) {
                return false;
            }
        }
        return !part.isEmpty();
    }

    private static ValueParseResult<KindParts> invalid(String text, String problem) {
        return new ValueParseResult.Invalid<>(InputExcerptFormatter.quote(text) + " " + problem);
    }
}
