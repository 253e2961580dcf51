package dev.gavel.mcpx;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A kind, or a pattern of kinds, divided at its separators. Kinds and patterns share this so that they cannot come to be
 * divided differently: a pattern that reads a kind otherwise than the router does is a hole.
 *
 * @param operation absent only in a pattern that ends in its PROTOCOL, such as {@code *}
 */
record KindParts(
        String protocol,
        @Nullable String operation,
        @Nullable String method,
        @Nullable String context) {

    static final String GRAMMAR = "PROTOCOL.OPERATION[.METHOD[:CONTEXT]], for example mcp.request.tools/call:read_file";

    /** Divides a kind. */
    static Parsed<KindParts> ofKind(String text) {
        return divide(text, false);
    }

    /** Divides a pattern: the same grammar, with {@code *} allowed anywhere. */
    static Parsed<KindParts> ofPattern(String text) {
        return divide(text, true);
    }

    /** Whether the text is in the spelling before ADR-008. */
    static boolean old(String text) {
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

    /** The kind these are the parts of; only what {@link #ofKind} divided has an operation for certain. */
    Kind toKind() {
        return new Kind(protocol, Objects.requireNonNull(operation), method, context);
    }

    /** The parts in the given spelling; where they never had an old form, the current one. */
    String written(Spelling spelling) {
        return spelling == Spelling.V0_1 && hadOldForm() ? inOldForm() : inCurrentForm();
    }

    boolean hadOldForm() {
        if (operation == null) {
            return false;
        }
        return switch (protocol) {
            case "mcp" -> oldOperation(operation);
            case "chat" -> operation.equals("message") && method == null;
            case "system" -> method == null && oldSystemOperation(operation);
            default -> false;
        };
    }

    private static boolean oldOperation(String operation) {
        return switch (operation) {
            case "request", "response", "proposal" -> true;
            default -> operation.indexOf('*') >= 0;
        };
    }

    private static boolean oldSystemOperation(String operation) {
        return switch (operation) {
            case "welcome", "presence", "error", "*" -> true;
            default -> false;
        };
    }

    private String inOldForm() {
        if (protocol.equals("chat")) {
            return "chat";
        }
        String start = protocol + '/' + operation;
        if (method == null) {
            return start;
        }
        return context == null ? start + ':' + method : start + ':' + method + ':' + context;
    }

    private String inCurrentForm() {
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

    private static Parsed<KindParts> divide(String text, boolean pattern) {
        if (text.equals("chat")) {
            return new Parsed.Valid<>(new KindParts("chat", "message", null, null));
        }
        if (text.equals("presence")) {
            return new Parsed.Valid<>(new KindParts("system", "presence", null, null));
        }
        boolean old = old(text);
        int first = text.indexOf(old ? '/' : '.');
        if (first < 0) {
            return pattern && text.endsWith("*") && name(text, true)
                    ? new Parsed.Valid<>(new KindParts(text, null, null, null))
                    : invalid(text, "has no OPERATION: write " + GRAMMAR);
        }
        int second = text.indexOf(old ? ':' : '.', first + 1);
        String protocol = text.substring(0, first);
        String operation = text.substring(first + 1, second < 0 ? text.length() : second);
        if (!name(protocol, pattern)) {
            return invalid(text, "needs a PROTOCOL of letters, digits, '_' and '-': write " + GRAMMAR);
        }
        if (!name(operation, pattern)) {
            return invalid(text, "needs an OPERATION of letters, digits, '_' and '-': write " + GRAMMAR);
        }
        if (old && !hasOldForm(protocol, operation)) {
            return invalid(
                    text,
                    "is neither " + GRAMMAR + ", nor one of the older mcp/request:METHOD, mcp/response:METHOD,"
                            + " mcp/proposal:METHOD, chat");
        }
        if (second < 0) {
            return new Parsed.Valid<>(new KindParts(protocol, operation, null, null));
        }
        int colon = text.indexOf(':', second + 1);
        String method = text.substring(second + 1, colon < 0 ? text.length() : colon);
        if (!printable(method, false)) {
            return invalid(text, "needs a METHOD without spaces or control characters: write " + GRAMMAR);
        }
        String context = colon < 0 ? null : text.substring(colon + 1);
        if (context != null && !printable(context, true)) {
            return invalid(text, "needs a CONTEXT without control characters after the colon, or no colon");
        }
        return new Parsed.Valid<>(new KindParts(protocol, operation, method, context));
    }

    private static boolean hasOldForm(String protocol, String operation) {
        return switch (protocol) {
            case "mcp" -> oldOperation(operation);
            case "system" -> true;
            default -> false;
        };
    }

    static boolean name(String part, boolean pattern) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            boolean fine = (c >= 'a' && c <= 'z')
                    || (c >= '0' && c <= '9')
                    || (c >= 'A' && c <= 'Z')
                    || c == '_'
                    || c == '-'
                    || (pattern && c == '*');
            if (!fine) {
                return false;
            }
        }
        return !part.isEmpty();
    }

    private static boolean printable(String part, boolean spaces) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c < ' ' || (c >= 0x7F && c <= 0x9F) || (c == ' ' && !spaces)) {
                return false;
            }
        }
        return !part.isEmpty();
    }

    private static Parsed<KindParts> invalid(String text, String problem) {
        return new Parsed.Invalid<>(Excerpt.of(text) + " " + problem);
    }
}
