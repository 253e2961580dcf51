package dev.gavel.gateway;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.proposal.Offers;
import dev.gavel.mcpx.EnvelopeReader;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What all topics of a process share.
 *
 * @param reading runs what waits for the disk
 * @param mostOpen how many open proposals one member may have in a topic
 * @param listener hears what goes on in all topics
 * @param offers who says that they can run a call
 * @param bus what lies between this process and others
 * @param lookout tells when others wrote to the ledger
 * @param envelopes reads what they sent
 */
record Surroundings(
        InstantSource clock,
        Notices notices,
        Executor reading,
        int mostOpen,
        Listener listener,
        Offers offers,
        Bus bus,
        Lookout lookout,
        EnvelopeReader envelopes) {}
