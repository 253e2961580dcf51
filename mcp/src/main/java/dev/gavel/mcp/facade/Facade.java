package dev.gavel.mcp.facade;

import dev.gavel.gateway.Decisions;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Listener;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.docket.Change;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.Envelope;
import java.time.InstantSource;
import java.util.Map;
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
    private final Map<String, Sessions> topics = new ConcurrentHashMap<>();

    /**
     * A facade for all topics of a gateway.
     *
     * @param program this program's version, which clients are told
     */
    public Facade(Gateway gateway, Directory directory, Decisions decisions, InstantSource clock, String program) {
        for (Topic topic : gateway.topics()) {
            topics.put(topic.name(), new Sessions(new Room(topic, gateway, directory, decisions, clock), program));
        }
        directory.whenChanged(this::changed);
    }

    /**
     * Begins to look after what clients of a process before this one have left.
     *
     * @param keeps whether somebody's proposals stay when their connection is lost
     */
    public void start(Predicate<String> keeps) {
        topics.values().forEach(sessions -> new Orphans(sessions.room(), keeps).lookLater());
    }

    private Sessions of(Topic topic) {
        Sessions sessions = topics.get(topic.name());
        if (sessions == null) {
            throw new IllegalArgumentException("there is no topic '" + topic.name() + "' here");
        }
        return sessions;
    }

    /**
     * Takes a message from a client.
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
        topic.loop().execute(() -> of(topic).receive(visitor, session, message, then, sink));
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
        topic.loop().execute(() -> of(topic).listen(visitor, session, lastEvent, then, sink));
    }

    /** Ends a session at its client's wish. */
    public void end(Topic topic, Visitor visitor, @Nullable String session, Consumer<Received> then) {
        topic.loop().execute(() -> of(topic).end(visitor, session, then));
    }

    /** A client of that session, which read there, has gone away. */
    public void gone(Topic topic, Visitor visitor, String session, Sink sink) {
        topic.loop().execute(() -> of(topic).gone(visitor, session, sink));
    }

    @Override
    public void left(Topic topic, Member member) {
        of(topic).room().left(member);
    }

    @Override
    public void changed(Topic topic, Member member) {
        of(topic).tellOne(member.id());
    }

    @Override
    public void expelled(Topic topic, Member member) {
        of(topic).expelled(member.id());
    }

    private void changed(Topic topic, Listed what) {
        of(topic).tellAll(what.changed());
    }

    @Override
    public void heard(Topic topic, String from, Envelope envelope) {
        of(topic).heard(from, envelope);
    }

    @Override
    public void happened(Topic topic, Change change) {
        of(topic).room().happened(change);
    }
}
