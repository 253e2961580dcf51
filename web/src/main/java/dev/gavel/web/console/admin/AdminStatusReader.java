package dev.gavel.web.console.admin;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.catalog.CatalogRegistry;
import dev.gavel.mcp.catalog.McpListType;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.admin.AdminOverviewPage.TopicRow;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Reads the current status of all topics and bridges for the admin pages. Thread-safe. */
final class AdminStatusReader {
    private static final int MAX_REASON_LENGTH = 500;
    private static final int MAX_NAME_LENGTH = 80;
    private static final int MAX_TOOLS = 200;

    private final Gateway gateway;
    private final CatalogRegistry catalogRegistry;
    private final Supplier<List<BridgeStatus>> bridges;

    AdminStatusReader(Gateway gateway, CatalogRegistry catalogRegistry, Supplier<List<BridgeStatus>> bridges) {
        this.gateway = gateway;
        this.catalogRegistry = catalogRegistry;
        this.bridges = bridges;
    }

    CompletableFuture<List<TopicRow>> topics() {
        List<CompletableFuture<TopicRow>> rows = gateway.topics().stream()
                .map(topic -> topic.overview()
                        .thenApply(overview -> new TopicRow(
                                topic.name(),
                                topic.members().size(),
                                overview.participants().size(),
                                overview.openProposals(),
                                topic.proposalQueries().isPresent()))
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(rows.toArray(CompletableFuture[]::new))
                .thenApply(all -> rows.stream().map(CompletableFuture::join).toList());
    }

    List<BridgeRow> bridges() {
        return bridges.get().stream().map(this::bridge).toList();
    }

    private BridgeRow bridge(BridgeStatus status) {
        boolean running = status.phase() == BridgeStatus.Phase.UP || status.phase() == BridgeStatus.Phase.STANDBY;
        boolean toolsKnown =
                status.phase() != BridgeStatus.Phase.UP || status.reason().isEmpty();
        return new BridgeRow(
                status.name(),
                status.topic(),
                running && toolsKnown,
                switch (status.phase()) {
                    case STARTING -> StatusBadge.warn("starting");
                    case UP -> toolsKnown ? StatusBadge.good("up") : StatusBadge.warn("up");
                    case DOWN -> StatusBadge.bad("down");
                    case OVER -> StatusBadge.bad("stopped");
                    case STANDBY -> StatusBadge.good("standby");
                },
                status.since(),
                SafeText.brief(status.reason(), MAX_REASON_LENGTH),
                switch (status.phase()) {
                    case OVER -> "It stays stopped until this server restarts.";
                    case STANDBY -> "It starts here when that process stops.";
                    case UP ->
                        "The bridge asks the server again when the server reports a change, or when it restarts.";
                    case STARTING, DOWN -> "It restarts automatically.";
                },
                status.version(),
                status.restarts(),
                status.undelivered().count(),
                status.undelivered().last(),
                running ? tools(status) : List.of());
    }

    private List<String> tools(BridgeStatus status) {
        return gateway.topic(status.topic()).stream()
                .flatMap(topic -> toolNames(topic, status.name()).stream())
                .toList();
    }

    private List<String> toolNames(Topic topic, String participant) {
        return catalogRegistry.offers(topic).findParticipant(participant).stream()
                .flatMap(participantCatalog -> participantCatalog.list(McpListType.TOOLS).keySet().stream())
                .limit(MAX_TOOLS)
                .map(name -> SafeText.brief(name, MAX_NAME_LENGTH))
                .toList();
    }
}
