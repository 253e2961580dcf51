package dev.gavel.console.topic;

import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What somebody may do in a topic, in words: the patterns themselves say it exactly, to whoever can read them. Immutable.
 *
 * @param words short, after a name: "proposes calls"
 * @param meaning what that lets them do
 */
public record Ability(String words, String meaning) {
    private static final List<String> METHODS = List.of("tools/call", "prompts/get", "resources/read");

    /** Nothing has this name, so that what covers it covers everything. */
    private static final String ANYTHING = "\u0000";

    /** What these capabilities let somebody do, the most telling first. */
    public static List<Ability> of(Capabilities capabilities) {
        List<Ability> abilities = new ArrayList<>();
        requests(capabilities, abilities);
        if (capabilities.admitsKind(Kind.of("mcpx.reject.proposal"))) {
            abilities.add(new Ability("rejects", "may turn down what others propose, with a reason"));
        }
        calls(capabilities, "proposal", "proposes", "may propose calls, for others to decide", abilities);
        calls(capabilities, "response", "runs", "may run calls that are sent to it, and answer them", abilities);
        if (capabilities.admitsKind(Kind.of("chat.message"))) {
            abilities.add(new Ability("chats", "may talk to everybody here"));
        }
        if (abilities.isEmpty()) {
            abilities.add(
                    capabilities.asList().isEmpty()
                            ? new Ability("only listens", "may send nothing")
                            : new Ability("sends other things", "see the patterns"));
        }
        return abilities;
    }

    /** Who may make a few calls only has them to work with; to speak of approving would say that it decides for itself. */
    private static void requests(Capabilities capabilities, List<Ability> abilities) {
        List<Kind> kinds = kinds("request");
        if (capabilities.admitsAnyPayload(kinds.getFirst().withContext(ANYTHING))) {
            abilities.add(new Ability("approves calls", "may make calls, and by that approve what others propose"));
        } else if (kinds.stream().anyMatch(capabilities::admitsKind)) {
            abilities.add(
                    new Ability(
                            capabilities.admitsKind(kinds.getFirst())
                                    ? "calls some tools directly"
                                    : "makes some calls directly",
                            "may make certain calls without a proposal, and approve proposals of just these; see the patterns"));
        }
    }

    private static List<Kind> kinds(String operation) {
        return METHODS.stream()
                .map(method -> new Kind("mcp", operation, method, null))
                .toList();
    }

    private static void calls(
            Capabilities capabilities, String operation, String verb, String meaning, List<Ability> abilities) {
        List<Kind> kinds = kinds(operation);
        boolean all = capabilities.admitsAnyPayload(kinds.getFirst().withContext(ANYTHING));
        if (all) {
            abilities.add(new Ability(verb + " calls", meaning));
        } else if (kinds.stream().anyMatch(capabilities::admitsKind)) {
            abilities.add(new Ability(verb + " some calls", meaning + "; not all, see the patterns"));
        }
    }
}
