package dev.gavel.mcp.facade;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicListener;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.facade.call.OrphanedProposalSweeper;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.stateless.StatelessRequest;
import dev.gavel.mcp.facade.transport.AuthenticatedClient;
import dev.gavel.mcp.facade.transport.McpResponseWriter;
import dev.gavel.mcp.facade.transport.PendingCallSettings;
import dev.gavel.mcp.facade.transport.SessionMessageResult;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves each topic of a gateway to MCP clients as its own MCP server, and turns calls that need approval into
 * proposals. The creator of the facade registers it as a listener of the gateway. Thread-safe: all work runs on the
 * topics' loops.
 */
public final class McpFacade implements TopicListener {
    private final Map<String, TopicFacade> topicFacades = new ConcurrentHashMap<>();
    private final Bus bus;

    /**
     * Creates a facade for all topics of a gateway.
     *
     * @param retention how long proposals are stored after they ended; forever if empty
     * @param gavelVersion this program's version, which clients receive
     */
    public McpFacade(
            Gateway gateway,
            CatalogRegistry catalogRegistry,
            ReviewDecisionSubmitter reviewDecisionSubmitter,
            InstantSource clock,
            Optional<Duration> retention,
            String gavelVersion) {
        this.bus = gateway.bus();
        for (Topic topic : gateway.topics()) {
            topicFacades.put(
                    topic.name(),
                    new TopicFacade(
                            new TopicCalls(topic, gateway, catalogRegistry, reviewDecisionSubmitter, clock),
                            retention,
                            gavelVersion));
        }
        catalogRegistry.addChangeListener(this::onListChanged);
    }

    /**
     * Starts the search for orphaned proposals: those whose callers waited at a process that has ended.
     *
     * @param settings returns the settings of a member of a topic for waiting calls
     */
    public void startOrphanSweepers(BiFunction<String, String, PendingCallSettings> settings) {
        forEachTopic(topicFacade -> topicFacade.startOrphanSweeper(new OrphanedProposalSweeper(
                topicFacade.calls(),
                bus,
                member -> settings.apply(topicFacade.calls().topic().name(), member))));
    }

    /**
     * Prepares for the end of the process. Clients that wait for a decision get a pending response, which says how to
     * get the result from another process. All listen streams end. Running calls may still finish.
     */
    public void drain() {
        forEachTopic(TopicFacade::drain);
    }

    /** Responds to all clients that still wait, at the end of the process. */
    public void shutdownNow() {
        forEachTopic(topicFacade -> topicFacade.calls().shutdownNow());
    }

    private void forEachTopic(Consumer<TopicFacade> action) {
        topicFacades
                .values()
                .forEach(topicFacade -> topicFacade.calls().topic().loop().execute(() -> action.accept(topicFacade)));
    }

    private TopicFacade topicFacade(Topic topic) {
        TopicFacade topicFacade = topicFacades.get(topic.name());
        if (topicFacade == null) {
            throw new IllegalArgumentException("unknown topic '" + topic.name() + "'");
        }
        return topicFacade;
    }

    /**
     * Handles a message from a client of a stateful version.
     *
     * @param sessionId the session id of the message, or null if it has none
     * @param callback receives the immediate result, on the topic's loop
     * @param mcpResponseWriter receives the responses
     */
    public void handleSessionMessage(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            @Nullable String sessionId,
            RpcMessage message,
            Consumer<SessionMessageResult> callback,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() -> topicFacade(topic)
                        .sessions()
                        .receive(authenticatedClient, sessionId, message, callback, mcpResponseWriter));
    }

    /**
     * Opens the stream for messages that belong to no request, or resumes an interrupted stream.
     *
     * @param lastEventId the id of the last event received, or null if the client gives none
     */
    public void openSessionStream(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            @Nullable String sessionId,
            @Nullable String lastEventId,
            Consumer<SessionMessageResult> callback,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() -> topicFacade(topic)
                        .sessions()
                        .openStream(authenticatedClient, sessionId, lastEventId, callback, mcpResponseWriter));
    }

    /** Ends a session at its client's request. */
    public void endSession(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            @Nullable String sessionId,
            Consumer<SessionMessageResult> callback) {
        topic.loop().execute(() -> topicFacade(topic).sessions().endSession(authenticatedClient, sessionId, callback));
    }

    /** Handles the disconnect of a client of that session that was reading this response. */
    public void onSessionDisconnect(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            String sessionId,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() ->
                        topicFacade(topic).sessions().onDisconnect(authenticatedClient, sessionId, mcpResponseWriter));
    }

    /** Handles a request of a stateless version. */
    public void handleStateless(
            Topic topic,
            AuthenticatedClient authenticatedClient,
            StatelessRequest statelessRequest,
            McpResponseWriter mcpResponseWriter) {
        topic.loop()
                .execute(() -> topicFacade(topic)
                        .statelessRequests()
                        .handle(authenticatedClient, statelessRequest, mcpResponseWriter));
    }

    /**
     * Handles the end of the response to a stateless request.
     *
     * @param complete whether the client has received the whole response; a client that disconnects earlier cancels the
     *     request
     */
    public void onStatelessResponseEnd(Topic topic, McpResponseWriter mcpResponseWriter, boolean complete) {
        topic.loop().execute(() -> topicFacade(topic).statelessRequests().onResponseEnd(mcpResponseWriter, complete));
    }

    @Override
    public void onParticipantLeft(Topic topic, Member member) {
        topicFacade(topic).calls().onMemberLeft(member);
    }

    @Override
    public void onMemberChanged(Topic topic, Member member) {
        topicFacade(topic).onMemberChanged(member.id());
    }

    @Override
    public void onMemberRemoved(Topic topic, Member member) {
        topicFacade(topic).onMemberRemoved(member.id());
    }

    private void onListChanged(Topic topic, McpListType listType) {
        topicFacade(topic).onMemberChanged(listType);
    }

    @Override
    public void onEnvelope(Topic topic, String from, Envelope envelope) {
        topicFacade(topic).onEnvelope(from, envelope);
    }

    @Override
    public void onProposalChange(Topic topic, AppliedProposalEvent change) {
        topicFacade(topic).onProposalChange(change);
    }

    @Override
    public void onReachabilityChange(Topic topic, String proposalId) {
        topicFacade(topic).onReachabilityChange(proposalId);
    }
}
