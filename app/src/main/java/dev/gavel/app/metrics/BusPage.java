package dev.gavel.app.metrics;

import dev.gavel.gateway.bus.shared.BusMeasures;

/** The metrics of what lies between processes. */
final class BusPage {
    private BusPage() {}

    static void write(Exposition page, BusMeasures bus) {
        page.family("gavel_bus_available", Exposition.Type.GAUGE, "1 while other processes can be reached, else 0.");
        page.sample(bus.available() ? 1 : 0);
        page.family("gavel_bus_processes", Exposition.Type.GAUGE, "Processes that are there, this one among them.");
        page.sample(1 + bus.processes());
        page.family("gavel_bus_sent_total", Exposition.Type.COUNTER, "Envelopes sent to other processes, once each.");
        page.sample(bus.sent());
        page.family("gavel_bus_received_total", Exposition.Type.COUNTER, "Envelopes that came from other processes.");
        page.sample(bus.received());
        page.family(
                "gavel_bus_refused_total",
                Exposition.Type.COUNTER,
                "Envelopes that could not be sent to other processes; their senders were told.");
        page.sample(bus.refused());
        page.family(
                "gavel_bus_unreadable_total",
                Exposition.Type.COUNTER,
                "Messages that were ignored since they could not be read.");
        page.sample(bus.unreadable());
        page.family(
                "gavel_bus_connections_total",
                Exposition.Type.COUNTER,
                "Connections that came up: the first, and one more for each that was lost.");
        page.sample(bus.connected());
        page.family(
                "gavel_bus_overruns_total",
                Exposition.Type.COUNTER,
                "Connections given up since more came than could be heard in time.");
        page.sample(bus.overruns());
    }
}
