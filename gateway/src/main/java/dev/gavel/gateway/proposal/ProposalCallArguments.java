package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.RawPayload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The {@code params} of a call, used to check whether a reviewer's request has the same arguments as the proposed call,
 * ignoring {@code _meta}. {@code _meta} is ignored because it describes the conversation and not the call.
 */
record ProposalCallArguments(String json) {
    /** A string, number, true, false or null. Numbers that are written differently count as different, to be safe. */
    private record Scalar(JsonToken type, String text) {}

    static ProposalCallArguments of(RawPayload payload) {
        ProposalEventBodyReader proposalEventBodyReader = ProposalEventBodyReader.parse(payload.toBytes());
        return new ProposalCallArguments(
                proposalEventBodyReader.has("params")
                        ? new String(proposalEventBodyReader.object("params"), StandardCharsets.UTF_8)
                        : "{}");
    }

    boolean sameAs(ProposalCallArguments other) {
        return tree().equals(other.tree());
    }

    private Map<String, Object> tree() {
        try (JsonParser parser = StoredJsonParserFactory.create(json.getBytes(StandardCharsets.UTF_8))) {
            parser.nextToken();
            Map<String, Object> tree = object(parser);
            tree.remove("_meta");
            return tree;
        }
    }

    private static Map<String, Object> object(JsonParser parser) {
        var fields = new HashMap<String, Object>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            fields.put(name, value(parser, parser.nextToken()));
        }
        return fields;
    }

    private static Object value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    elements.add(value(parser, next));
                }
                yield elements;
            }
            default -> new Scalar(token, parser.getString());
        };
    }
}
