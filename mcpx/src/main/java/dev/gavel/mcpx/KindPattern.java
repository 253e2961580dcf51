package dev.gavel.mcpx;

import org.jspecify.annotations.Nullable;

/**
 * A pattern of kinds, compiled: each part for itself, so that no wildcard reaches over a separator unless it is the last
 * character of all. Immutable.
 */
final class KindPattern {
    private final KindParts parts;
    private final Glob protocol;
    private final @Nullable Glob operation;
    private final @Nullable Glob method;
    private final @Nullable Glob context;
    private final boolean open;

    KindPattern(KindParts parts) {
        this.parts = parts;
        this.protocol = Glob.compile(parts.protocol());
        this.operation = glob(parts.operation());
        this.method = glob(parts.method());
        this.context = glob(parts.context());
        this.open = parts.written(Spelling.CURRENT).endsWith("*");
    }

    private static @Nullable Glob glob(@Nullable String part) {
        return part == null ? null : Glob.compile(part);
    }

    String written(Spelling spelling) {
        return parts.written(spelling);
    }

    /** Whether the kind is one of these; what it is about must be known. */
    boolean matches(Kind kind) {
        return matchesMethod(kind) && (context == null || matchesContext(context, kind.context()));
    }

    /** Whether a kind that says nothing of what it is about may yet be one of these. */
    boolean mayMatch(Kind kind) {
        return matchesMethod(kind)
                && (context == null || kind.context() == null || matchesContext(context, kind.context()));
    }

    private boolean matchesMethod(Kind kind) {
        // Checked here, below everything that admits: no pattern, not even '*', lets anyone speak as the gateway.
        if (kind.reserved() || !protocol.matches(kind.protocol())) {
            return false;
        }
        if (operation == null) {
            return open;
        }
        if (!operation.matches(kind.operation())) {
            return false;
        }
        String actual = kind.method();
        if (method == null) {
            return open || actual == null;
        }
        return actual != null && method.matches(actual);
    }

    private static boolean matchesContext(Glob context, @Nullable String actual) {
        return actual != null && context.matches(actual) && !(context.wild() && DotSegments.in(actual));
    }
}
