package dev.gavel.web.console.admin;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Predefined capabilities that an admin can give a new member. */
public enum CapabilityPreset {
    DECIDES("Reviewer", "Makes calls, and approves or rejects proposals.", "mcp.request.*", "mcpx.*", "chat.*"),
    PROPOSES(
            "Proposer",
            "Proposes calls for reviewers to decide.",
            "mcp.proposal.*",
            "mcpx.withdraw.proposal",
            "chat.*"),
    RUNS("Server", "Offers tools and runs calls.", "mcp.response.*", "mcp.request.notifications/*");

    private final String title;
    private final String meaning;
    private final String capabilities;

    CapabilityPreset(String title, String meaning, String... patterns) {
        this.title = title;
        this.meaning = meaning;
        this.capabilities = String.join("\n", patterns);
    }

    /** Returns the preset with this form value. */
    public static Optional<CapabilityPreset> of(String word) {
        return Arrays.stream(values()).filter(each -> each.value().equals(word)).findFirst();
    }

    /** The value of the preset in forms. */
    public String value() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a member with this preset does, in two words. */
    public String title() {
        return title;
    }

    /** What a member with this preset does, in a short phrase. */
    public String meaning() {
        return meaning;
    }

    /** The capabilities as an admin would enter them, one per line. */
    public String capabilities() {
        return capabilities;
    }
}
