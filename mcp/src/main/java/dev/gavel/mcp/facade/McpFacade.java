package dev.gavel.mcp.facade;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewerActions;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.ProposalChange;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.facade.call.OrphanedProposalSweeper;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.stateless.StatelessRequest;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.facade.transport.SessionMessageResult;
import dev.gavel.mcp.rpc.RpcMessage;
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
 * Serves each topic of a gateway to MCP clients as its own MCP server, and turns calls that need approval into
 * proposals. What a caller may not do itself becomes a proposal, and the caller waits. Whoever makes it has it listen
 * to the gateway. Thread-safe: everything happens on the topics' loops.
 */
public final class McpFacade implements TopicListener {
    private final Map<String, TopicFacade> topics = new ConcurrentHashMap<>();
    private final Bus bus;

    /**
     * A facade for all topics of a gateway.
     *
     * @param kept how long proposals are kept after they ended; forever where nothing is said
     * @param program this program's version, which clients are told
     */
    public McpFacade(
            Gateway gateway,
            CatalogRegistry catalogRegistry,
            ReviewerActions reviewerActions,
            InstantSource clock,
            Optional<Duration> kept,
            String program) {
        this.bus = gateway.bus();
        for (Topic topic : gateway.topics()) {
            topics.put(
                    topic.name(),
                    new TopicFacade(
                            new TopicCalls(topic, gateway, catalogRegistry, reviewerActions, clock), kept, program));
        }
        catalogRegistry.addChangeListener(this::changed);
    }

    /**
     * Begins to look after what clients have left of a process before this one, or of another that has ended.
     *
     * @param keeps whether somebody's proposals stay when their connection is lost
     */
    public void start(Predicate<String> keeps) {
        forEachTopic(topicFacade ->
                topicFacade.startOrphanSweeper(new OrphanedProposalSweeper(topicFacade.calls(), bus, keeps)));
    }

    /**
     * The process is about to end: whoever waits for a decision is told that it is pending, and how to get the result
     * from another process; nobody listens any more. Calls that run may still come to their end.
     */
    public void drain() {
        forEachTopic(TopicFacade::drain);
    }

    /** The process ends now: whoever still waits is told what is known. */
    public void shutdownNow() {
        forEachTopic(topicFacade -> topicFacade.calls().shutdownNow());
    }

    private void forEachTopic(Consumer<TopicFacade> act) {
        topics.values()
                .forEach(topicFacade -> topicFacade.calls().topic().loop().execute(() -> act.accept(topicFacade)));
    }

    private TopicFacade topicFacade(Topic topic) {
        TopicFacade topicFacade = topics.get(topic.name());
        if (topicFacade == null) {
            throw new IllegalArgumentException("there is no topic '" + topic.name() + "' here");
        }
        return topicFacade;
    }

    /**
     * Takes a message from a client of a version with sessions.
     *
     * @param session the id of the session it belongs to; null where it says none
     * @param then told at once, on the topic's loop, what becomes of it
     * @param mcpResponseWriter where answers go
     */
    public void handleSessionMessage(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            @Nullable String session,
            RpcMessage message,
            Consumer<SessionMessageResult> then,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() -> topicFacade(topic)
                        .sessions()
                        .receive(authenticatedClient, session, message, then, mcpResponseWriter));
    }

    /**
     * Listens for what belongs to no request, or takes up what was cut off.
     *
     * @param lastEvent the id of the last event received; null where it says none
     */
    public void openSessionStream(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            @Nullable String session,
            @Nullable String lastEvent,
            Consumer<SessionMessageResult> then,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() -> topicFacade(topic)
                        .sessions()
                        .openStream(authenticatedClient, session, lastEvent, then, mcpResponseWriter));
    }

    /** Ends a session at its client's wish. */
    public void endSession(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            @Nullable String session,
            Consumer<SessionMessageResult> then) {
        topic.loop().execute(() -> topicFacade(topic).sessions().endSession(authenticatedClient, session, then));
    }

    /** A client of that session, which read there, has gone away. */
    public void onSessionDisconnect(
            Topic topic, AuthenticatedClient authenticatedClient, String session, McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() ->
                        topicFacade(topic).sessions().onDisconnect(authenticatedClient, session, mcpResponseWriter));
    }

    /** Answers a request of a version without sessions. */
    public void handleStateless(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            StatelessRequest statelessRequest,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() ->
                        topicFacade(topic).requests().handle(authenticatedClient, statelessRequest, mcpResponseWriter));
    }

    /**
     * The answer to such a request is at its end.
     *
     * @param whole whether its client has received all of it; who closes its connection before calls the request off
     */
    public void onStatelessResponseEnd(Topic topic, McpResponseWriter mcpResponseWriter, boolean whole) {
        topic.loop().execute(() -> topicFacade(topic).requests().onResponseEnd(mcpResponseWriter, whole));
    }

    @Override
    public void onParticipantLeft(Topic topic, Member member) {
        topicFacade(topic).calls().onMemberLeft(member);
    }

    @Override
    public void onMemberChanged(Topic topic, Member member) {
        topicFacade(topic).onChange(member.id());
    }

    @Override
    public void onMemberRemoved(Topic topic, Member member) {
        topicFacade(topic).onMemberRemoved(member.id());
    }

    private void changed(Topic topic, McpListType what) {
        topicFacade(topic).onChange(what);
    }

    @Override
    public void onEnvelope(Topic topic, String from, Envelope envelope) {
        topicFacade(topic).onEnvelope(from, envelope);
    }

    @Override
    public void onProposalChange(Topic topic, ProposalChange change) {
        topicFacade(topic).onProposalChange(change);
    }
}
