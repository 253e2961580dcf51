package dev.gavel.mcpx;

/**
 * The syntax of an MCPx v0.1 envelope: the current one, or the legacy one that it replaced. Both express the same
 * content; the gateway answers a connection in the syntax that the connection uses.
 */
public enum EnvelopeSyntaxVersion {
    /** {@code mcp.request.tools/call}, {@code correlationId}. */
    CURRENT("correlationId", "attemptedKind", "yourCapabilities"),

    /** {@code mcp/request:tools/call}, {@code correlation_id}. */
    LEGACY("correlation_id", "attempted_kind", "your_capabilities");

    private final String correlationId;
    private final String attemptedKind;
    private final String yourCapabilities;

    EnvelopeSyntaxVersion(String correlationId, String attemptedKind, String yourCapabilities) {
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
    public static EnvelopeSyntaxVersion of(String kind) {
        return KindParts.isLegacySyntax(kind) ? LEGACY : CURRENT;
    }
}
