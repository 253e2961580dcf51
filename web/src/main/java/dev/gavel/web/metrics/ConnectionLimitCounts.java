package dev.gavel.web.metrics;

import java.util.Map;

/**
 * The counts of open unauthenticated connections, and of connections that a connection limit closed. Immutable.
 *
 * @param unauthenticated the open connections on which no valid token or session has arrived
 * @param closed the connections that were closed because of a limit, by limit
 */
public record ConnectionLimitCounts(int unauthenticated, Map<String, Long> closed) {
    public ConnectionLimitCounts {
        closed = Map.copyOf(closed);
    }

    void write(PrometheusWriter writer) {
        writer.startFamily(
                "gavel_unauthenticated_connections",
                PrometheusWriter.MetricType.GAUGE,
                "Open connections that have not sent a valid token or session.");
        writer.writeSample(unauthenticated);
        writer.startFamily(
                "gavel_limited_connections_total",
                PrometheusWriter.MetricType.COUNTER,
                "Connections closed because of a limit, by limit.");
        closed.forEach((limit, count) -> writer.writeSample(count, "limit", limit));
    }
}
