package dev.gavel.mcp.rpc;

/**
 * The MCP list-changed notifications for tools, prompts and resources, with the capability and the {@code
 * subscriptions/listen} flag of each.
 */
public enum ListChangedNotification {
    TOOLS("tools"),
    PROMPTS("prompts"),
    RESOURCES("resources");

    private final String capability;

    ListChangedNotification(String capability) {
        this.capability = capability;
    }

    /** Returns the capability that a server with such a list declares. */
    public String capability() {
        return capability;
    }

    /** Returns the flag that a client sets to receive the notification. */
    public String listenFlag() {
        return capability + "ListChanged";
    }

    /** Returns the method of the notification. */
    public String notificationMethod() {
        return "notifications/" + capability + "/list_changed";
    }
}
