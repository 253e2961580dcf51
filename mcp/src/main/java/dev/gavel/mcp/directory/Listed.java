package dev.gavel.mcp.directory;

import java.util.Arrays;
import java.util.List;

/** What servers list. */
public enum Listed {
    TOOLS("tools/list", "tools", "notifications/tools/list_changed", "name"),
    PROMPTS("prompts/list", "prompts", "notifications/prompts/list_changed", "name"),
    RESOURCES("resources/list", "resources", "notifications/resources/list_changed", "uri"),
    TEMPLATES("resources/templates/list", "resourceTemplates", "notifications/resources/list_changed", "uriTemplate");

    private final String method;
    private final String field;
    private final String changed;
    private final String key;

    Listed(String method, String field, String changed, String key) {
        this.method = method;
        this.field = field;
        this.changed = changed;
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
        return changed;
    }

    /** The member that tells one from the others. */
    public String key() {
        return key;
    }

    /** Those of which a notification says that there are others now. */
    static List<Listed> of(String notification) {
        return Arrays.stream(values())
                .filter(each -> each.changed.equals(notification))
                .toList();
    }
}
