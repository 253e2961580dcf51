package dev.gavel.web.metrics;

import dev.gavel.gateway.bus.cluster.BusMetricsSnapshot;

/** Writes the metrics of the bus between gateway processes. */
final class BusMetricsWriter {
    private BusMetricsWriter() {}

    static void write(PrometheusWriter writer, BusMetricsSnapshot bus) {
        writer.startFamily(
                "gavel_bus_available",
                PrometheusWriter.MetricType.GAUGE,
                "1 while other processes can be reached, else 0.");
        writer.writeSample(bus.available() ? 1 : 0);
        writer.startFamily(
                "gavel_bus_processes",
                PrometheusWriter.MetricType.GAUGE,
                "Processes that are there, this one among them.");
        writer.writeSample(1 + bus.processes());
        writer.startFamily(
                "gavel_bus_sent_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes sent to other processes, once each.");
        writer.writeSample(bus.sent());
        writer.startFamily(
                "gavel_bus_received_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes that came from other processes.");
        writer.writeSample(bus.received());
        writer.startFamily(
                "gavel_bus_refused_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes that could not be sent to other processes; their senders were told.");
        writer.writeSample(bus.refused());
        writer.startFamily(
                "gavel_bus_unreadable_total",
                PrometheusWriter.MetricType.COUNTER,
                "Messages that were ignored since they could not be read.");
        writer.writeSample(bus.malformed());
        writer.startFamily(
                "gavel_bus_connections_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections that came up: the first, and one more for each that was lost.");
        writer.writeSample(bus.connects());
        writer.startFamily(
                "gavel_bus_overruns_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections given up since more came than could be heard in time.");
        writer.writeSample(bus.overruns());
    }
}
