package dev.gavel.mcp.facade;

import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Listener;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.docket.Change;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.facade.call.Orphans;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.modern.Question;
import dev.gavel.mcp.facade.port.Received;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.facade.port.Visitor;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.Envelope;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes every topic look like one MCP server that offers what the topic's participants offer. What a caller may not do
 * itself becomes a proposal, and the caller waits. Whoever makes it has it listen to the gateway. Thread-safe: everything
 * happens on the topics' loops.
 */
public final class Facade implements Listener {
    private final Map<String, Front> topics = new ConcurrentHashMap<>();
    private final Bus bus;

    /**
     * A facade for all topics of a gateway.
     *
     * @param kept how long proposals are kept after they ended; forever where nothing is said
     * @param program this program's version, which clients are told
     */
    public Facade(
            Gateway gateway,
            Directory directory,
            Decisions decisions,
            InstantSource clock,
            Optional<Duration> kept,
            String program) {
        this.bus = gateway.bus();
        for (Topic topic : gateway.topics()) {
            topics.put(topic.name(), new Front(new Room(topic, gateway, directory, decisions, clock), kept, program));
        }
        directory.whenChanged(this::changed);
    }

    /**
     * Begins to look after what clients have left of a process before this one, or of another that has ended.
     *
     * @param keeps whether somebody's proposals stay when their connection is lost
     */
    public void start(Predicate<String> keeps) {
        each(front -> front.adopt(new Orphans(front.room(), bus, keeps)));
    }

    /**
     * The process is about to end: whoever waits for a decision is told that it is pending, and how to get the result
     * from another process; nobody listens any more. Calls that run may still come to their end.
     */
    public void drain() {
        each(Front::drain);
    }

    /** The process ends now: whoever still waits is told what is known. */
    public void cutOff() {
        each(front -> front.room().cutOff());
    }

    private void each(Consumer<Front> act) {
        topics.values().forEach(front -> front.room().topic().loop().execute(() -> act.accept(front)));
    }

    private Front of(Topic topic) {
        Front front = topics.get(topic.name());
        if (front == null) {
            throw new IllegalArgumentException("there is no topic '" + topic.name() + "' here");
        }
        return front;
    }

    /**
     * Takes a message from a client of a version with sessions.
     *
     * @param session the id of the session it belongs to; null where it says none
     * @param then told at once, on the topic's loop, what becomes of it
     * @param sink where answers go
     */
    public void receive(
            Topic topic,
            Visitor visitor,
            @Nullable String session,
            Message message,
            Consumer<Received> then,
            Sink sink) {
        topic.loop().execute(() -> of(topic).sessions().receive(visitor, session, message, then, sink));
    }

    /**
     * Listens for what belongs to no request, or takes up what was cut off.
     *
     * @param lastEvent the id of the last event received; null where it says none
     */
    public void listen(
            Topic topic,
            Visitor visitor,
            @Nullable String session,
            @Nullable String lastEvent,
            Consumer<Received> then,
            Sink sink) {
        topic.loop().execute(() -> of(topic).sessions().listen(visitor, session, lastEvent, then, sink));
    }

    /** Ends a session at its client's wish. */
    public void end(Topic topic, Visitor visitor, @Nullable String session, Consumer<Received> then) {
        topic.loop().execute(() -> of(topic).sessions().end(visitor, session, then));
    }

    /** A client of that session, which read there, has gone away. */
    public void gone(Topic topic, Visitor visitor, String session, Sink sink) {
        topic.loop().execute(() -> of(topic).sessions().gone(visitor, session, sink));
    }

    /** Answers a request of a version without sessions. */
    public void ask(Topic topic, Visitor visitor, Question question, Sink sink) {
        topic.loop().execute(() -> of(topic).requests().ask(visitor, question, sink));
    }

    /**
     * The answer to such a request is at its end.
     *
     * @param whole whether its client has received all of it; who closes its connection before calls the request off
     */
    public void ended(Topic topic, Sink sink, boolean whole) {
        topic.loop().execute(() -> of(topic).requests().ended(sink, whole));
    }

    @Override
    public void left(Topic topic, Member member) {
        of(topic).room().left(member);
    }

    @Override
    public void changed(Topic topic, Member member) {
        of(topic).changed(member.id());
    }

    @Override
    public void expelled(Topic topic, Member member) {
        of(topic).expelled(member.id());
    }

    private void changed(Topic topic, Listed what) {
        of(topic).changed(what);
    }

    @Override
    public void heard(Topic topic, String from, Envelope envelope) {
        of(topic).heard(from, envelope);
    }

    @Override
    public void happened(Topic topic, Change change) {
        of(topic).happened(change);
    }
}
