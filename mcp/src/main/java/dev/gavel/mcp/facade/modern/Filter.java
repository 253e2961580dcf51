package dev.gavel.mcp.facade.modern;

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

    private static final List<Flag> FLAGS = List.of(
            new Flag("toolsListChanged", "notifications/tools/list_changed"),
            new Flag("promptsListChanged", "notifications/prompts/list_changed"),
            new Flag("resourcesListChanged", "notifications/resources/list_changed"));

    private record Flag(String name, String method) {}

    Filter {
        lists = Set.copyOf(lists);
        resources = List.copyOf(resources);
        tasks = List.copyOf(tasks);
    }

    /** What a client wrote; of resources and tasks no more than one may listen for. */
    static Filter of(Json written) {
        Set<String> lists = new TreeSet<>();
        FLAGS.stream().filter(flag -> written.at(flag.name()).isTrue()).forEach(flag -> lists.add(flag.method()));
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
        FLAGS.stream()
                .filter(flag -> lists.contains(flag.method()))
                .forEach(flag -> json.writeBooleanProperty(flag.name(), true));
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
