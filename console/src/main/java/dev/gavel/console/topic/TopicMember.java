package dev.gavel.console.topic;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * A member of a topic, as somebody sees them. Fit to be shown. Immutable.
 *
 * @param id as it is, to look for
 * @param name as it is shown
 * @param you whether that is the reader
 * @param patterns what they may send, exactly
 * @param tools what they offer
 */
public record TopicMember(
        String id,
        String name,
        boolean you,
        boolean here,
        List<Ability> abilities,
        List<String> patterns,
        List<Tool> tools) {
    public TopicMember {
        abilities = List.copyOf(abilities);
        patterns = List.copyOf(patterns);
        tools = List.copyOf(tools);
    }

    /**
     * A tool that somebody offers, as they describe it themselves.
     *
     * @param description empty where there is none
     * @param hints what its server says of it: that it only reads, or destroys something
     */
    public record Tool(String name, String description, List<Hint> hints) {
        public Tool {
            hints = List.copyOf(hints);
        }
    }

    /** What a tool's server says of it. */
    public record Hint(String words, Tone tone) {}

    /** Whether to say that it is the reader: not where their name says so. */
    public boolean marked() {
        return you && !name.equals("you");
    }

    /** What their element is called on a page: made of letters and digits only. */
    public String key() {
        return "m-" + HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
    }
}
