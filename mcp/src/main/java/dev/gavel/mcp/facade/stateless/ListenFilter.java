package dev.gavel.mcp.facade.stateless;

import dev.gavel.mcp.rpc.ListChangedNotification;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * The lists, resources and tasks whose changes a client subscribes to with {@code subscriptions/listen}. Immutable.
 *
 * @param lists the methods of the list-changed notifications
 * @param resources the URIs of the resources
 * @param tasks the ids of the tasks
 */
record ListenFilter(Set<String> lists, List<String> resources, List<String> tasks) {
    /** Limit on resources and on tasks, because each one is checked when a client starts to listen. */
    private static final int MAX_ITEMS = 200;

    ListenFilter {
        lists = Set.copyOf(lists);
        resources = List.copyOf(resources);
        tasks = List.copyOf(tasks);
    }

    /** Reads the filter from a client's request, with no more resources and tasks than the limit allows. */
    static ListenFilter of(Json json) {
        Set<String> lists = new TreeSet<>();
        for (ListChangedNotification change : ListChangedNotification.values()) {
            if (json.at(change.listenFlag()).isTrue()) {
                lists.add(change.notificationMethod());
            }
        }
        return new ListenFilter(lists, textItems(json.at("resourceSubscriptions")), textItems(json.at("taskIds")));
    }

    private static List<String> textItems(Json list) {
        return list.elements().stream()
                .flatMap(each -> each.asText().stream())
                .distinct()
                .limit(MAX_ITEMS)
                .toList();
    }

    void write(JsonGenerator json) {
        json.writeObjectPropertyStart("notifications");
        for (ListChangedNotification change : ListChangedNotification.values()) {
            if (lists.contains(change.notificationMethod())) {
                json.writeBooleanProperty(change.listenFlag(), true);
            }
        }
        write(json, "resourceSubscriptions", resources);
        write(json, "taskIds", tasks);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String name, List<String> items) {
        if (!items.isEmpty()) {
            json.writeArrayPropertyStart(name);
            items.forEach(json::writeString);
            json.writeEndArray();
        }
    }
}
