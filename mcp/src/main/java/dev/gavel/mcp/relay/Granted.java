package dev.gavel.mcp.relay;

import dev.gavel.mcp.rpc.ListChange;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a server said it would tell a client of; two are the same whatever the order. Immutable.
 *
 * @param lists those whose changes are told
 * @param resources URIs
 * @param tasks ids
 */
record Granted(Set<ListChange> lists, Set<String> resources, Set<String> tasks) {
    /** As an acknowledgement has it. */
    static Granted by(Message.Notification acknowledgement) {
        Json said = acknowledgement
                .params()
                .flatMap(raw -> RawJson.at(raw, "notifications"))
                .flatMap(Json::parse)
                .orElseGet(Json::object);
        Set<ListChange> lists = EnumSet.allOf(ListChange.class);
        lists.removeIf(list -> !said.at(list.flag()).isTrue());
        return new Granted(
                lists,
                new LinkedHashSet<>(said.at("resourceSubscriptions").texts()),
                new LinkedHashSet<>(said.at("taskIds").texts()));
    }

    /** What a client is told that may have missed some of it; how its tasks stand the server says by itself. */
    List<Message.Notification> missed(String subscription) {
        String meta = "\"" + Meta.META + "\":{" + Json.ofText(Meta.SUBSCRIPTION).raw() + ":" + subscription + "}";
        List<Message.Notification> missed = new ArrayList<>();
        lists.forEach(list -> missed.add(new Message.Notification(list.notification(), Optional.of("{" + meta + "}"))));
        resources.forEach(uri -> missed.add(new Message.Notification(
                "notifications/resources/updated",
                Optional.of("{\"uri\":" + Json.ofText(uri).raw() + "," + meta + "}"))));
        return missed;
    }
}
