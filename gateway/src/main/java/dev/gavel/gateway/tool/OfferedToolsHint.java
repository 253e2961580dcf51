package dev.gavel.gateway.tool;

import dev.gavel.mcpx.text.NearestNameFinder;
import dev.gavel.mcpx.text.SafeText;
import java.util.Collection;
import java.util.List;

/** Builds the text that lists the offered tools, for the sender of a call whose tool is not offered. Stateless. */
public final class OfferedToolsHint {
    private static final int MAX_NAMES = 10;
    private static final int MAX_NAME_LENGTH = 80;

    private OfferedToolsHint() {}

    /** Returns a sentence that lists the offered tools, those with the most similar names first. */
    public static String describe(String tool, Collection<String> offered) {
        if (offered.isEmpty()) {
            return "You cannot call or propose any tool in this topic.";
        }
        List<String> nearest = NearestNameFinder.sort(tool, offered);
        int more = nearest.size() - MAX_NAMES;
        return "Offered tools: "
                + String.join(
                        ", ",
                        nearest.stream()
                                .limit(MAX_NAMES)
                                .map(name -> SafeText.brief(name, MAX_NAME_LENGTH))
                                .toList())
                + (more > 0 ? " and " + more + " more." : ".");
    }
}
