package dev.gavel.sep.process;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * The state and role names of the last adopted process, kept in the ledger so that a changed process file can be
 * checked against them. Immutable.
 *
 * @param states the names of its states
 * @param heldRoles the names of the roles that people hold in a single SEP
 */
public record AdoptedProcessRecord(String name, List<String> states, List<String> heldRoles) {
    public AdoptedProcessRecord {
        states = List.copyOf(states);
        heldRoles = List.copyOf(heldRoles);
    }

    /** Returns the record of a process. */
    public static AdoptedProcessRecord of(ProcessDefinition processDefinition) {
        return new AdoptedProcessRecord(
                processDefinition.name(),
                List.copyOf(processDefinition.states().keySet()),
                processDefinition.roles().values().stream()
                        .filter(Role.ProposalRole.class::isInstance)
                        .map(Role::name)
                        .toList());
    }

    /** Reads the output of {@link #toJson}; empty for anything else. */
    public static Optional<AdoptedProcessRecord> of(Json json) {
        Optional<String> name = json.at("name").asText();
        List<String> states = json.at("states").texts();
        return states.isEmpty()
                ? Optional.empty()
                : name.map(word -> new AdoptedProcessRecord(
                        word, states, json.at("heldRoles").texts()));
    }

    /** Returns the record as it is stored in the ledger. */
    public Json toJson() {
        return Json.write(json -> {
            json.writeStartObject().writeStringProperty("name", name);
            json.writeArrayPropertyStart("states");
            states.forEach(json::writeString);
            json.writeEndArray();
            json.writeArrayPropertyStart("heldRoles");
            heldRoles.forEach(json::writeString);
            json.writeEndArray().writeEndObject();
        });
    }
}
