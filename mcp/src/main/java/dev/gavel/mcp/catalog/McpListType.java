package dev.gavel.mcp.catalog;

import dev.gavel.mcp.rpc.ListChangedNotification;
import java.util.Arrays;
import java.util.List;

/** The lists that MCP servers offer: tools, prompts, resources and resource templates. */
public enum McpListType {
    TOOLS("tools/list", "tools", ListChangedNotification.TOOLS, "name"),
    PROMPTS("prompts/list", "prompts", ListChangedNotification.PROMPTS, "name"),
    RESOURCES("resources/list", "resources", ListChangedNotification.RESOURCES, "uri"),
    TEMPLATES("resources/templates/list", "resourceTemplates", ListChangedNotification.RESOURCES, "uriTemplate");

    private final String method;
    private final String field;
    private final ListChangedNotification change;
    private final String key;

    McpListType(String method, String field, ListChangedNotification change, String key) {
        this.method = method;
        this.field = field;
        this.change = change;
        this.key = key;
    }

    /** The method that lists them. */
    public String method() {
        return method;
    }

    /** The member of the answer that holds them. */
    public String resultField() {
        return field;
    }

    /** The notification that says there are others now. */
    public String changedNotification() {
        return change.notificationMethod();
    }

    /** The member that tells one from the others. */
    public String keyField() {
        return key;
    }

    /** Those of which a notification says that there are others now. */
    static List<McpListType> byNotification(String notification) {
        return Arrays.stream(values())
                .filter(each -> each.changedNotification().equals(notification))
                .toList();
    }
}
