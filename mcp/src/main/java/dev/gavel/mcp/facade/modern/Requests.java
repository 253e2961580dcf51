package dev.gavel.mcp.facade.modern;

import dev.gavel.gateway.docket.Change;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.facade.call.Answers;
import dev.gavel.mcp.facade.call.Call;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.call.Severity;
import dev.gavel.mcp.facade.call.Words;
import dev.gavel.mcp.facade.desk.Desk;
import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.facade.port.Version;
import dev.gavel.mcp.facade.port.Visitor;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Excerpt;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The requests of one topic's clients that are being answered. A client that closes its connection has called its request
 * off. Confined to the topic's loop.
 */
public final class Requests {
    /** Of one identity. */
    private static final int MOST_LISTENING = 100;

    private static final String CLOSED = "the caller closed its connection, and so cancelled it";

    private final Desk desk;
    private final Room room;
    private final Introduction introduction;
    private final Results results;
    private final Tasks tasks;
    private final Map<Sink, Open> open = new HashMap<>();

    /**
     * No requests yet.
     *
     * @param kept how long proposals are kept after they ended; forever where nothing is said
     */
    public Requests(Desk desk, Introduction introduction, Optional<Duration> kept) {
        this.desk = desk;
        this.room = desk.room();
        this.introduction = introduction;
        this.results = new Results(introduction);
        this.tasks = new Tasks(room, kept);
    }

    /** Answers a request, or has it answered. */
    public void ask(Visitor visitor, Question question, Sink sink) {
        Caller caller = new Caller(
                visitor.membership(), visitor.settings(), room.records().isPresent());
        Runnable revoked =
                () -> room.topic().loop().execute(() -> dismiss(sink, "the caller's token is no longer good"));
        Answering out = new Answering(question.method(), results, sink);
        Open request = new Open(question, caller, visitor, out, sink.streams(), tasks, revoked);
        open.put(sink, request);
        try {
            answer(request, sink.streams());
        } catch (RuntimeException e) {
            room.log("a request failed", e);
            request.settle(RpcError.INTERNAL.failure(question.id(), Words.FAILED));
        }
    }

    private void answer(Open request, boolean streams) {
        Question question = request.question();
        switch (question.method()) {
            case "server/discover" -> request.settle(discovered(question.id()));
            case "subscriptions/listen" -> listen(request, streams);
            case "tasks/get", "tasks/update", "tasks/cancel" -> task(request);
            default -> {
                if (!desk.answer(
                        request.caller(), question.method(), question.params(), question.mirrored(), request)) {
                    Desk.refuse(
                            request,
                            RpcError.METHOD_NOT_FOUND,
                            "There is no method " + Excerpt.of(question.method()) + " here.");
                }
            }
        }
    }

    private Message discovered(String id) {
        return Answers.result(id, json -> {
            json.writeArrayPropertyStart("supportedVersions");
            Version.dates().forEach(json::writeString);
            json.writeEndArray();
            introduction.writeCapabilities(json, true);
            introduction.writeInstructions(json);
        });
    }

    private void task(Open request) {
        Question question = request.question();
        if (!question.knowsTasks()) {
            request.settle(Tasks.unknowing(question.id()));
            return;
        }
        switch (question.method()) {
            case "tasks/get" -> tasks.get(request.caller(), question.params(), request);
            case "tasks/update" -> tasks.update(request.caller(), question.params(), request);
            default -> tasks.cancel(request.caller(), question.params(), request);
        }
    }

    private void listen(Open request, boolean streams) {
        Json wanted = Desk.read(request.question().params(), "subscriptions/listen", request)
                .map(params -> params.at("notifications"))
                .orElseGet(Json::object);
        Filter filter = Filter.of(wanted);
        if (request.out().over()) {
            return;
        }
        if (wanted.type() != Json.Type.OBJECT) {
            Desk.refuse(
                    request, RpcError.INVALID_PARAMS, "'notifications' must say what is listened for, in an object.");
        } else if (!streams) {
            request.out()
                    .refuse(
                            Sink.Fault.NOT_ACCEPTABLE,
                            RpcError.INVALID_REQUEST.failure(
                                    request.id(), "Accept text/event-stream: whoever listens is sent a stream."));
        } else if (!filter.tasks().isEmpty() && !request.question().knowsTasks()) {
            request.settle(Tasks.unknowing(request.id()));
        } else if (listening(request.caller().id()).count() >= MOST_LISTENING) {
            Desk.refuse(
                    request,
                    RpcError.BUSY,
                    "You listen " + MOST_LISTENING + " times already, which is as often as one may; end some.");
        } else {
            Listening listening = new Listening(request, desk, tasks);
            request.listen(listening);
            listening.begin(filter);
        }
    }

    private Stream<Listening> listening(String member) {
        return of(member).map(Open::listening).filter(Objects::nonNull);
    }

    /**
     * An answer is at its end.
     *
     * @param whole whether its client has received all of it
     */
    public void ended(Sink sink, boolean whole) {
        Open request = open.remove(sink);
        if (request == null) {
            return;
        }
        if (!whole) {
            Call call = request.call();
            if (request.out().over() && call != null) {
                call.undelivered();
            }
            request.handed()
                    .filter(Room::isTask)
                    .ifPresent(task -> room.remarks().callOff(request.caller(), task, Words.UNTOLD));
        }
        request.giveUp(CLOSED);
    }

    private void dismiss(Sink sink, String why) {
        Open request = open.get(sink);
        if (request != null) {
            request.dismiss(why);
        }
    }

    /** The process is about to end: whoever listens is told that it is over, and listens to another. */
    public void drain() {
        List.copyOf(open.values()).stream()
                .filter(request -> request.listening() != null)
                .forEach(request -> request.dismiss("the gateway is stopping"));
    }

    /** Somebody is no member any more: nothing of theirs goes on. */
    public void expelled(String member) {
        of(member).forEach(request -> request.dismiss("the caller is no member of the topic any more"));
    }

    private Stream<Open> of(String member) {
        return List.copyOf(open.values()).stream()
                .filter(request -> request.caller().id().equals(member));
    }

    private Stream<Listening> listening() {
        return open.values().stream().map(Open::listening).filter(Objects::nonNull);
    }

    /** Tells every client that something on offer has changed. */
    public void tellAll(String notification) {
        listening().forEach(each -> each.changed(notification));
    }

    /** Tells one member's clients that what is on offer to them may have changed. */
    public void tellOne(String member) {
        listening(member).forEach(each -> Arrays.stream(Listed.values()).forEach(what -> each.changed(what.changed())));
    }

    /** Something happened to a proposal. */
    public void happened(Change change) {
        listening().forEach(each -> each.happened(change.after().id()));
    }

    /** Hands on a server's log message beside the calls that the server is at, where the caller wants to see it. */
    public void logged(String from, List<String> to, Severity level, String line) {
        List.copyOf(open.values()).stream()
                .filter(request -> to.isEmpty() || to.contains(request.caller().id()))
                .filter(request -> request.question()
                        .severity()
                        .filter(least -> level.compareTo(least) >= 0)
                        .isPresent())
                .filter(request -> {
                    Call call = request.call();
                    return call != null && call.runBy(from) && !request.out().over();
                })
                .forEach(request -> request.out().send(line));
    }

    /** A resource has changed. */
    public void updated(List<String> to, String uri) {
        List.copyOf(open.values()).stream()
                .filter(request -> to.isEmpty() || to.contains(request.caller().id()))
                .map(Open::listening)
                .filter(Objects::nonNull)
                .forEach(each -> each.updated(uri));
    }
}
