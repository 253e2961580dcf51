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
 * @param lists the notifications of lists that have changed, by their methods
 * @param resources URIs
 * @param tasks ids
 */
record ListenFilter(Set<String> lists, List<String> resources, List<String> tasks) {
    /** Of resources and of tasks: each is asked about when a client begins to listen. */
    private static final int MAX_ITEMS = 200;

    ListenFilter {
        lists = Set.copyOf(lists);
        resources = List.copyOf(resources);
        tasks = List.copyOf(tasks);
    }

    /** What a client wrote; of resources and tasks no more than one may listen for. */
    static ListenFilter of(Json written) {
        Set<String> lists = new TreeSet<>();
        for (ListChangedNotification change : ListChangedNotification.values()) {
            if (written.at(change.listenFlag()).isTrue()) {
                lists.add(change.notificationMethod());
            }
        }
        return new ListenFilter(
                lists, textItems(written.at("resourceSubscriptions")), textItems(written.at("taskIds")));
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

    private static void write(JsonGenerator json, String name, List<String> some) {
        if (!some.isEmpty()) {
            json.writeArrayPropertyStart(name);
            some.forEach(json::writeString);
            json.writeEndArray();
        }
    }
}
