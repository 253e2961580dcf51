package dev.gavel.mcp.directory;

import dev.gavel.mcp.rpc.ListChange;
import java.util.Arrays;
import java.util.List;

/** What servers list. */
public enum Listed {
    TOOLS("tools/list", "tools", ListChange.TOOLS, "name"),
    PROMPTS("prompts/list", "prompts", ListChange.PROMPTS, "name"),
    RESOURCES("resources/list", "resources", ListChange.RESOURCES, "uri"),
    TEMPLATES("resources/templates/list", "resourceTemplates", ListChange.RESOURCES, "uriTemplate");

    private final String method;
    private final String field;
    private final ListChange change;
    private final String key;

    Listed(String method, String field, ListChange change, String key) {
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
    public String field() {
        return field;
    }

    /** The notification that says there are others now. */
    public String changed() {
        return change.notification();
    }

    /** The member that tells one from the others. */
    public String key() {
        return key;
    }

    /** Those of which a notification says that there are others now. */
    static List<Listed> of(String notification) {
        return Arrays.stream(values())
                .filter(each -> each.changed().equals(notification))
                .toList();
    }
}
