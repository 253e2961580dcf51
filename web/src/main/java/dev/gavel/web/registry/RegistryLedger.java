package dev.gavel.web.registry;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerException;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.writer.LedgerWriter;
import java.util.List;

/**
 * Gives the identity registry access to the ledger, where the registry records the changes that admins make.
 * Thread-safe.
 */
public record RegistryLedger(LedgerReader reader, LedgerWriter writer) {
    private static final int BATCH_SIZE = 1000;

    /** Returns the next changes after a sequence number, in order; empty if there are no more. */
    List<LedgerEvent> changesAfter(long seq) {
        return switch (reader.eventsAfter(RegistrySnapshot.STREAM, seq, BATCH_SIZE)) {
            case StreamReadResult.Events(List<LedgerEvent> events) -> events;
            case StreamReadResult.Resync(RetainedStreamRange retained) ->
                throw new LedgerException("stream '" + RegistrySnapshot.STREAM + "' starts at seq " + retained.first()
                        + "; the events before it are missing");
        };
    }
}
