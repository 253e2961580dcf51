package dev.gavel.console.topic;

import dev.gavel.console.topic.TopicMember.Hint;
import dev.gavel.console.topic.TopicMember.Tool;
import dev.gavel.gateway.Member;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Shows the members of a topic to one of them, or to an admin. What they say of themselves is untrusted. Stateless. */
public final class People {
    /** Nobody reads through more; they are there all the same. */
    private static final int MOST_TOOLS = 100;

    private static final int BRIEF = 300;

    private People() {}

    /**
     * The members, those who are here first, the reader before all others.
     *
     * @param here the ids of those who are connected
     * @param tools what somebody offers, by name, as they describe it
     */
    public static List<TopicMember> of(
            List<Member> members, Set<String> here, Function<String, Map<String, Json>> tools, String reader) {
        return members.stream()
                .map(member -> new TopicMember(
                        member.id(),
                        SafeText.line(member.id()),
                        member.id().equals(reader),
                        here.contains(member.id()),
                        Ability.of(member.capabilities()),
                        member.capabilities().asList().stream()
                                .map(People::pattern)
                                .toList(),
                        tools(tools.apply(member.id()))))
                .sorted(Comparator.comparing((TopicMember person) -> !person.here())
                        .thenComparing(person -> !person.you())
                        .thenComparing(TopicMember::id))
                .toList();
    }

    private static String pattern(Capability capability) {
        if (capability.payload() == null) {
            return SafeText.line(capability.kind(Spelling.CURRENT));
        }
        String all = new String(Capabilities.of(List.of(capability)).toJson(Spelling.CURRENT), StandardCharsets.UTF_8);
        // The array of this one alone.
        return SafeText.json(all.substring(1, all.length() - 1));
    }

    private static List<Tool> tools(Map<String, Json> offered) {
        return offered.entrySet().stream()
                .limit(MOST_TOOLS)
                .map(each -> new Tool(
                        SafeText.brief(each.getKey(), BRIEF),
                        SafeText.brief(each.getValue().at("description").text().strip(), BRIEF),
                        hints(each.getValue().at("annotations"))))
                .toList();
    }

    private static List<Hint> hints(Json annotations) {
        List<Hint> hints = new ArrayList<>();
        if (annotations.at("readOnlyHint").isTrue()) {
            hints.add(new Hint("only reads", Tone.QUIET));
        } else if (annotations.at("destructiveHint").isTrue()) {
            hints.add(new Hint("may destroy", Tone.BAD));
        }
        if (annotations.at("openWorldHint").isTrue()) {
            hints.add(new Hint("reaches outside", Tone.QUIET));
        }
        return hints;
    }
}
