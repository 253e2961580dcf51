package dev.gavel.web.console.admin;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Predefined capabilities that an admin can give a new member. */
public enum CapabilityPreset {
    DECIDES(
            "decides everything",
            "makes calls, and approves or rejects what others propose",
            "mcp.request.*",
            "mcpx.*",
            "chat.*"),
    PROPOSES(
            "only proposes",
            "asks for calls, and somebody else decides",
            "mcp.proposal.*",
            "mcpx.withdraw.proposal",
            "chat.*"),
    RUNS(
            "runs calls",
            "offers tools, and answers when they are called",
            "mcp.response.*",
            "mcp.request.notifications/*");

    private final String title;
    private final String meaning;
    private final String capabilities;

    CapabilityPreset(String title, String meaning, String... patterns) {
        this.title = title;
        this.meaning = meaning;
        this.capabilities = String.join("\n", patterns);
    }

    /** The one of that word. */
    public static Optional<CapabilityPreset> of(String word) {
        return Arrays.stream(values()).filter(each -> each.value().equals(word)).findFirst();
    }

    /** What forms call it. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What whoever has it does, in two words. */
    public String title() {
        return title;
    }

    /** The same in a few more. */
    public String meaning() {
        return meaning;
    }

    /** The capabilities, as somebody would write them: one on a line. */
    public String capabilities() {
        return capabilities;
    }
}
