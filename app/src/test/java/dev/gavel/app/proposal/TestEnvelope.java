package dev.gavel.app.proposal;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An envelope that a test is about to send. Immutable. */
record TestEnvelope(ObjectNode json) {
    static final JsonMapper JSON = new JsonMapper();

    /** The payload of a proposal if its content does not matter. */
    static final String WRITE =
            "{\"method\":\"tools/call\",\"params\":{\"name\":\"write_file\",\"arguments\":{\"path\":\"/etc/motd\"}}}";

    static final String DONE = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[]}}";

    static TestEnvelope envelope(String id, String kind, String payload) {
        ObjectNode json = JSON.createObjectNode()
                .put("protocol", "mcpx/v0.1")
                .put("id", id)
                .put("kind", kind);
        json.set("payload", JSON.readTree(payload));
        return new TestEnvelope(json);
    }

    /** A proposal to write a file, which alice and bob can fulfil. */
    static TestEnvelope proposal(String id) {
        return envelope(id, "mcp.proposal.tools/call:write_file", WRITE);
    }

    /** A proposal to read a resource, which no member of the topic can fulfil. */
    static TestEnvelope unfulfillable(String id) {
        return envelope(
                id,
                "mcp.proposal.resources/read",
                "{\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///a\"}}");
    }

    /** A request that fulfils a proposal unchanged, addressed to files. */
    static TestEnvelope fulfilment(String id, String proposal) {
        return envelope(id, "mcp.request.tools/call:write_file", WRITE)
                .about(proposal)
                .to("files");
    }

    /** A successful response. */
    static TestEnvelope answer(String id, String request) {
        return envelope(id, "mcp.response.tools/call:write_file", DONE).about(request);
    }

    static TestEnvelope withdrawal(String id, String... proposals) {
        return envelope(id, "mcpx.withdraw.proposal", "{}").about(proposals);
    }

    static TestEnvelope rejection(String id, String reason, String... proposals) {
        return envelope(id, "mcpx.reject.proposal", "{}").about(proposals).payload("reason", reason);
    }

    static TestEnvelope status(String id, String word, String... proposals) {
        return envelope(id, "mcpx.status.proposal", "{}").about(proposals).payload("status", word);
    }

    static TestEnvelope chat(String id) {
        return envelope(id, "chat.message", "{\"text\":\"hello\"}");
    }

    String id() {
        return json.path("id").asString();
    }

    /** A copy with another value in a field. */
    TestEnvelope with(String field, JsonNode value) {
        ObjectNode changed = json.deepCopy();
        changed.set(field, value);
        return new TestEnvelope(changed);
    }

    TestEnvelope with(String field, String value) {
        return with(field, JSON.stringNode(value));
    }

    TestEnvelope to(String... names) {
        return with("to", texts(List.of(names)));
    }

    /** A copy about one proposal, or an array of them. */
    TestEnvelope about(String... ids) {
        return ids.length == 1
                ? with("correlationId", JSON.stringNode(ids[0]))
                : with("correlationId", texts(List.of(ids)));
    }

    TestEnvelope payload(String text) {
        return with("payload", JSON.readTree(text));
    }

    /** A copy with another text in a field of its payload. */
    TestEnvelope payload(String field, String text) {
        return payload(field, JSON.stringNode(text));
    }

    TestEnvelope payload(String field, JsonNode value) {
        ObjectNode changed = json.deepCopy();
        ((ObjectNode) changed.path("payload")).set(field, value);
        return new TestEnvelope(changed);
    }

    TestEnvelope ttl(int seconds) {
        return payload("ttl", JSON.readTree(Integer.toString(seconds)));
    }

    private static ArrayNode texts(List<String> texts) {
        ArrayNode array = JSON.createArrayNode();
        texts.forEach(array::add);
        return array;
    }

    @Override
    public String toString() {
        return json.toString();
    }
}
