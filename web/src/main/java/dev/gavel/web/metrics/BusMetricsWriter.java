package dev.gavel.web.metrics;

import dev.gavel.gateway.bus.cluster.BusMetricsSnapshot;

/** Writes the metrics of the bus between gateway processes. */
final class BusMetricsWriter {
    private BusMetricsWriter() {}

    static void write(PrometheusWriter writer, BusMetricsSnapshot bus) {
        writer.startFamily(
                "gavel_bus_available",
                PrometheusWriter.MetricType.GAUGE,
                "1 if this process is connected to the bus, otherwise 0.");
        writer.writeSample(bus.available() ? 1 : 0);
        writer.startFamily(
                "gavel_bus_processes",
                PrometheusWriter.MetricType.GAUGE,
                "Number of connected processes, including this one.");
        writer.writeSample(1 + bus.processes());
        writer.startFamily(
                "gavel_bus_sent_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes sent to other processes. Each envelope counts once.");
        writer.writeSample(bus.sent());
        writer.startFamily(
                "gavel_bus_received_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes received from other processes.");
        writer.writeSample(bus.received());
        writer.startFamily(
                "gavel_bus_refused_total",
                PrometheusWriter.MetricType.COUNTER,
                "Envelopes that could not be sent to other processes. Their senders received an error.");
        writer.writeSample(bus.refused());
        writer.startFamily(
                "gavel_bus_unreadable_total",
                PrometheusWriter.MetricType.COUNTER,
                "Messages ignored because they could not be decoded.");
        writer.writeSample(bus.malformed());
        writer.startFamily(
                "gavel_bus_connections_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections to the bus that were established, including reconnections.");
        writer.writeSample(bus.connects());
        writer.startFamily(
                "gavel_bus_overruns_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections to the bus that were closed because messages arrived faster than they could be processed.");
        writer.writeSample(bus.overruns());
    }
}
