package dev.gavel.mcp.facade.dispatch;

import dev.gavel.mcp.facade.call.CallResponseFactory;
import dev.gavel.mcp.rpc.McpMetaFields;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * Writes a topic's server info, capabilities and instructions into initialize and discover responses. Immutable.
 *
 * @param gavelVersion this program's version
 * @param proposalsEnabled whether calls may become proposals in this topic
 */
public record ServerDescriptionWriter(String topic, String gavelVersion, boolean proposalsEnabled) {
    /** Writes the server's capabilities. */
    public void writeCapabilities(JsonGenerator json, boolean tasks) {
        json.writeObjectPropertyStart("capabilities");
        for (String listName : List.of("tools", "prompts", "resources")) {
            json.writeObjectPropertyStart(listName);
            json.writeBooleanProperty("listChanged", true);
            if (listName.equals("resources")) {
                json.writeBooleanProperty("subscribe", true);
            }
            json.writeEndObject();
        }
        for (String capability : List.of("logging", "completions")) {
            json.writeObjectPropertyStart(capability);
            json.writeEndObject();
        }
        if (tasks && proposalsEnabled) {
            json.writeObjectPropertyStart("extensions");
            json.writeObjectPropertyStart(McpMetaFields.TASKS);
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** Writes the server info as the value of a name that was already written. */
    public void writeServerInfo(JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("name", "gavel");
        json.writeStringProperty("title", "Gavel: " + topic);
        json.writeStringProperty("version", gavelVersion);
        json.writeEndObject();
    }

    /** Writes the instructions for a client's model. */
    public void writeInstructions(JsonGenerator json) {
        if (proposalsEnabled) {
            json.writeStringProperty("instructions", CallResponseFactory.INSTRUCTIONS);
        }
    }
}
