package dev.gavel.mcp.facade;

import dev.gavel.gateway.store.AppliedProposalEvent;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcp.facade.call.McpLogLevel;
import dev.gavel.mcp.facade.call.OrphanedProposalSweeper;
import dev.gavel.mcp.facade.call.TopicCalls;
import dev.gavel.mcp.facade.dispatch.McpRequestDispatcher;
import dev.gavel.mcp.facade.dispatch.ServerDescriptionWriter;
import dev.gavel.mcp.facade.stateful.StatefulSessionRegistry;
import dev.gavel.mcp.facade.stateless.StatelessRequestHandler;
import dev.gavel.mcp.rpc.RawJsonEditor;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Offers one topic to MCP clients as a server: holds its stateful sessions and stateless request handler, and notifies
 * clients of changes. Confined to the topic's loop.
 */
final class TopicFacade {
    private final TopicCalls calls;
    private final StatefulSessionRegistry statefulSessionRegistry;
    private final StatelessRequestHandler statelessRequestHandler;
    private @Nullable OrphanedProposalSweeper orphanSweeper;

    TopicFacade(TopicCalls topicCalls, Optional<Duration> retention, String gavelVersion) {
        McpRequestDispatcher mcpRequestDispatcher = new McpRequestDispatcher(topicCalls);
        ServerDescriptionWriter serverDescriptionWriter = new ServerDescriptionWriter(
                topicCalls.topic().name(),
                gavelVersion,
                topicCalls.proposalQueries().isPresent());
        this.calls = topicCalls;
        this.statefulSessionRegistry = new StatefulSessionRegistry(mcpRequestDispatcher, serverDescriptionWriter);
        this.statelessRequestHandler =
                new StatelessRequestHandler(mcpRequestDispatcher, serverDescriptionWriter, retention);
    }

    TopicCalls calls() {
        return calls;
    }

    StatefulSessionRegistry sessions() {
        return statefulSessionRegistry;
    }

    StatelessRequestHandler statelessRequests() {
        return statelessRequestHandler;
    }

    void onMemberChanged(String member) {
        statefulSessionRegistry.notifyMember(member);
        statelessRequestHandler.notifyMember(member);
    }

    void onMemberChanged(McpListType listType) {
        statefulSessionRegistry.notifyAllClients(listType.changedNotification());
        statelessRequestHandler.notifyAllClients(listType.changedNotification());
    }

    void onMemberRemoved(String member) {
        statefulSessionRegistry.onMemberRemoved(member);
        statelessRequestHandler.onMemberRemoved(member);
    }

    /** Sets and starts the sweeper for orphaned proposals. */
    void startOrphanSweeper(OrphanedProposalSweeper sweeper) {
        orphanSweeper = sweeper;
        sweeper.start();
    }

    /** Prepares for the end of the process. */
    void drain() {
        calls.drain();
        statefulSessionRegistry.drain();
        statelessRequestHandler.drain();
    }

    void onProposalChange(AppliedProposalEvent change) {
        calls.onProposalChange(change);
        if (orphanSweeper != null) {
            orphanSweeper.onProposalChange(change);
        }
        statelessRequestHandler.onProposalChange(change);
    }

    void onReachabilityChange(String proposalId) {
        calls.onReachabilityChange(proposalId);
        statelessRequestHandler.onReachabilityChange(proposalId);
    }

    void onEnvelope(String from, Envelope envelope) {
        calls.onEnvelope(from, envelope);
        String method = envelope.kind().method();
        if (envelope.category() != KindCategory.REQUEST || method == null) {
            return;
        }
        switch (method) {
            case "notifications/message" -> {
                // Only participants that offer something count as servers.
                if (calls.catalogRegistry()
                        .offers(calls.topic())
                        .findParticipant(from)
                        .isPresent()) {
                    McpLogLevel level = McpLogLevel.of(text(envelope, "level")).orElse(McpLogLevel.INFO);
                    String line = withOrigin(from, envelope);
                    statefulSessionRegistry.forwardLog(from, envelope.to(), level, line);
                    statelessRequestHandler.forwardLog(from, envelope.to(), level, line);
                }
            }
            case "notifications/resources/updated" -> {
                String uri = text(envelope, "uri");
                if (calls.catalogRegistry()
                        .offers(calls.topic().name(), from, new Kind("mcp", "request", "resources/read", uri))) {
                    statefulSessionRegistry.onResourceUpdated(envelope.to(), uri, toSingleLine(envelope));
                    statelessRequestHandler.onResourceUpdated(envelope.to(), uri);
                }
            }
            default -> {}
        }
    }

    /** Names the participant in {@code logger}, so that no log message can pretend to be from another one or from Gavel. */
    private static String withOrigin(String from, Envelope envelope) {
        String logger = text(envelope, "logger");
        String line = toSingleLine(envelope);
        return RawJsonEditor.at(line, "params").isEmpty()
                ? line
                : RawJsonEditor.with(
                        line,
                        Json.ofText(logger.isEmpty() ? from : from + "/" + logger)
                                .raw(),
                        "params",
                        "logger");
    }

    private static String toSingleLine(Envelope envelope) {
        return envelope.payload().toString().replace('\n', ' ').replace('\r', ' ');
    }

    private static String text(Envelope envelope, String name) {
        return RawJsonEditor.at(envelope.payload().toString(), "params", name)
                .flatMap(Json::parse)
                .map(Json::text)
                .orElse("");
    }
}
