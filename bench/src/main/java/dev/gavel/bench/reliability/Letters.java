package dev.gavel.bench.reliability;

/** The envelopes that trials send. Stateless. */
public final class Letters {
    private Letters() {}

    private static String letter(String id, String more, String kind, String payload) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\"" + more + ",\"kind\":\"" + kind + "\",\"payload\":"
                + payload + "}";
    }

    private static String about(String id) {
        return ",\"correlationId\":\"" + id + "\"";
    }

    private static String to(String name) {
        return ",\"to\":[\"" + name + "\"]";
    }

    /** Proposes to write a file; with some filler the arguments are as long as real ones. */
    public static String propose(String id, double ttlSeconds, int filler) {
        return letter(
                id,
                "",
                "mcp.proposal.tools/call:write_file",
                "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"path\":\"/tmp/" + id
                        + "\",\"text\":\"" + "x".repeat(filler) + "\"}},\"ttl\":" + ttlSeconds + "}");
    }

    public static String fulfil(String id, String proposal, String server) {
        return letter(
                id,
                to(server) + about(proposal),
                "mcp.request.tools/call:write_file",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\","
                        + "\"arguments\":{\"path\":\"/tmp/" + proposal + "\",\"text\":\"\"}}}");
    }

    public static String answer(String id, String request, String to) {
        return letter(
                id,
                to(to) + about(request),
                "mcp.response.tools/call:write_file",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}");
    }

    public static String withdraw(String id, String proposal) {
        return letter(id, about(proposal), "mcpx.withdraw.proposal", "{}");
    }

    public static String reject(String id, String proposal) {
        return letter(id, about(proposal), "mcpx.reject.proposal", "{\"reason\":\"policy\"}");
    }

    public static String chat(String id) {
        return letter(id, "", "chat.message", "{\"text\":\"hello\"}");
    }
}
