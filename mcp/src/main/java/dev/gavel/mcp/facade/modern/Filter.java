package dev.gavel.mcp.facade.modern;

import dev.gavel.mcp.rpc.ListChange;
import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.core.JsonGenerator;

/**
 * What a client wants to be told of, or is. Immutable.
 *
 * @param lists the notifications of lists that have changed, by their methods
 * @param resources URIs
 * @param tasks ids
 */
record Filter(Set<String> lists, List<String> resources, List<String> tasks) {
    /** Of resources and of tasks: each is asked about when a client begins to listen. */
    private static final int MOST = 200;

    Filter {
        lists = Set.copyOf(lists);
        resources = List.copyOf(resources);
        tasks = List.copyOf(tasks);
    }

    /** What a client wrote; of resources and tasks no more than one may listen for. */
    static Filter of(Json written) {
        Set<String> lists = new TreeSet<>();
        for (ListChange change : ListChange.values()) {
            if (written.at(change.flag()).isTrue()) {
                lists.add(change.notification());
            }
        }
        return new Filter(lists, some(written.at("resourceSubscriptions")), some(written.at("taskIds")));
    }

    private static List<String> some(Json list) {
        return list.elements().stream()
                .flatMap(each -> each.ifText().stream())
                .distinct()
                .limit(MOST)
                .toList();
    }

    void write(JsonGenerator json) {
        json.writeObjectPropertyStart("notifications");
        for (ListChange change : ListChange.values()) {
            if (lists.contains(change.notification())) {
                json.writeBooleanProperty(change.flag(), true);
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
