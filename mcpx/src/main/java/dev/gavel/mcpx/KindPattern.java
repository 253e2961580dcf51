package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * A compiled pattern for envelope kinds, in which a wildcard matches within one part, or the whole rest at the
 * pattern's end. Immutable.
 */
final class KindPattern {
    private final KindParts parts;
    private final Glob protocol;
    private final @Nullable Glob operation;
    private final @Nullable Glob method;
    private final @Nullable Glob context;
    private final boolean openEnded;

    KindPattern(KindParts parts) {
        this.parts = parts;
        this.protocol = Glob.compile(parts.protocol());
        this.operation = glob(parts.operation());
        this.method = glob(parts.method());
        this.context = glob(parts.context());
        this.openEnded = parts.format(EnvelopeSyntax.CURRENT).endsWith("*");
    }

    private static @Nullable Glob glob(@Nullable String part) {
        return part == null ? null : Glob.compile(part);
    }

    String format(EnvelopeSyntax syntaxVersion) {
        return parts.format(syntaxVersion);
    }

    /** Whether the pattern matches the kind, which must include its CONTEXT. */
    boolean matches(Kind kind) {
        return matchesMethod(kind)
                && !ControlCharacterDetector.inName(kind.context())
                && (context == null || matchesContext(context, kind.context()));
    }

    /** Whether the pattern matches the kind; if the kind has no CONTEXT, whether it may match with one. */
    boolean mayMatchWithContext(Kind kind) {
        return matchesMethod(kind)
                && !ControlCharacterDetector.inName(kind.context())
                && (context == null || kind.context() == null || matchesContext(context, kind.context()));
    }

    private boolean matchesMethod(Kind kind) {
        // Checked at the lowest level of admission: no pattern, not even '*', lets a member send as the gateway.
        if (kind.isReserved() || !protocol.matches(kind.protocol())) {
            return false;
        }
        if (operation == null) {
            return openEnded;
        }
        if (!operation.matches(kind.operation())) {
            return false;
        }
        String actual = kind.method();
        if (method == null) {
            return openEnded || actual == null;
        }
        return actual != null && method.matches(actual);
    }

    private static boolean matchesContext(Glob context, @Nullable String actual) {
        return actual != null
                && context.matches(actual)
                && !(context.hasWildcard()
                        && (DotSegmentDetector.containsDotSegment(actual) || ControlCharacterDetector.inValue(actual)));
    }
}
