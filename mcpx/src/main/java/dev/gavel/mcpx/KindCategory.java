package dev.gavel.mcpx;

/**
 * The category of an envelope's kind, such as request, proposal or chat, which determines how many correlation ids the
 * envelope needs.
 */
public enum KindCategory {
    /** {@code mcp.request.METHOD[:CONTEXT]}. */
    REQUEST(Correlation.ONE_OR_NONE),
    /** {@code mcp.response.METHOD[:CONTEXT]}. */
    RESPONSE(Correlation.ONE),
    /** {@code mcp.proposal.METHOD[:CONTEXT]}. */
    PROPOSAL(Correlation.NONE),
    /** {@code mcpx.withdraw.proposal}. */
    WITHDRAW(Correlation.ONE_OR_MORE),
    /** {@code mcpx.reject.proposal}. */
    REJECT(Correlation.ONE_OR_MORE),
    /** {@code mcpx.status.proposal}. */
    STATUS(Correlation.ONE_OR_MORE),
    /** {@code chat.message}. */
    CHAT(Correlation.ONE_OR_NONE),
    /** {@code system.*}: sent by the gateway, which does not parse their payload. */
    SYSTEM(Correlation.ANY),
    /** A kind of another protocol: admitted by capability, payload not parsed. */
    OTHER(Correlation.ANY);

    /** How many envelopes an envelope of this category refers to. */
    enum Correlation {
        NONE,
        ONE_OR_NONE,
        ONE,
        ONE_OR_MORE,
        ANY
    }

    private final Correlation correlation;

    KindCategory(Correlation correlation) {
        this.correlation = correlation;
    }

    Correlation correlation() {
        return correlation;
    }

    /** Returns the category of a kind. */
    public static KindCategory of(Kind kind) {
        return switch (kind.protocol()) {
            case "mcp" ->
                switch (kind.operation()) {
                    case "request" -> REQUEST;
                    case "response" -> RESPONSE;
                    case "proposal" -> PROPOSAL;
                    default -> OTHER;
                };
            case "mcpx" ->
                !"proposal".equals(kind.method())
                        ? OTHER
                        : switch (kind.operation()) {
                            case "withdraw" -> WITHDRAW;
                            case "reject" -> REJECT;
                            case "status" -> STATUS;
                            default -> OTHER;
                        };
            case "chat" -> kind.operation().equals("message") && kind.method() == null ? CHAT : OTHER;
            case "system" -> SYSTEM;
            default -> OTHER;
        };
    }

    /** Whether the payload is a call whose method and context the kind repeats. */
    public boolean isCall() {
        return this == REQUEST || this == PROPOSAL;
    }
}
