package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.ListChange;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a server of MCP 2026-07-28 tells us unasked: which of its lists changed, and which resources that somebody in the topic
 * subscribed to. One request of ours stays open for that. Where another is wanted, it is opened before the first is closed; where
 * it breaks, it is opened again, and what may have been missed counts as changed. Thread-safe.
 */
final class Subscriptions {
    private static final int MOST = 1000;
    private static final int LONGEST_URI = 8000;
    private static final Duration FIRST_WAIT = Duration.ofMillis(250);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

    private final String name;
    private final Session session;
    private final Consumer<Set<String>> missed;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

    // Guarded by this.
    private final Map<String, Set<String>> wanted = new LinkedHashMap<>();
    private List<Waiting> waiting = new ArrayList<>();
    private List<Waiting> answering = List.of();
    private @Nullable Listen current;
    private @Nullable Listen opening;
    private boolean stale;
    private boolean gap;
    private boolean closed;
    private int failures;

    /** The request that is open. */
    private record Listen(String id, Set<String> uris) {}

    /**
     * Somebody who wants to know that it is done.
     *
     * @param who forgotten where it cannot be done; nothing where nobody is
     */
    private record Waiting(String uri, Optional<String> who, Consumer<Message.Answer> then) {}

    /**
     * None yet.
     *
     * @param missed told which resources are subscribed to, when what the server said may have been missed
     */
    Subscriptions(String name, Session session, Consumer<Set<String>> missed) {
        this.name = name;
        this.session = session;
        this.missed = missed;
    }

    /** Listens from now on; done when the server says so, or that it does not. */
    CompletableFuture<Boolean> begin() {
        if (nothingToHear(Set.of())) {
            ready.complete(false);
        } else {
            open();
        }
        return ready;
    }

    /** Listens no more; who waits is told so. */
    void close() {
        synchronized (this) {
            closed = true;
        }
        dismiss();
    }

    private void dismiss() {
        List<Waiting> all;
        synchronized (this) {
            all = new ArrayList<>(answering);
            all.addAll(waiting);
            answering = List.of();
            waiting.clear();
        }
        all.forEach(each -> each.then.accept(
                RpcError.UNAVAILABLE.failure("null", "the bridge to the server of '" + name + "' is closing")));
    }

    private boolean says(String capability, String what) {
        return session.introduction().at("capabilities").at(capability).at(what).isTrue();
    }

    private boolean tellsOf(ListChange change) {
        return says(change.capability(), "listChanged");
    }

    private boolean nothingToHear(Set<String> uris) {
        return uris.isEmpty() && Arrays.stream(ListChange.values()).noneMatch(this::tellsOf);
    }

    // --- from the topic

    /** Somebody wants to hear of a resource. */
    void subscribe(Asked asked, Consumer<Message.Answer> then) {
        String uri = uri(asked).orElse("");
        Optional<Message.Answer> refusal = refusal(uri);
        if (refusal.isPresent()) {
            then.accept(refusal.get());
            return;
        }
        boolean heard;
        synchronized (this) {
            boolean added =
                    wanted.computeIfAbsent(uri, _ -> new LinkedHashSet<>()).add(asked.from());
            heard = current != null && current.uris.contains(uri);
            if (!heard) {
                waiting.add(new Waiting(uri, Optional.of(asked.from()).filter(_ -> added), then));
            }
        }
        if (heard) {
            then.accept(done());
        } else {
            open();
        }
    }

    private Optional<Message.Answer> refusal(String uri) {
        if (!says("resources", "subscribe")) {
            return Optional.of(RpcError.METHOD_NOT_FOUND.failure(
                    "null", "the server of '" + name + "' does not tell when a resource changes"));
        }
        if (uri.isEmpty()) {
            return Optional.of(RpcError.INVALID_PARAMS.failure(
                    "null", "'uri' must be the resource's, of at most " + LONGEST_URI + " characters"));
        }
        synchronized (this) {
            return wanted.size() >= MOST && !wanted.containsKey(uri)
                    ? Optional.of(RpcError.BUSY.failure(
                            "null",
                            "at '" + name + "' " + MOST + " resources are subscribed to already, which is as many"
                                    + " as may be"))
                    : Optional.empty();
        }
    }

    /** Somebody does not want to hear of a resource any more. */
    void unsubscribe(Asked asked, Consumer<Message.Answer> then) {
        String uri = uri(asked).orElse("");
        boolean last;
        synchronized (this) {
            last = forget(uri, asked.from());
            if (last) {
                waiting.add(new Waiting(uri, Optional.empty(), then));
            }
        }
        if (last) {
            open();
        } else {
            then.accept(done());
        }
    }

    /** True where nobody else wants to hear of it. */
    private boolean forget(String uri, String who) {
        Set<String> those = wanted.get(uri);
        if (those == null || !those.remove(who) || !those.isEmpty()) {
            return false;
        }
        wanted.remove(uri);
        return true;
    }

    private static Optional<String> uri(Asked asked) {
        return asked.params()
                .flatMap(raw -> RawJson.at(raw, "uri"))
                .flatMap(Json::parse)
                .flatMap(Json::ifText)
                .filter(text -> !text.isEmpty() && text.length() <= LONGEST_URI);
    }

    private static Message.Answer done() {
        return new Message.Response("null", "{}");
    }

    // --- to the server

    private void open() {
        Listen next;
        synchronized (this) {
            if (opening != null && !closed) {
                stale = true;
                return;
            }
            next = closed ? null : new Listen(session.nextId(), Set.copyOf(wanted.keySet()));
            if (next != null) {
                opening = next;
                stale = false;
                answering = waiting;
                waiting = new ArrayList<>();
            }
        }
        if (next == null) {
            dismiss();
        } else if (nothingToHear(next.uris)) {
            acknowledged(next.id, Set.of());
        } else {
            session.ask(
                    next.id, "subscriptions/listen", Optional.of(params(next.uris)), answer -> ended(next.id, answer));
        }
    }

    private String params(Set<String> uris) {
        return Json.write(json -> {
                    json.writeStartObject();
                    json.writeObjectPropertyStart("notifications");
                    for (ListChange change : ListChange.values()) {
                        if (tellsOf(change)) {
                            json.writeBooleanProperty(change.flag(), true);
                        }
                    }
                    if (!uris.isEmpty()) {
                        json.writeArrayPropertyStart("resourceSubscriptions");
                        uris.forEach(json::writeString);
                        json.writeEndArray();
                    }
                    json.writeEndObject();
                    json.writeEndObject();
                })
                .raw();
    }

    // --- from the server

    /** What the topic is told of what the server says: without whose it is among our requests, and nothing of their own. */
    Optional<Message.Notification> heard(Message.Notification notification) {
        Optional<String> id = notification.params().flatMap(raw -> RawJson.at(raw, Meta.META, Meta.SUBSCRIPTION));
        return switch (notification.method()) {
            case ACKNOWLEDGED -> {
                Set<String> uris = Set.copyOf(notification
                        .params()
                        .flatMap(raw -> RawJson.at(raw, "notifications", "resourceSubscriptions"))
                        .flatMap(Json::parse)
                        .map(Json::texts)
                        .orElse(List.of()));
                id.ifPresent(which -> acknowledged(which, uris));
                yield Optional.empty();
            }
            case Notices.CANCELLED -> {
                notification
                        .params()
                        .flatMap(raw -> RawJson.at(raw, "requestId"))
                        .ifPresent(which -> ended(which, RpcError.UNAVAILABLE.failure(which, "the server ended it")));
                yield Optional.empty();
            }
            default -> Optional.of(id.isEmpty() ? notification : unmarked(notification));
        };
    }

    private static Message.Notification unmarked(Message.Notification notification) {
        Optional<String> params = notification.params().map(raw -> {
            String meta = RawJson.without(RawJson.at(raw, Meta.META).orElse("{}"), Meta.SUBSCRIPTION);
            return Json.parse(meta).filter(left -> !left.members().isEmpty()).isPresent()
                    ? RawJson.with(raw, meta, Meta.META)
                    : RawJson.without(raw, Meta.META);
        });
        return new Message.Notification(notification.method(), params);
    }

    private void acknowledged(String id, Set<String> uris) {
        Listen old;
        Listen now;
        List<Waiting> told;
        boolean again;
        boolean late;
        synchronized (this) {
            now = opening;
            if (now == null || !now.id.equals(id)) {
                return;
            }
            old = current;
            current = nothingToHear(now.uris) ? null : now;
            opening = null;
            told = answering;
            answering = List.of();
            again = stale;
            late = gap;
            gap = false;
            failures = 0;
        }
        if (old != null) {
            session.forget(old.id);
            session.tell(Notices.CANCELLED, Notices.cancellation(old.id, Optional.empty()));
        }
        told.forEach(each -> tell(each, uris));
        if (late) {
            missed.accept(now.uris);
        }
        ready.complete(true);
        if (again) {
            open();
        }
    }

    private void tell(Waiting each, Set<String> uris) {
        if (each.who.isEmpty() || uris.contains(each.uri)) {
            each.then.accept(done());
            return;
        }
        synchronized (this) {
            forget(each.uri, each.who.get());
        }
        each.then.accept(RpcError.RESOURCE_NOT_FOUND.failure(
                "null", "the server of '" + name + "' does not tell when that resource changes"));
    }

    /** One of our requests is over: the server ended it, or the way to it broke. */
    private void ended(String id, Message.Answer answer) {
        List<Waiting> told = List.of();
        boolean again;
        int wait;
        synchronized (this) {
            boolean refused = false;
            if (opening != null && opening.id.equals(id)) {
                opening = null;
                told = answering;
                answering = List.of();
                told.forEach(each -> each.who.ifPresent(who -> forget(each.uri, who)));
                gap |= current == null;
                refused = answer instanceof Message.Failure failure
                        && (failure.code() == RpcError.METHOD_NOT_FOUND.code()
                                || failure.code() == RpcError.INVALID_PARAMS.code());
            } else if (current != null && current.id.equals(id)) {
                current = null;
                gap = true;
            } else {
                return;
            }
            again = !closed && (stale || (current == null && !refused && !nothingToHear(wanted.keySet())));
            wait = stale ? 0 : failures++;
        }
        Message.Answer why = answer instanceof Message.Failure
                ? answer
                : RpcError.UNAVAILABLE.failure("null", "the server of '" + name + "' ended the subscription");
        told.forEach(each -> each.then.accept(why));
        ready.complete(false);
        if (again) {
            later(wait);
        }
    }

    private void later(int wait) {
        Duration time = FIRST_WAIT.multipliedBy(1L << Math.min(wait, 10));
        Thread.ofVirtual().name("bridge " + name + " listen").start(() -> {
            try {
                Thread.sleep(time.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : time);
                open();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
