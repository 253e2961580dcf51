package dev.gavel.mcpx;

import tools.jackson.core.JsonGenerator;

/**
 * A member that is connected, as others are told of it. Immutable.
 *
 * @param id who
 * @param capabilities what it may send
 */
public record Participant(String id, Capabilities capabilities) {
    /** As a JSON object, the way system envelopes show it. */
    public byte[] toJson() {
        return JsonText.write(generator -> write(generator, Spelling.CURRENT));
    }

    void write(JsonGenerator generator, Spelling spelling) {
        generator.writeStartObject();
        generator.writeStringProperty("id", id);
        generator.writeName("capabilities");
        CapabilitiesJson.write(generator, capabilities, spelling);
        generator.writeEndObject();
    }
}
