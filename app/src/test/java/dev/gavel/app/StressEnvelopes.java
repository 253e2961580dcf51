package dev.gavel.app;

/** Builds the envelopes that stress tests send. Stateless. */
final class StressEnvelopes {
    private StressEnvelopes() {}

    static String proposal(String id) {
        return proposal(id, 0);
    }

    /** A proposal with this many additional bytes in its arguments. */
    static String proposal(String id, int filler) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"mcp.proposal.tools/call:write_file\","
                + "\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"text\":\""
                + "x".repeat(filler) + "\"}}}}";
    }

    static String withdrawal(String id, String proposal) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"mcpx.withdraw.proposal\","
                + "\"correlationId\":\"" + proposal + "\",\"payload\":{}}";
    }

    static String chat(String id, int filler) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"chat.message\",\"payload\":{\"text\":\""
                + "x".repeat(filler) + "\"}}";
    }
}
