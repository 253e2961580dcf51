package dev.gavel.mcp.facade;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;
import java.util.List;

/** What a client is told first: the version, what there is, and how to deal with it. Stateless. */
final class Greeting {
    private Greeting() {}

    /**
     * The answer to {@code initialize}.
     *
     * @param program this program's version
     * @param proposals whether calls may become proposals here
     */
    static Message answer(String id, Json params, String topic, String program, boolean proposals) {
        Version version = Version.of(params.at("protocolVersion").text()).orElse(Version.NEWEST);
        return Answers.result(id, json -> {
            json.writeStringProperty("protocolVersion", version.date());
            json.writeObjectPropertyStart("capabilities");
            for (String listing : List.of("tools", "prompts", "resources")) {
                json.writeObjectPropertyStart(listing);
                json.writeBooleanProperty("listChanged", true);
                if (listing.equals("resources")) {
                    json.writeBooleanProperty("subscribe", true);
                }
                json.writeEndObject();
            }
            for (String also : List.of("logging", "completions")) {
                json.writeObjectPropertyStart(also);
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeObjectPropertyStart("serverInfo");
            json.writeStringProperty("name", "gavel");
            json.writeStringProperty("title", "Gavel: " + topic);
            json.writeStringProperty("version", program);
            json.writeEndObject();
            if (proposals) {
                json.writeStringProperty("instructions", Words.INSTRUCTIONS);
            }
        });
    }
}
