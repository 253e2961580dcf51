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

    /** Returns the method that requests the list. */
    public String method() {
        return method;
    }

    /** Returns the field of the result that holds the list. */
    public String resultField() {
        return field;
    }

    /** Returns the method of the notification that the list has changed. */
    public String changedNotification() {
        return change.notificationMethod();
    }

    /** Returns the field that identifies an entry within the list. */
    public String keyField() {
        return key;
    }

    /** Returns the lists that a notification reports as changed. */
    static List<McpListType> byNotification(String notification) {
        return Arrays.stream(values())
                .filter(each -> each.changedNotification().equals(notification))
                .toList();
    }
}
