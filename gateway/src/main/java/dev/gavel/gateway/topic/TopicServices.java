package dev.gavel.gateway.topic;

import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.proposal.CallOfferDirectory;
import dev.gavel.gateway.tool.ToolDefinitionDirectory;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcpx.EnvelopeReader;
import java.time.InstantSource;

/**
 * The clock, executors, bus and limits that all topics of a process share.
 *
 * @param ioExecutor runs tasks that block on the disk; members take turns
 * @param maxOpenProposals the number of open proposals that one member may have in a topic
 * @param listener receives the events of all topics
 * @param callOffers looks up the members that offer to run a call
 * @param toolDefinitions looks up the definitions of the tools that participants offer
 * @param bus connects this process with the others
 * @param writeNotifier notifies the topics when another process wrote to the ledger
 * @param envelopeReader parses envelopes from other processes
 */
public record TopicServices(
        InstantSource clock,
        SystemMessageFactory systemMessages,
        FairExecutor ioExecutor,
        int maxOpenProposals,
        TopicListener listener,
        CallOfferDirectory callOffers,
        ToolDefinitionDirectory toolDefinitions,
        Bus bus,
        RemoteLedgerWriteDispatcher writeNotifier,
        EnvelopeReader envelopeReader) {}
