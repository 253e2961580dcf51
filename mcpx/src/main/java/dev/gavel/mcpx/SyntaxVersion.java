package dev.gavel.mcpx;

/**
 * The two syntaxes of MCPx v0.1 envelopes: the current one, and the legacy one that it replaced (ADR-008). They mean
 * the same; a connection is answered in the one it uses.
 */
public enum SyntaxVersion {
    /** {@code mcp.request.tools/call}, {@code correlationId}. */
    CURRENT("correlationId", "attemptedKind", "yourCapabilities"),

    /** {@code mcp/request:tools/call}, {@code correlation_id}. */
    LEGACY("correlation_id", "attempted_kind", "your_capabilities");

    private final String correlationId;
    private final String attemptedKind;
    private final String yourCapabilities;

    SyntaxVersion(String correlationId, String attemptedKind, String yourCapabilities) {
        this.correlationId = correlationId;
        this.attemptedKind = attemptedKind;
        this.yourCapabilities = yourCapabilities;
    }

    /** The name of the envelope's field that refers to other envelopes. */
    public String correlationIdField() {
        return correlationId;
    }

    /** The name of the field of {@code system.error} that says what was tried. */
    public String attemptedKindField() {
        return attemptedKind;
    }

    /** The name of the field of {@code system.error} that says what would have been allowed. */
    public String yourCapabilitiesField() {
        return yourCapabilities;
    }

    /** The spelling in which a kind, or a capability's pattern of kinds, is written. */
    public static SyntaxVersion of(String kind) {
        return KindParts.isLegacySyntax(kind) ? LEGACY : CURRENT;
    }
}
