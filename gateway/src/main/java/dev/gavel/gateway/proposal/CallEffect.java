package dev.gavel.gateway.proposal;

import dev.gavel.mcpx.json.Json;

/** What a call can do, according to the participants that offer its tool. Ordered from harmless to unknown. */
public enum CallEffect {
    READ_ONLY("read-only"),
    ADDITIVE("additive"),
    DESTRUCTIVE("destructive"),
    /** No connected participant lists the tool. */
    UNKNOWN("unknown");

    private final String label;

    CallEffect(String label) {
        this.label = label;
    }

    /** The name of the effect in JSON. */
    public String label() {
        return label;
    }

    /**
     * Returns the effect that a tool's annotations claim. Follows MCP: a tool is destructive unless its annotations say
     * otherwise. If they contradict each other, the worse claim counts.
     */
    public static CallEffect ofAnnotations(Json annotations) {
        Json destructive = annotations.at("destructiveHint");
        if (annotations.at("readOnlyHint").isTrue() && !destructive.isTrue()) {
            return READ_ONLY;
        }
        return destructive.type() == Json.Type.BOOLEAN && !destructive.isTrue() ? ADDITIVE : DESTRUCTIVE;
    }
}
