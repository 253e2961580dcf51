package dev.gavel.mcp.relay;

import dev.gavel.mcp.rpc.ListChangedNotification;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An MCP server's answer to a {@code subscriptions/listen} request: which list, resource and task changes it agreed to
 * report. Immutable.
 *
 * @param lists the lists whose changes are reported
 * @param resources the URIs of the subscribed resources
 * @param tasks the ids of the subscribed tasks
 */
record ListenAcknowledgement(Set<ListChangedNotification> lists, Set<String> resources, Set<String> tasks) {
    /** Reads the contents of an acknowledgement. */
    static ListenAcknowledgement fromAcknowledgement(RpcMessage.Notification acknowledgement) {
        Json notifications = acknowledgement
                .params()
                .flatMap(raw -> RawJsonEditor.at(raw, "notifications"))
                .flatMap(Json::parse)
                .orElseGet(Json::object);
        Set<ListChangedNotification> lists = EnumSet.allOf(ListChangedNotification.class);
        lists.removeIf(list -> !notifications.at(list.listenFlag()).isTrue());
        return new ListenAcknowledgement(
                lists,
                new LinkedHashSet<>(notifications.at("resourceSubscriptions").texts()),
                new LinkedHashSet<>(notifications.at("taskIds").texts()));
    }

    /**
     * Returns the notifications for a client that may have missed some. The server itself reports the state of tasks
     * again.
     */
    List<RpcMessage.Notification> missedNotifications(String subscription) {
        String meta = "\"" + McpMetaFields.META + "\":{"
                + Json.ofText(McpMetaFields.SUBSCRIPTION).raw() + ":" + subscription + "}";
        List<RpcMessage.Notification> missed = new ArrayList<>();
        lists.forEach(list ->
                missed.add(new RpcMessage.Notification(list.notificationMethod(), Optional.of("{" + meta + "}"))));
        resources.forEach(uri -> missed.add(new RpcMessage.Notification(
                "notifications/resources/updated",
                Optional.of("{\"uri\":" + Json.ofText(uri).raw() + "," + meta + "}"))));
        return missed;
    }
}
