package dev.gavel.mcpx.text;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Chooses the names by which texts call people and agents, so that no two of them can be confused. Stateless.
 */
public final class DisplayNames {
    private static final int MAX_CHARACTERS = 64;

    private DisplayNames() {}

    /**
     * Returns the name for each id whose display name differs from the id. A display name that could be taken for
     * another person, or for the reader, is followed by the id.
     *
     * @param displayNamesById the display name of each id, as configured; the id itself if there is none
     */
    public static Map<String, String> distinct(Map<String, String> displayNamesById) {
        Map<String, Integer> uses = new HashMap<>();
        displayNamesById.forEach((id, name) -> {
            uses.merge(comparable(id), 1, Integer::sum);
            if (!comparable(id).equals(comparable(name))) {
                uses.merge(comparable(name), 1, Integer::sum);
            }
        });
        Map<String, String> names = new HashMap<>();
        displayNamesById.forEach((id, name) -> {
            String shown = SafeText.brief(name.strip(), MAX_CHARACTERS);
            if (!shown.equals(id) && !shown.isEmpty()) {
                boolean ambiguous = !shown.equals(name)
                        || uses.getOrDefault(comparable(name), 0) > 1
                        || comparable(name).equals("you")
                        || name.indexOf('(') >= 0;
                names.put(id, ambiguous ? shown + " (" + id + ")" : shown);
            }
        });
        return names;
    }

    private static String comparable(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }
}
