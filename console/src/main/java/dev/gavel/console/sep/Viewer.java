package dev.gavel.console.sep;

import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.Role;
import dev.gavel.lifecycle.process.State;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Whoever reads a page about SEPs, what process these go by, and when it is. Immutable.
 *
 * @param roles those their credential says they have
 */
public record Viewer(Process process, String id, Set<String> roles, Instant now) {
    public Viewer {
        roles = Set.copyOf(roles);
    }

    /** How a state's name is coloured: by whether anything must, can or cannot happen there. */
    public String tone(String state) {
        State found = process.states().get(state);
        if (found == null || found.end()) {
            return "";
        }
        if (found.open()) {
            return "info";
        }
        return wakes(state) ? "warn" : "good";
    }

    /** Whether it may go on from a state in which nobody must act. */
    private boolean wakes(String state) {
        return process.movesFrom(state).stream()
                .anyMatch(move -> process.state(move.to()).open());
    }

    /** Whether somebody must act in a state. */
    public boolean open(String state) {
        State found = process.states().get(state);
        return found != null && found.open();
    }

    /** What people call a person, or somebody of a role. */
    String called(String who) {
        return process.roles().containsKey(who) ? process.title(who) : SafeText.line(who);
    }

    /** Those who must act. */
    List<Holder> holders(Json mustAct) {
        return mustAct.elements().stream().map(this::holder).toList();
    }

    private Holder holder(Json json) {
        String who = json.at("who").text();
        String as = json.at("as").text();
        // Somebody of a role is named by it, and a person by their login.
        boolean role = who.equals(as) && process.roles().get(who) instanceof Role.Brought;
        return new Holder(
                role ? process.title(who) : SafeText.line(who),
                role ? "" : process.title(as),
                role ? process.brought(List.copyOf(roles)).contains(who) : who.equalsIgnoreCase(id),
                Instant.parse(json.at("since").text()),
                SafeText.line(json.at("nextStep").text()));
    }
}
