package dev.gavel.web.console.sep;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What a SEP page needs to be built: the reader's id and roles, the process definition, the current time and the
 * names of people. Immutable.
 *
 * @param roles the roles that the reader's credential grants
 * @param names the names of people whose name differs from the id, by id
 */
public record SepPageContext(
        ProcessDefinition processDefinition, String id, Set<String> roles, Instant now, Json names) {
    public SepPageContext {
        roles = Set.copyOf(roles);
    }

    public SepPageContext(ProcessDefinition processDefinition, String id, Set<String> roles, Instant now) {
        this(processDefinition, id, roles, now, Json.object());
    }

    /** Returns the context with the names that a result of the SEP service contains. */
    SepPageContext withNamesOf(Json result) {
        return new SepPageContext(processDefinition, id, roles, now, result.at("names"));
    }

    /** Returns the name of a person. */
    String personName(String personId) {
        return SafeText.line(names.at(personId).asText().orElse(personId));
    }

    /** The colour of a state's name: by whether an action is required, possible or impossible in that state. */
    public String tone(String state) {
        StateDefinition found = processDefinition.states().get(state);
        if (found == null || found.isEnd()) {
            return "";
        }
        if (found.isOpen()) {
            return "info";
        }
        return canReopen(state) ? "warn" : "good";
    }

    /** Whether a move leads from this settled state to an open one. */
    private boolean canReopen(String state) {
        return processDefinition.movesFrom(state).stream()
                .anyMatch(moveDefinition ->
                        processDefinition.state(moveDefinition.to()).isOpen());
    }

    /** Whether a state requires an action. */
    public boolean isOpen(String state) {
        StateDefinition found = processDefinition.states().get(state);
        return found != null && found.isOpen();
    }

    /** Returns the title of a role, or the name of a person. */
    String displayName(String who) {
        return processDefinition.roles().containsKey(who) ? processDefinition.title(who) : personName(who);
    }

    List<SepRequiredActor> requiredActors(Json mustAct) {
        return mustAct.elements().stream().map(this::requiredActor).toList();
    }

    private SepRequiredActor requiredActor(Json json) {
        String who = json.at("who").text();
        String as = json.at("as").text();
        // The service names a role by its name in both fields, and a person by login.
        boolean role = who.equals(as) && processDefinition.roles().get(who) instanceof Role.ActorRole;
        return new SepRequiredActor(
                role ? processDefinition.title(who) : personName(who),
                role ? "" : processDefinition.title(as),
                role ? processDefinition.expandActorRoles(List.copyOf(roles)).contains(who) : who.equalsIgnoreCase(id),
                Instant.parse(json.at("since").text()),
                SafeText.line(json.at("nextStep").text()));
    }
}
