package dev.gavel.app.server;

import dev.gavel.app.config.ServerConfig;
import dev.gavel.cli.build.BuildInfo;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.bridge.LocalTopicConnector;
import dev.gavel.mcp.bridge.RestartPolicy;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcp.client.ServerLaunchConfig;
import dev.gavel.mcp.client.ServerTarget;
import dev.gavel.mcpx.EnvelopeLimits;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts and stops the MCP servers that this gateway process connects to topics, and reports their status. Thread-safe.
 */
public final class BridgeSupervisor implements AutoCloseable {
    private final List<LeasedBridge> bridges = new ArrayList<>();

    BridgeSupervisor(ServerConfig config, Gateway gateway) {
        McpClientSession.ClientInfo client = new McpClientSession.ClientInfo("gavel", BuildInfo.version());
        EnvelopeLimits limits = config.limits().envelopes();
        config.bridges().forEach((name, bridge) -> {
            ServerTarget target = hideData(bridge.server(), config.data());
            Topic topic = gateway.topic(bridge.topic())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the bridge '" + name + "' names the unknown topic '" + bridge.topic() + "'"));
            bridges.add(new LeasedBridge(
                    name,
                    topic.name(),
                    holdsLease -> new Bridge(
                            name,
                            topic.name(),
                            () -> target.newTransport(name, limits.answerBytes()),
                            new LocalTopicConnector(gateway, topic, name, holdsLease),
                            client,
                            limits,
                            RestartPolicy.DEFAULT)));
        });
    }

    /** A sandbox never shows the data directory, which contains tokens and the ledger. */
    private static ServerTarget hideData(ServerTarget target, Path data) {
        return target instanceof ServerLaunchConfig launch ? launch.hiding(List.of(data)) : target;
    }

    /** Starts all bridges that no other process runs, without waiting for them. */
    void start(LeaseService leaseService) {
        bridges.forEach(bridge -> bridge.requestLease(leaseService));
    }

    /** The status of each bridge, in the order of the configuration. */
    public List<BridgeStatus> statuses() {
        return bridges.stream().map(LeasedBridge::status).toList();
    }

    /** Stops all bridges in parallel, and waits until their server processes have ended. */
    @Override
    public void close() {
        List<Thread> closing = bridges.stream()
                .map(bridge -> Thread.ofVirtual().name("closing").start(bridge::close))
                .toList();
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
