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
                "1 while the MCP server of a bridge is in its topic, 0 while it is not; nothing where another process runs it.");
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
                "1 where another process runs a bridge, and this one would in its place; 0 where this one runs it.");
        bridges.forEach(bridge -> writer.writeSample(
                bridge.phase() == BridgeStatus.Phase.STANDBY ? 1 : 0,
                "topic",
                bridge.topic(),
                "bridge",
                bridge.name()));
        writer.startFamily(
                "gavel_bridge_info",
                PrometheusWriter.MetricType.GAUGE,
                "1 while the MCP server of a bridge is in its topic, with the version of MCP it is spoken to in.");
        bridges.forEach(bridge -> bridge.version()
                .ifPresent(version ->
                        writer.writeSample(1, "topic", bridge.topic(), "bridge", bridge.name(), "mcp", version)));
        writer.startFamily(
                "gavel_bridge_restarts_total",
                PrometheusWriter.MetricType.COUNTER,
                "How often the MCP server of a bridge was started again.");
        bridges.forEach(
                bridge -> writer.writeSample(bridge.restarts(), "topic", bridge.topic(), "bridge", bridge.name()));
    }
}
