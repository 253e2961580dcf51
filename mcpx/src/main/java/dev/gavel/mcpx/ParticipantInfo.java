package dev.gavel.mcpx;

import tools.jackson.core.JsonGenerator;

/**
 * A participant's id and capabilities, as welcome and presence messages contain them. Immutable.
 *
 * @param id the member id of the participant
 * @param capabilitySet what it may send
 */
public record ParticipantInfo(String id, CapabilitySet capabilitySet) {
    /** Returns the JSON object that system messages contain, in the current syntax. */
    public byte[] toJson() {
        return JsonByteWriter.write(generator -> write(generator, EnvelopeSyntax.CURRENT));
    }

    void write(JsonGenerator generator, EnvelopeSyntax syntaxVersion) {
        generator.writeStartObject();
        generator.writeStringProperty("id", id);
        generator.writeName("capabilities");
        CapabilityJsonCodec.write(generator, capabilitySet, syntaxVersion);
        generator.writeEndObject();
    }
}
