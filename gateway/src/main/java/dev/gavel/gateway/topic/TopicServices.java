package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.RemoteLedgerWriteNotifier;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.mcpx.EnvelopeReader;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * The clock, executors, bus and limits that all topics of a process share.
 *
 * @param ioExecutor runs what waits for the disk
 * @param maxOpenProposals how many open proposals one member may have in a topic
 * @param listener hears what goes on in all topics
 * @param callOffers who says that they can run a call
 * @param bus what lies between this process and others
 * @param writeNotifier tells when others wrote to the ledger
 * @param envelopeReader reads what they sent
 */
public record TopicServices(
        InstantSource clock,
        SystemMessageFactory systemMessages,
        Executor ioExecutor,
        int maxOpenProposals,
        TopicListener listener,
        CallOfferDirectory callOffers,
        Bus bus,
        RemoteLedgerWriteNotifier writeNotifier,
        EnvelopeReader envelopeReader) {}
