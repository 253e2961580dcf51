package dev.gavel.mcp.facade.stateful;

import dev.gavel.gateway.member.LiveMembership;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.facade.call.McpLogLevel;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.dispatch.McpRequestDispatcher;
import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.facade.transport.SessionMessageResult;
import dev.gavel.mcp.rpc.RpcMessage;
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
 * Creates, finds, expires and ends the MCP sessions of a topic's clients and passes the topic's events to them. An
 * unknown session, after a restart of the process or a long idle time, is created again under its id: the token
 * identifies the client, and only subscriptions and the log level are lost. Confined to the topic's loop.
 */
public final class StatefulSessionRegistry {
    private static final Pattern ID = Pattern.compile("gavel-[0-9a-f]{32}");
    private static final int MAX_SESSIONS = 10_000;
    private static final int MAX_PER_IDENTITY = 1_000;
    private static final int MAX_ENDED = 10_000;
    private static final int MAX_REVOKED = 1_000;
    private static final Duration IDLE_TIMEOUT = Duration.ofHours(1);
    private static final long SWEEP_MILLIS = 5 * 60_000;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final SessionMessageResult MISSING_SESSION_ID = new SessionMessageResult.BadRequest(
            "The header Mcp-Session-Id is missing. Send the id from the response to initialize. In MCP 2026-07-28"
                    + " (stateless), send the version in _meta and in the header MCP-Protocol-Version instead.");

    private final TopicCalls calls;
    private final McpRequestDispatcher mcpRequestDispatcher;
    private final ServerDescriptionWriter serverDescriptionWriter;
    private final Map<SessionKey, StatefulSession> sessions = new LinkedHashMap<>();

    /** The member that owns each session id. */
    private final Map<String, String> owners = new HashMap<>();

    /**
     * Identifies a session by its id, membership and credential. The session ends when either of the latter ends; the
     * same id with another token is another session.
     */
    private record SessionKey(String id, LiveMembership membership, RevocableAccessGrant credential) {
        static SessionKey of(String id, AuthenticatedClient authenticatedClient) {
            return new SessionKey(id, authenticatedClient.membership(), authenticatedClient.accessGrant());
        }
    }

    /** The sessions that clients have recently ended themselves. They are not created again. */
    private final Set<String> endedSessions = Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_ENDED;
        }
    });

    /** The settings of sessions whose tokens have ended. The client may continue them with its next token. */
    private final Map<String, StatefulSession.ClientSettings> revokedSessions = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StatefulSession.ClientSettings> eldest) {
            return size() > MAX_REVOKED;
        }
    };

    private boolean sweepScheduled;

    public StatefulSessionRegistry(
            McpRequestDispatcher mcpRequestDispatcher, ServerDescriptionWriter serverDescriptionWriter) {
        this.calls = mcpRequestDispatcher.calls();
        this.mcpRequestDispatcher = mcpRequestDispatcher;
        this.serverDescriptionWriter = serverDescriptionWriter;
    }

    public void receive(
            AuthenticatedClient authenticatedClient,
            @Nullable String id,
            RpcMessage message,
            Consumer<SessionMessageResult> callback,
            McpResponseWriter mcpResponseWriter) {
        if (message instanceof RpcMessage.Request request && request.method().equals("initialize")) {
            initialize(authenticatedClient, id, request, callback, mcpResponseWriter);
            return;
        }
        if (id == null) {
            callback.accept(MISSING_SESSION_ID);
            return;
        }
        Optional<StatefulSession> session = find(authenticatedClient, id);
        if (session.isEmpty()) {
            callback.accept(new SessionMessageResult.SessionNotFound());
            return;
        }
        switch (message) {
            case RpcMessage.Request request -> {
                callback.accept(new SessionMessageResult.ResponseFollows());
                session.get().receive(request, mcpResponseWriter);
            }
            case RpcMessage.Notification notification -> {
                callback.accept(new SessionMessageResult.Accepted());
                withAnyToken(authenticatedClient, id).forEach(each -> each.receive(notification));
            }
            case RpcMessage.Response response -> {
                callback.accept(new SessionMessageResult.Accepted());
                withAnyToken(authenticatedClient, id).forEach(each -> each.receive(response));
            }
        }
    }

    /**
     * Returns the client's sessions with this id. There are several if the client has replaced its token: the calls that
     * it made with the earlier one are in the earlier session until that token ends.
     */
    private List<StatefulSession> withAnyToken(AuthenticatedClient authenticatedClient, String id) {
        return sessions.entrySet().stream()
                .filter(each -> each.getKey().id().equals(id)
                        && each.getKey().membership().equals(authenticatedClient.membership()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void initialize(
            AuthenticatedClient authenticatedClient,
            @Nullable String id,
            RpcMessage.Request request,
            Consumer<SessionMessageResult> callback,
            McpResponseWriter mcpResponseWriter) {
        if (id != null) {
            callback.accept(new SessionMessageResult.BadRequest(
                    "The session is already initialized. To start another session, leave out the header"
                            + " Mcp-Session-Id."));
            return;
        }
        byte[] randomBytes = new byte[16];
        RANDOM.nextBytes(randomBytes);
        StatefulSession session =
                add(authenticatedClient, "gavel-" + HexFormat.of().formatHex(randomBytes));
        callback.accept(new SessionMessageResult.SessionStarted(session.id()));
        session.initialize(
                request,
                request.params().flatMap(Json::parse).orElseGet(Json::object),
                serverDescriptionWriter,
                mcpResponseWriter);
    }

    private Optional<StatefulSession> find(AuthenticatedClient authenticatedClient, String id) {
        StatefulSession existing = sessions.get(SessionKey.of(id, authenticatedClient));
        if (existing != null) {
            return Optional.of(existing);
        }
        String identity = authenticatedClient.membership().id();
        // A session of another member counts as not found: session ids are not secret.
        boolean available = ID.matcher(id).matches()
                && !endedSessions.contains(ownedKey(identity, id))
                && identity.equals(owners.getOrDefault(id, identity));
        return available ? Optional.of(continueSession(authenticatedClient, id)) : Optional.empty();
    }

    private StatefulSession continueSession(AuthenticatedClient authenticatedClient, String id) {
        Optional<StatefulSession.ClientSettings> settings = withAnyToken(authenticatedClient, id).stream()
                .findFirst()
                .map(StatefulSession::clientSettings)
                .or(() -> Optional.ofNullable(revokedSessions.get(
                        ownedKey(authenticatedClient.membership().id(), id))));
        StatefulSession session = add(authenticatedClient, id);
        settings.ifPresent(session::apply);
        return session;
    }

    private static String ownedKey(String identity, String id) {
        return identity + " " + id;
    }

    private StatefulSession add(AuthenticatedClient authenticatedClient, String id) {
        evictIfFull(authenticatedClient.membership().id());
        SessionKey key = SessionKey.of(id, authenticatedClient);
        StatefulSession session = new StatefulSession(
                id,
                mcpRequestDispatcher,
                authenticatedClient,
                () -> calls.topic().loop().execute(() -> revoke(key)));
        sessions.put(key, session);
        owners.put(id, authenticatedClient.membership().id());
        scheduleSweep();
        return session;
    }

    /**
     * Ends the session that was idle the longest if there are too many. A member with too many sessions loses one of
     * its own, so that it cannot displace others.
     */
    private void evictIfFull(String identity) {
        List<StatefulSession> ownSessions = sessions.values().stream()
                .filter(each -> each.belongsTo(identity))
                .toList();
        List<StatefulSession> candidates = ownSessions.size() >= MAX_PER_IDENTITY
                ? ownSessions
                : sessions.size() >= MAX_SESSIONS ? List.copyOf(sessions.values()) : List.of();
        candidates.stream()
                .min((one, other) -> one.isIdle() == other.isIdle()
                        ? one.lastActive().compareTo(other.lastActive())
                        : Boolean.compare(other.isIdle(), one.isIdle()))
                .ifPresent(session -> endSession(session, "the client opened too many sessions"));
    }

    private void endSession(StatefulSession session, String reason) {
        remove(session);
        session.close(reason);
    }

    private void revokeSession(StatefulSession session, String reason) {
        remove(session);
        session.revoke(reason);
    }

    private void remove(StatefulSession session) {
        sessions.values().remove(session);
        if (sessions.values().stream().noneMatch(other -> other.id().equals(session.id()))) {
            owners.remove(session.id());
        }
    }

    private void revoke(SessionKey key) {
        StatefulSession session = sessions.get(key);
        if (session != null) {
            revokedSessions.put(ownedKey(key.membership().id(), key.id()), session.clientSettings());
            revokeSession(session, "the client's token is no longer valid");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the sweep repeats while there are sessions
    private void scheduleSweep() {
        if (!sweepScheduled) {
            sweepScheduled = true;
            calls.topic()
                    .loop()
                    .schedule(
                            () -> {
                                sweepScheduled = false;
                                sweep();
                            },
                            SWEEP_MILLIS,
                            TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        Instant since = calls.now().minus(IDLE_TIMEOUT);
        List.copyOf(sessions.values()).stream()
                .filter(session -> session.isIdle() && session.lastActive().isBefore(since))
                .forEach(session -> endSession(session, "the session was idle for too long"));
        if (!sessions.isEmpty()) {
            scheduleSweep();
        }
    }

    public void openStream(
            AuthenticatedClient authenticatedClient,
            @Nullable String id,
            @Nullable String lastEvent,
            Consumer<SessionMessageResult> callback,
            McpResponseWriter mcpResponseWriter) {
        if (id == null) {
            callback.accept(MISSING_SESSION_ID);
            return;
        }
        find(authenticatedClient, id)
                .ifPresentOrElse(
                        session -> {
                            if (session.streams().canResume(lastEvent)) {
                                callback.accept(new SessionMessageResult.ResponseFollows());
                                session.listen(lastEvent, mcpResponseWriter);
                            } else {
                                continueCall(session, String.valueOf(lastEvent), callback, mcpResponseWriter);
                            }
                        },
                        () -> callback.accept(new SessionMessageResult.SessionNotFound()));
    }

    /** Continues the call that an event belongs to, if the event is from a proposed call. */
    private static void continueCall(
            StatefulSession session,
            String lastEvent,
            Consumer<SessionMessageResult> callback,
            McpResponseWriter mcpResponseWriter) {
        StreamEventId.parse(lastEvent)
                .flatMap(StreamEventId::call)
                .filter(call -> !session.isOpen(call.request()))
                .ifPresentOrElse(
                        call -> {
                            callback.accept(new SessionMessageResult.ResponseFollows());
                            session.continueCall(call, mcpResponseWriter);
                        },
                        () -> callback.accept(new SessionMessageResult.BadRequest(
                                "This event stream is no longer stored. Send the request again.")));
    }

    public void endSession(
            AuthenticatedClient authenticatedClient, @Nullable String id, Consumer<SessionMessageResult> callback) {
        Optional<StatefulSession> session = id == null ? Optional.empty() : find(authenticatedClient, id);
        session.ifPresentOrElse(
                found -> {
                    endedSessions.add(ownedKey(authenticatedClient.membership().id(), found.id()));
                    withAnyToken(authenticatedClient, found.id())
                            .forEach(each -> endSession(each, "the client ended its session"));
                    callback.accept(new SessionMessageResult.Accepted());
                },
                () -> callback.accept(new SessionMessageResult.SessionNotFound()));
    }

    public void onDisconnect(AuthenticatedClient authenticatedClient, String id, McpResponseWriter mcpResponseWriter) {
        StatefulSession session = sessions.get(SessionKey.of(id, authenticatedClient));
        if (session != null) {
            session.streams().detach(mcpResponseWriter);
        }
    }

    /** Ends all sessions of a member that was removed. */
    public void onMemberRemoved(String member) {
        List.copyOf(sessions.values()).stream()
                .filter(session -> session.belongsTo(member))
                .forEach(session -> revokeSession(session, "the client is no longer a member of the topic"));
    }

    /** Prepares for the end of the process: closes the general streams. Another process takes over the sessions. */
    public void drain() {
        sessions.values().forEach(session -> session.streams().closeGeneral());
    }

    /** Notifies every client that a list has changed. */
    public void notifyAllClients(String notification) {
        sessions.values().forEach(session -> session.streams().notifyChanged(notification));
    }

    /** Notifies the clients of one member that their lists may have changed. */
    public void notifyMember(String member) {
        sessions.values().stream()
                .filter(session -> session.belongsTo(member))
                .forEach(session -> Arrays.stream(McpListType.values())
                        .forEach(listType -> session.streams().notifyChanged(listType.changedNotification())));
    }

    /** Forwards a server's log message. */
    public void forwardLog(String from, List<String> to, McpLogLevel level, String line) {
        addressedSessions(to).forEach(session -> session.sendLog(from, level, line));
    }

    /** Forwards the notification that a resource has changed. */
    public void onResourceUpdated(List<String> to, String uri, String line) {
        addressedSessions(to)
                .filter(session -> session.isSubscribedTo(uri))
                .forEach(session -> session.streams().sendUnsolicited(line));
    }

    private Stream<StatefulSession> addressedSessions(List<String> to) {
        return List.copyOf(sessions.values()).stream()
                .filter(session -> to.isEmpty() || to.stream().anyMatch(session::belongsTo));
    }
}
