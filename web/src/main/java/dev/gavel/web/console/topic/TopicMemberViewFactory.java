package dev.gavel.web.console.topic;

import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.topic.TopicMemberView.ToolHint;
import dev.gavel.web.console.topic.TopicMemberView.ToolView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Creates the member list of a topic page, with presence, capabilities and offered tools. What members state about
 * themselves is untrusted input. Stateless.
 */
public final class TopicMemberViewFactory {
    /** The page lists at most this many tools of a member; the others exist all the same. */
    private static final int MAX_TOOLS = 100;

    private static final int MAX_TEXT_LENGTH = 300;

    private TopicMemberViewFactory() {}

    /**
     * Returns the members: connected members first, and the reader first in each group.
     *
     * @param connectedIds the ids of the connected members
     * @param tools returns the tools that a member offers, by name, as the member describes them
     */
    public static List<TopicMemberView> create(
            List<Member> members,
            MemberNames names,
            Set<String> connectedIds,
            Function<String, Map<String, Json>> tools,
            String reader) {
        return members.stream()
                .map(member -> new TopicMemberView(
                        member.id(),
                        SafeText.line(names.of(member.id())),
                        member.id().equals(reader),
                        connectedIds.contains(member.id()),
                        CapabilityLabel.of(member.capabilitySet()),
                        member.capabilitySet().asList().stream()
                                .map(TopicMemberViewFactory::pattern)
                                .toList(),
                        tools(tools.apply(member.id()))))
                .sorted(Comparator.comparing((TopicMemberView person) -> !person.connected())
                        .thenComparing(person -> !person.you())
                        .thenComparing(TopicMemberView::id))
                .toList();
    }

    private static String pattern(Capability capability) {
        if (capability.payload() == null) {
            return SafeText.line(capability.kind(EnvelopeSyntax.CURRENT));
        }
        String all = new String(
                CapabilitySet.of(List.of(capability)).toJson(EnvelopeSyntax.CURRENT), StandardCharsets.UTF_8);
        // The JSON array has only this element; this removes the brackets.
        return SafeText.json(all.substring(1, all.length() - 1));
    }

    private static List<ToolView> tools(Map<String, Json> offered) {
        return offered.entrySet().stream()
                .limit(MAX_TOOLS)
                .map(each -> new ToolView(
                        SafeText.brief(each.getKey(), MAX_TEXT_LENGTH),
                        SafeText.brief(each.getValue().at("description").text().strip(), MAX_TEXT_LENGTH),
                        hints(each.getValue().at("annotations"))))
                .toList();
    }

    private static List<ToolHint> hints(Json annotations) {
        List<ToolHint> hints = new ArrayList<>();
        if (annotations.at("readOnlyHint").isTrue()) {
            hints.add(new ToolHint("read-only", BadgeTone.QUIET));
        } else if (annotations.at("destructiveHint").isTrue()) {
            hints.add(new ToolHint("destructive", BadgeTone.BAD));
        }
        if (annotations.at("openWorldHint").isTrue()) {
            hints.add(new ToolHint("external access", BadgeTone.QUIET));
        }
        return hints;
    }
}
