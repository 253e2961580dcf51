package dev.gavel.mcp.facade.modern;

import dev.gavel.gateway.Topic;
import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Gathering;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.desk.Desk;
import dev.gavel.mcp.facade.desk.Subscriptions;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** A client that listens: it is told of what it asked for, until it or we end it. Confined to the topic's loop. */
final class Listening {
    /** How long servers have to agree to tell of a resource, and the ledger to say whose a task is. */
    private static final long AGREE_MILLIS = 5_000;

    private final Open request;
    private final Room room;
    private final Tasks tasks;
    private final Subscriptions subscriptions;
    private final Topic.Attending attending;
    private final Gathering changes;

    /** Those that their servers have agreed to tell of. */
    private final Set<String> resources = new LinkedHashSet<>();

    private final Set<String> watched = new LinkedHashSet<>();

    /** What was told last of each: nothing is told twice, and nothing after what came later. */
    private final Map<String, Task> told = new HashMap<>();

    private final List<Aside> asides = new ArrayList<>();
    private Set<String> lists = Set.of();
    private int asked;
    private boolean acknowledged;

    Listening(Open request, Desk desk, Tasks tasks) {
        this.request = request;
        this.room = desk.room();
        this.tasks = tasks;
        this.subscriptions = new Subscriptions(request.caller(), desk);
        this.changes = new Gathering(room, this::tell);
        this.attending = room.topic().attend();
    }

    /** Finds out what can be told, says so, and begins. */
    @SuppressWarnings("FutureReturnValueIgnored") // whoever has agreed by then is listened to
    void begin(Filter filter) {
        lists = filter.lists();
        asked = filter.resources().size() + filter.tasks().size();
        for (String uri : filter.resources()) {
            String params =
                    Answers.object(json -> json.writeStringProperty("uri", uri)).raw();
            Aside aside = new Aside(request.id(), agreed -> {
                if (agreed && !acknowledged) {
                    resources.add(uri);
                }
                answered();
            });
            asides.add(aside);
            subscriptions.subscribe(params, aside);
        }
        for (String id : filter.tasks()) {
            tasks.look(
                    request.caller(),
                    id,
                    found -> {
                        if (!acknowledged) {
                            found.ifPresent(view -> watched.add(id));
                        }
                        answered();
                    },
                    failure -> answered());
        }
        if (asked == 0) {
            acknowledge();
        } else {
            room.topic().loop().schedule(this::acknowledge, AGREE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void answered() {
        if (--asked == 0) {
            acknowledge();
        }
    }

    private void acknowledge() {
        if (acknowledged) {
            return;
        }
        acknowledged = true;
        List<String> ids = List.copyOf(watched);
        send(
                "notifications/subscriptions/acknowledged",
                json -> new Filter(lists, List.copyOf(resources), ids).write(json));
        // What happened between the asking and now is not to be missed.
        ids.forEach(this::happened);
    }

    private void send(String method, Consumer<JsonGenerator> params) {
        request.out().send(Answers.notification(method, json -> {
            json.writeObjectPropertyStart(Meta.META);
            json.writeName(Meta.SUBSCRIPTION);
            json.writeRawValue(request.id());
            json.writeEndObject();
            params.accept(json);
        }));
    }

    private void tell(String method) {
        send(method, json -> {});
    }

    /** A list has changed. */
    void changed(String notification) {
        if (acknowledged && lists.contains(notification)) {
            changes.add(notification);
        }
    }

    /** A resource has changed. */
    void updated(String uri) {
        if (acknowledged && resources.contains(uri)) {
            send("notifications/resources/updated", json -> json.writeStringProperty("uri", uri));
        }
    }

    /** Something happened to a proposal. */
    void happened(String proposal) {
        if (acknowledged && watched.contains(proposal)) {
            tasks.look(
                    request.caller(),
                    proposal,
                    found -> found.ifPresent(view -> {
                        Task task = tasks.of(view);
                        if (task.isNews(told.get(proposal))) {
                            told.put(proposal, task);
                            send("notifications/tasks", task::write);
                        }
                    }),
                    failure -> room.log("a task could not be read", failure));
        }
    }

    /** Nobody listens any more. */
    void close() {
        asides.forEach(Aside::drop);
        subscriptions.close();
        attending.close();
    }

    /** Ends it from our side. */
    void end() {
        if (!request.out().over()) {
            request.out()
                    .finish(new Message.Response(
                            request.id(),
                            Answers.object(json -> {
                                        json.writeObjectPropertyStart(Meta.META);
                                        json.writeName(Meta.SUBSCRIPTION);
                                        json.writeRawValue(request.id());
                                        json.writeEndObject();
                                    })
                                    .raw()));
        }
    }
}
