package dev.gavel.web.console.topic;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * A member as the topic's page shows it, with the member's capabilities and offered tools. All texts but {@code id} are
 * sanitized for display. Immutable.
 *
 * @param id the id without changes, for filtering
 * @param name the name by which texts call the member, sanitized for display
 * @param you whether the member is the reader
 * @param capabilities the exact capability patterns
 * @param toolViews the tools that the member offers
 */
public record TopicMemberView(
        String id,
        String name,
        boolean you,
        boolean connected,
        List<CapabilityLabel> labels,
        List<String> capabilities,
        List<ToolView> toolViews) {
    public TopicMemberView {
        labels = List.copyOf(labels);
        capabilities = List.copyOf(capabilities);
        toolViews = List.copyOf(toolViews);
    }

    /**
     * A tool as the member that offers it describes it.
     *
     * @param description empty if there is none
     * @param hints the annotations by the tool's server: that the tool only reads, or may destroy something
     */
    public record ToolView(String name, String description, List<ToolHint> hints) {
        public ToolView {
            hints = List.copyOf(hints);
        }
    }

    /** An annotation of a tool, as text. */
    public record ToolHint(String text, BadgeTone tone) {}

    /** Whether to mark the member as the reader; not if the member's name is already "you". */
    public boolean showsYou() {
        return you && !name.equals("you");
    }

    /** The id of the member's element on a page: letters, digits and a dash only. */
    public String elementId() {
        return "m-" + HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
    }
}
