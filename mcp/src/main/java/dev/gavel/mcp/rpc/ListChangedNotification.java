package dev.gavel.mcp.rpc;

/**
 * Names the MCP list-changed notifications for tools, prompts and resources, with the capability and the listen flag of
 * each.
 */
public enum ListChangedNotification {
    TOOLS("tools"),
    PROMPTS("prompts"),
    RESOURCES("resources");

    private final String capability;

    ListChangedNotification(String capability) {
        this.capability = capability;
    }

    /** What a server declares that has such a list. */
    public String capability() {
        return capability;
    }

    /** What a client sets that wants to hear of it. */
    public String listenFlag() {
        return capability + "ListChanged";
    }

    /** The notification that says so. */
    public String notificationMethod() {
        return "notifications/" + capability + "/list_changed";
    }
}
