package dev.gavel.mcpx;

/**
 * The two syntaxes of an MCPx v0.1 envelope: the current one, and the legacy one from before ADR-008. Both express the
 * same content; the gateway answers a connection in the syntax that the connection uses.
 */
public enum EnvelopeSyntax {
    /** {@code mcp.request.tools/call}, {@code correlationId}. */
    CURRENT("correlationId", "attemptedKind", "yourCapabilities"),

    /** {@code mcp/request:tools/call}, {@code correlation_id}. */
    LEGACY("correlation_id", "attempted_kind", "your_capabilities");

    private final String correlationId;
    private final String attemptedKind;
    private final String yourCapabilities;

    EnvelopeSyntax(String correlationId, String attemptedKind, String yourCapabilities) {
        this.correlationId = correlationId;
        this.attemptedKind = attemptedKind;
        this.yourCapabilities = yourCapabilities;
    }

    /** The name of the envelope field that refers to other envelopes. */
    public String correlationIdField() {
        return correlationId;
    }

    /** The name of the {@code system.error} field with the attempted kind. */
    public String attemptedKindField() {
        return attemptedKind;
    }

    /** The name of the {@code system.error} field with the sender's capabilities. */
    public String yourCapabilitiesField() {
        return yourCapabilities;
    }

    /** The syntax of a kind or a kind pattern. */
    public static EnvelopeSyntax of(String kind) {
        return KindParts.isLegacySyntax(kind) ? LEGACY : CURRENT;
    }
}
