package dev.gavel.cli.proposal;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;

/** Formats the names of members for people, from a JSON object of display names by id. Stateless. */
public final class MemberNameFormatter {
    private MemberNameFormatter() {}

    /** The display name of a member if it has one, otherwise its id. */
    static String name(Json names, String id) {
        return SafeText.line(names.at(id).asText().orElse(id));
    }

    /** The name of the caller, as the list of topics contains it, with its id if the two differ. */
    public static String ofCaller(Json you) {
        String id = you.at("id").text();
        return nameWithId(Json.object().with(id, you.at("name")), id);
    }

    /** The name of a member, with its id if the two differ. */
    public static String nameWithId(Json names, String id) {
        String name = name(names, id);
        String safeId = SafeText.line(id);
        return name.equals(safeId) || name.endsWith("(" + safeId + ")") ? name : name + " (" + safeId + ")";
    }
}
