package dev.gavel.web.console.topic;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * A member of a topic as its page shows it, with capabilities and offered tools. Fit to be shown. Immutable.
 *
 * @param id as it is, to look for
 * @param name as it is shown
 * @param you whether that is the reader
 * @param capabilities what they may send, exactly
 * @param toolViews what they offer
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
     * A tool that somebody offers, as they describe it themselves.
     *
     * @param description empty where there is none
     * @param hints what its server says of it: that it only reads, or destroys something
     */
    public record ToolView(String name, String description, List<ToolHint> hints) {
        public ToolView {
            hints = List.copyOf(hints);
        }
    }

    /** What a tool's server says of it. */
    public record ToolHint(String words, BadgeTone tone) {}

    /** Whether to say that it is the reader: not where their name says so. */
    public boolean showsYou() {
        return you && !name.equals("you");
    }

    /** What their element is called on a page: made of letters and digits only. */
    public String elementId() {
        return "m-" + HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
    }
}
