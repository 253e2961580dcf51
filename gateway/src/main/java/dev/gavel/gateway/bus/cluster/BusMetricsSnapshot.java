package dev.gavel.gateway.bus.cluster;

/**
 * An immutable snapshot of the bus's counters, its availability and the number of other live processes.
 *
 * @param available whether other processes can be reached now
 * @param sent envelopes handed to the transport
 * @param received envelopes that other processes sent
 * @param refused envelopes that could not be sent
 * @param malformed messages that could not be decoded
 * @param connects how often a connection was established
 * @param overruns how often a connection was closed because more messages arrived than could be processed
 * @param processes other processes known to be alive
 */
public record BusMetricsSnapshot(
        boolean available,
        long sent,
        long received,
        long refused,
        long malformed,
        long connects,
        long overruns,
        int processes) {}
