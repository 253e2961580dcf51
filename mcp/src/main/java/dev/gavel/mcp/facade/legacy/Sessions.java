package dev.gavel.mcp.facade.legacy;

import dev.gavel.gateway.Membership;
import dev.gavel.gateway.Warrant;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.call.Severity;
import dev.gavel.mcp.facade.desk.Desk;
import dev.gavel.mcp.facade.desk.Introduction;
import dev.gavel.mcp.facade.port.Received;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.facade.port.Visitor;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcpx.json.Json;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one topic's clients. One that is not known, because the process was started anew or it was idle for long,
 * is simply taken up again: who the client is its token says, and all that is lost are subscriptions and the log level.
 * Confined to the topic's loop.
 */
public final class Sessions {
    private static final Pattern ID = Pattern.compile("gavel-[0-9a-f]{32}");
    private static final int MOST = 10_000;
    private static final int MOST_OF_ONE = 1_000;
    private static final int MOST_ENDED = 10_000;
    private static final Duration IDLE = Duration.ofHours(1);
    private static final long SWEEP_MILLIS = 5 * 60_000;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Received NO_ID =
            new Received.Wrong("send the header Mcp-Session-Id that the answer to initialize brought; a request of MCP"
                    + " 2026-07-28 says its version in _meta and in the header MCP-Protocol-Version instead");

    private final Room room;
    private final Desk desk;
    private final Introduction introduction;
    private final Map<Key, Session> sessions = new LinkedHashMap<>();

    /** Whose the ids of these are. */
    private final Map<String, String> owners = new HashMap<>();

    /**
     * What a session belongs to: somebody's place in the topic, and the token they came with. When either ends, it ends;
     * the same id with another token is another session.
     */
    private record Key(String id, Membership membership, Warrant warrant) {
        static Key of(String id, Visitor visitor) {
            return new Key(id, visitor.membership(), visitor.warrant());
        }
    }

    /** Those that clients ended themselves lately: they are not taken up again. */
    private final Set<String> ended = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_ENDED;
        }
    });

    private boolean sweeping;

    public Sessions(Desk desk, Introduction introduction) {
        this.room = desk.room();
        this.desk = desk;
        this.introduction = introduction;
    }

    public void receive(Visitor visitor, @Nullable String id, Message message, Consumer<Received> then, Sink sink) {
        if (message instanceof Message.Request request && request.method().equals("initialize")) {
            initialize(visitor, id, request, then, sink);
            return;
        }
        if (id == null) {
            then.accept(NO_ID);
            return;
        }
        Optional<Session> session = find(visitor, id);
        if (session.isEmpty()) {
            then.accept(new Received.NoSession());
            return;
        }
        switch (message) {
            case Message.Request request -> {
                then.accept(new Received.Taken());
                session.get().receive(request, sink);
            }
            case Message.Notification notification -> {
                then.accept(new Received.Noted());
                session.get().receive(notification);
            }
            case Message.Answer _ -> then.accept(new Received.Noted());
        }
    }

    private void initialize(
            Visitor visitor, @Nullable String id, Message.Request request, Consumer<Received> then, Sink sink) {
        if (id != null) {
            then.accept(new Received.Wrong("a session is initialized once: leave out the header Mcp-Session-Id"));
            return;
        }
        byte[] chance = new byte[16];
        RANDOM.nextBytes(chance);
        Session session = add(visitor, "gavel-" + HexFormat.of().formatHex(chance));
        then.accept(new Received.Began(session.id()));
        session.begin(request, request.params().flatMap(Json::parse).orElseGet(Json::object), introduction, sink);
    }

    private Optional<Session> find(Visitor visitor, String id) {
        Session known = sessions.get(Key.of(id, visitor));
        if (known != null) {
            return Optional.of(known);
        }
        String identity = visitor.membership().id();
        // Another's session is none: ids are no secret.
        boolean free = ID.matcher(id).matches()
                && !ended.contains(ended(identity, id))
                && identity.equals(owners.getOrDefault(id, identity));
        return free ? Optional.of(add(visitor, id)) : Optional.empty();
    }

    private static String ended(String identity, String id) {
        return identity + " " + id;
    }

    private Session add(Visitor visitor, String id) {
        makeRoom(visitor.membership().id());
        Key key = Key.of(id, visitor);
        Session session =
                new Session(id, desk, visitor, () -> room.topic().loop().execute(() -> revoke(key)));
        sessions.put(key, session);
        owners.put(id, visitor.membership().id());
        sweepLater();
        return session;
    }

    /** Where there are too many, those that were idle the longest go; nobody crowds out others by opening many. */
    private void makeRoom(String identity) {
        List<Session> theirs =
                sessions.values().stream().filter(each -> each.isOf(identity)).toList();
        List<Session> among = theirs.size() >= MOST_OF_ONE
                ? theirs
                : sessions.size() >= MOST ? List.copyOf(sessions.values()) : List.of();
        among.stream()
                .min((one, other) -> one.idle() == other.idle()
                        ? one.active().compareTo(other.active())
                        : Boolean.compare(other.idle(), one.idle()))
                .ifPresent(session -> end(session, "the caller opened too many sessions"));
    }

    private void end(Session session, String why) {
        sessions.values().remove(session);
        if (sessions.values().stream().noneMatch(other -> other.id().equals(session.id()))) {
            owners.remove(session.id());
        }
        session.end(why);
    }

    private void revoke(Key key) {
        Session session = sessions.get(key);
        if (session != null) {
            end(session, "the caller's token is no longer good");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it goes on as long as there is something to sweep
    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            room.topic()
                    .loop()
                    .schedule(
                            () -> {
                                sweeping = false;
                                sweep();
                            },
                            SWEEP_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        Instant since = room.now().minus(IDLE);
        List.copyOf(sessions.values()).stream()
                .filter(session -> session.idle() && session.active().isBefore(since))
                .forEach(session -> end(session, "the session was idle for long"));
        if (!sessions.isEmpty()) {
            sweepLater();
        }
    }

    public void listen(
            Visitor visitor, @Nullable String id, @Nullable String lastEvent, Consumer<Received> then, Sink sink) {
        if (id == null) {
            then.accept(NO_ID);
            return;
        }
        find(visitor, id)
                .ifPresentOrElse(
                        session -> {
                            if (session.streams().keeps(lastEvent)) {
                                then.accept(new Received.Taken());
                                session.listen(lastEvent, sink);
                            } else {
                                then.accept(new Received.Wrong(
                                        "nothing is kept of that event stream; send the request again"));
                            }
                        },
                        () -> then.accept(new Received.NoSession()));
    }

    public void end(Visitor visitor, @Nullable String id, Consumer<Received> then) {
        Optional<Session> session = id == null ? Optional.empty() : find(visitor, id);
        session.ifPresentOrElse(
                found -> {
                    ended.add(ended(visitor.membership().id(), found.id()));
                    end(found, "the caller ended its session");
                    then.accept(new Received.Noted());
                },
                () -> then.accept(new Received.NoSession()));
    }

    public void gone(Visitor visitor, String id, Sink sink) {
        Session session = sessions.get(Key.of(id, visitor));
        if (session != null) {
            session.streams().detach(sink);
        }
    }

    /** Somebody is no member any more: nothing of theirs goes on. */
    public void expelled(String member) {
        List.copyOf(sessions.values()).stream()
                .filter(session -> session.isOf(member))
                .forEach(session -> end(session, "the caller is no member of the topic any more"));
    }

    /** The process is about to end: nobody listens here any more; another process takes the sessions up. */
    public void drain() {
        sessions.values().forEach(session -> session.streams().end());
    }

    /** Tells every client that something on offer has changed. */
    public void tellAll(String notification) {
        sessions.values().forEach(session -> session.streams().tellChanged(notification));
    }

    /** Tells one member's clients that what is on offer to them may have changed. */
    public void tellOne(String member) {
        sessions.values().stream()
                .filter(session -> session.isOf(member))
                .forEach(session -> Arrays.stream(Listed.values())
                        .forEach(what -> session.streams().tellChanged(what.changed())));
    }

    /** Hands on a server's log message. */
    public void logged(String from, List<String> to, Severity level, String line) {
        listeners(to).forEach(session -> session.log(from, level, line));
    }

    /** A resource has changed. */
    public void updated(List<String> to, String uri, String line) {
        listeners(to)
                .filter(session -> session.subscribedTo(uri))
                .forEach(session -> session.streams().tell(line));
    }

    private Stream<Session> listeners(List<String> to) {
        return List.copyOf(sessions.values()).stream()
                .filter(session -> to.isEmpty() || to.stream().anyMatch(session::isOf));
    }
}
