package dev.gavel.mcp.rpc;

/**
 * The MCP notifications that a list of tools, prompts or resources changed, each with its server capability and {@code
 * subscriptions/listen} flag.
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
