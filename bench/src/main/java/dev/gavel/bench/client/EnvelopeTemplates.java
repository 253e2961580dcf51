package dev.gavel.bench.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Builds the JSON texts of the envelopes that test participants send, such as proposals, approvals, rejections,
 * responses and chat messages. Stateless.
 */
public final class EnvelopeTemplates {
    private EnvelopeTemplates() {}

    private static String envelope(String id, String more, String kind, String payload) {
        return "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\"" + more + ",\"kind\":\"" + kind + "\",\"payload\":"
                + payload + "}";
    }

    private static String correlationIdField(String id) {
        return ",\"correlationId\":\"" + id + "\"";
    }

    private static String toField(String name) {
        return ",\"to\":[\"" + name + "\"]";
    }

    /** A proposal to write a file; the filler makes its arguments as long as real ones. */
    public static String proposal(String id, double ttlSeconds, int filler) {
        return envelope(
                id,
                "",
                "mcp.proposal.tools/call:write_file",
                "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"path\":\"/tmp/" + id
                        + "\",\"text\":\"" + "x".repeat(filler) + "\"}},\"ttl\":" + ttlSeconds + "}");
    }

    public static String fulfilment(String id, String proposal, String server) {
        return fulfilment(id, proposal, server, "");
    }

    /** An approval for the definition that the server lists, as {@link #listResponse} does. */
    public static String fulfilmentForListedDefinition(String id, String proposal, String server) {
        return fulfilment(id, proposal, server, ",\"definition\":\"" + definitionDigest(server) + "\"");
    }

    private static String fulfilment(String id, String proposal, String server, String definition) {
        return envelope(
                id,
                toField(server) + correlationIdField(proposal) + definition,
                "mcp.request.tools/call:write_file",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\","
                        + "\"arguments\":{\"path\":\"/tmp/" + proposal + "\",\"text\":\"\"}}}");
    }

    /** The digest of a server's definition of {@code write_file}: the SHA-256 of its canonical JSON. */
    public static String definitionDigest(String server) {
        String definition =
                "{\"inputSchema\":{\"type\":\"object\"},\"name\":\"write_file\",\"participant\":\"" + server + "\"}";
        try {
            return "sha256:"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(definition.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static String response(String id, String request, String to) {
        return envelope(
                id,
                toField(to) + correlationIdField(request),
                "mcp.response.tools/call:write_file",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}");
    }

    public static String withdrawal(String id, String proposal) {
        return envelope(id, correlationIdField(proposal), "mcpx.withdraw.proposal", "{}");
    }

    public static String rejection(String id, String proposal) {
        return envelope(id, correlationIdField(proposal), "mcpx.reject.proposal", "{\"reason\":\"policy\"}");
    }

    /** A server's answer to the gateway, which asked for one of its lists: it offers only the tool {@code write_file}. */
    public static String listResponse(String id, String request, String method) {
        String items =
                method.equals("tools/list") ? "{\"name\":\"write_file\",\"inputSchema\":{\"type\":\"object\"}}" : "";
        String list = method.equals("resources/templates/list") ? "resourceTemplates" : method.replace("/list", "");
        return envelope(
                id,
                toField("system:gateway") + correlationIdField(request),
                "mcp.response." + method,
                "{\"jsonrpc\":\"2.0\",\"id\":\"" + request + "\",\"result\":{\"" + list + "\":[" + items + "]}}");
    }

    public static String chatMessage(String id) {
        return envelope(id, "", "chat.message", "{\"text\":\"hello\"}");
    }
}
