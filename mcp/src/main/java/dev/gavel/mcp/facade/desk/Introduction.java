package dev.gavel.mcp.facade.desk;

import dev.gavel.mcp.facade.call.Words;
import dev.gavel.mcp.rpc.Meta;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * What a client is told of a topic first: who answers, what there is, and how to deal with it. Immutable.
 *
 * @param program this program's version
 * @param proposals whether calls may become proposals here
 */
public record Introduction(String topic, String program, boolean proposals) {
    /** Writes what this server can do. */
    public void writeCapabilities(JsonGenerator json, boolean tasks) {
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
        if (tasks && proposals) {
            json.writeObjectPropertyStart("extensions");
            json.writeObjectPropertyStart(Meta.TASKS);
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Writes who this server is, as a value under a name that was written already. */
    public void writeServer(JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("name", "gavel");
        json.writeStringProperty("title", "Gavel: " + topic);
        json.writeStringProperty("version", program);
        json.writeEndObject();
    }

    /** Writes what a model is to know. */
    public void writeInstructions(JsonGenerator json) {
        if (proposals) {
            json.writeStringProperty("instructions", Words.INSTRUCTIONS);
        }
    }
}
