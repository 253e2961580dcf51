package dev.gavel.web.metrics;

import dev.gavel.mcp.bridge.BridgeStatus;
import java.util.List;

/** Writes the metrics of bridged MCP servers: up, standby, protocol version and restarts. Stateless. */
final class BridgeMetricsWriter {
    private BridgeMetricsWriter() {}

    static void write(PrometheusWriter writer, List<BridgeStatus> bridges) {
        if (bridges.isEmpty()) {
            return;
        }
        writer.startFamily(
                "gavel_bridge_up",
                PrometheusWriter.MetricType.GAUGE,
                "1 if the bridge's MCP server is connected to its topic, otherwise 0. Absent if another process runs the bridge.");
        bridges.stream()
                .filter(bridge -> bridge.phase() != BridgeStatus.Phase.STANDBY)
                .forEach(bridge -> writer.writeSample(
                        bridge.phase() == BridgeStatus.Phase.UP ? 1 : 0,
                        "topic",
                        bridge.topic(),
                        "bridge",
                        bridge.name()));
        writer.startFamily(
                "gavel_bridge_standby",
                PrometheusWriter.MetricType.GAUGE,
                "1 if another process runs the bridge and this process is the standby, 0 if this process runs it.");
        bridges.forEach(bridge -> writer.writeSample(
                bridge.phase() == BridgeStatus.Phase.STANDBY ? 1 : 0,
                "topic",
                bridge.topic(),
                "bridge",
                bridge.name()));
        writer.startFamily(
                "gavel_bridge_info",
                PrometheusWriter.MetricType.GAUGE,
                "1 while the bridge's MCP server is connected to its topic, labelled with the MCP version in use.");
        bridges.forEach(bridge -> bridge.version()
                .ifPresent(version ->
                        writer.writeSample(1, "topic", bridge.topic(), "bridge", bridge.name(), "mcp", version)));
        writer.startFamily(
                "gavel_bridge_restarts_total",
                PrometheusWriter.MetricType.COUNTER,
                "Number of restarts of the bridge's MCP server.");
        bridges.forEach(
                bridge -> writer.writeSample(bridge.restarts(), "topic", bridge.topic(), "bridge", bridge.name()));
        writer.startFamily(
                "gavel_bridge_undelivered_messages_total",
                PrometheusWriter.MetricType.COUNTER,
                "Number of messages of the bridge's MCP server that were too large or not valid to forward.");
        bridges.forEach(bridge ->
                writer.writeSample(bridge.undelivered().count(), "topic", bridge.topic(), "bridge", bridge.name()));
    }
}
