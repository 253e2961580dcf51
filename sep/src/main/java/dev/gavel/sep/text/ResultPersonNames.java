package dev.gavel.sep.text;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Formats the people of a SEP result by their names. Results contain ids, and the names of the people whose name differs
 * from the id. Immutable.
 *
 * @param names the names by id
 */
record ResultPersonNames(Json names) {
    static ResultPersonNames of(Json result) {
        return new ResultPersonNames(result.at("names"));
    }

    /** Returns the name of a person, or the id if the person has no other name. */
    String name(Json id) {
        return SafeText.line(names.at(id.text()).asText().orElse(id.text()));
    }

    /** Returns the names separated by commas, or {@link ResultFieldFormatter#NONE}. */
    String names(Json ids) {
        List<Json> all = ids.elements();
        return all.isEmpty()
                ? ResultFieldFormatter.NONE
                : all.stream().map(this::name).collect(Collectors.joining(", "));
    }

    /** Returns those who must act, each with the role in which they must act. */
    String requiredActors(Json mustAct) {
        List<Json> all = mustAct.elements();
        return all.isEmpty() ? "no one" : all.stream().map(this::requiredActor).collect(Collectors.joining("; "));
    }

    private String requiredActor(Json actor) {
        String who = name(actor.at("who"));
        String as = ResultFieldFormatter.singleLine(actor.at("as"));
        String since =
                actor.at("since").asText().isPresent() ? ", since " + ResultFieldFormatter.day(actor.at("since")) : "";
        return (as.isEmpty() || as.equals(who) ? who : who + " (" + as + ")") + since;
    }

    /** Returns the names of those who must act, without their roles. */
    String requiredActorNames(Json mustAct) {
        List<Json> all = mustAct.elements();
        return all.isEmpty()
                ? ResultFieldFormatter.NONE
                : all.stream().map(this::party).distinct().collect(Collectors.joining(", "));
    }

    /** Returns the parties, which are texts or objects with a {@code who}. */
    String parties(Json parties) {
        List<Json> all = parties.elements();
        return all.isEmpty() ? "no one" : all.stream().map(this::party).collect(Collectors.joining(", "));
    }

    private String party(Json party) {
        return name(party.type() == Json.Type.OBJECT ? party.at("who") : party);
    }
}
