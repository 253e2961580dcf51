package dev.gavel.app.edge.console.admin;

import dev.gavel.console.admin.Bridge;
import dev.gavel.console.admin.Condition;
import dev.gavel.console.admin.Overview.TopicLine;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Topic;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.directory.Directory;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcpx.text.SafeText;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** How topics and bridges are now. Thread-safe. */
final class Glance {
    private static final int LONGEST_WHY = 500;
    private static final int LONGEST_NAME = 80;
    private static final int MOST_TOOLS = 200;

    private final Gateway gateway;
    private final Directory directory;
    private final Supplier<List<Status>> bridges;

    Glance(Gateway gateway, Directory directory, Supplier<List<Status>> bridges) {
        this.gateway = gateway;
        this.directory = directory;
        this.bridges = bridges;
    }

    CompletableFuture<List<TopicLine>> topics() {
        List<CompletableFuture<TopicLine>> lines = gateway.topics().stream()
                .map(topic -> topic.overview()
                        .thenApply(overview -> new TopicLine(
                                topic.name(),
                                topic.members().size(),
                                overview.participants().size(),
                                overview.open(),
                                topic.records().isPresent()))
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new))
                .thenApply(all -> lines.stream().map(CompletableFuture::join).toList());
    }

    List<Bridge> bridges() {
        return bridges.get().stream().map(this::bridge).toList();
    }

    private Bridge bridge(Status status) {
        boolean up = status.phase() == Status.Phase.UP || status.phase() == Status.Phase.STANDBY;
        return new Bridge(
                status.name(),
                status.topic(),
                up,
                switch (status.phase()) {
                    case STARTING -> Condition.warn("starting");
                    case UP -> Condition.good("up");
                    case DOWN -> Condition.bad("down");
                    case OVER -> Condition.bad("over");
                    case STANDBY -> Condition.good("stands by");
                },
                status.since(),
                SafeText.brief(status.why(), LONGEST_WHY),
                switch (status.phase()) {
                    case OVER -> "It is not started again until the server is.";
                    case STANDBY -> "It is started here when that process stops.";
                    case STARTING, UP, DOWN -> "It is started again by itself.";
                },
                status.version(),
                status.restarts(),
                up ? tools(status) : List.of());
    }

    private List<String> tools(Status status) {
        return gateway.topic(status.topic()).stream()
                .flatMap(topic -> offered(topic, status.name()).stream())
                .toList();
    }

    private List<String> offered(Topic topic, String participant) {
        return directory.offers(topic).of(participant).stream()
                .flatMap(offer -> offer.of(Listed.TOOLS).keySet().stream())
                .limit(MOST_TOOLS)
                .map(name -> SafeText.brief(name, LONGEST_NAME))
                .toList();
    }
}
