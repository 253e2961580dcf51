package dev.gavel.app.server;

import dev.gavel.app.build.Build;
import dev.gavel.app.config.Config;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Topic;
import dev.gavel.ledger.lease.Leases;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.Restarts;
import dev.gavel.mcp.bridge.SeatVenue;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.Limits;
import java.util.ArrayList;
import java.util.List;

/** The MCP servers that are bridged into topics, by this process or by another that shares its ledger. Thread-safe. */
public final class Bridges implements AutoCloseable {
    private final List<LeasedBridge> bridges = new ArrayList<>();

    Bridges(Config config, Gateway gateway) {
        Session.ClientInfo client = new Session.ClientInfo("gavel", Build.version());
        Limits limits = Limits.DEFAULT.withBytes(config.limits().frame());
        config.bridges().forEach((name, bridge) -> {
            Topic topic = gateway.topic(bridge.topic())
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the bridge '" + name + "' is for '" + bridge.topic() + "', which is no topic"));
            bridges.add(new LeasedBridge(
                    name,
                    topic.name(),
                    ours -> new Bridge(
                            name,
                            topic.name(),
                            () -> bridge.server().transport(name),
                            new SeatVenue(gateway, topic, name, ours),
                            client,
                            limits,
                            Restarts.USUAL)));
        });
    }

    /** Starts all of them that no other process runs, and waits for none. */
    void start(Leases leases) {
        bridges.forEach(bridge -> bridge.stand(leases));
    }

    /** How each of them is, in the order of the configuration. */
    public List<Status> statuses() {
        return bridges.stream().map(LeasedBridge::status).toList();
    }

    /** Ends all of them at the same time, and waits until no process of theirs is left. */
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
