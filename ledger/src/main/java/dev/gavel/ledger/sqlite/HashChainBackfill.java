package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Hash;
import dev.gavel.ledger.HashChainCalculator;
import dev.gavel.ledger.HashChainEntry;
import dev.gavel.ledger.sql.HashChainReader;
import dev.gavel.ledger.sql.PageByteBudget;
import java.sql.SQLException;
import java.util.List;

/**
 * Computes digests and hashes for events that were written before the ledger had a hash chain, as part of a migration.
 * Events that were pruned before the migration do not contribute: the event after a pruned range follows from the event
 * before it.
 */
final class HashChainBackfill {
    private static final int PAGE = 500;
    private static final long PAGE_BYTES = 4 << 20;

    private static final String EVENTS = HashChainReader.EVENTS.replace("e.hash\n", "e.hash, e.id\n");

    private final SqliteSession session;
    private final StreamRow stream;
    private Hash head = HashChainCalculator.GENESIS_HASH;
    private long previousSeq;

    private HashChainBackfill(SqliteSession session, StreamRow stream) {
        this.session = session;
        this.stream = stream;
    }

    static void backfill(SqliteSession session) throws SQLException {
        List<StreamRow> streams = session.list(
                "SELECT id, name, first_seq, last_seq FROM stream",
                row -> new StreamRow(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4)));
        for (StreamRow stream : streams) {
            new HashChainBackfill(session, stream).backfill();
        }
    }

    private void backfill() throws SQLException {
        List<NumberedEntry> page;
        do {
            PageByteBudget pageByteBudget = new PageByteBudget(PAGE_BYTES);
            page = session.listWhile(
                    each -> !(each.chainEntry instanceof HashChainEntry.StoredEvent storedEvent)
                            || pageByteBudget.consume(storedEvent.event().body()),
                    EVENTS,
                    row -> new NumberedEntry(HashChainReader.toChainEntry(session, stream.name, row), row.getLong(10)),
                    stream.id,
                    previousSeq,
                    PAGE);
            for (NumberedEntry each : page) {
                add(each);
            }
        } while (!page.isEmpty());
        skipTo(stream.lastSeq + 1);
        session.update("UPDATE stream SET head = ? WHERE id = ?", head.bytes(), stream.id);
    }

    private void add(NumberedEntry each) throws SQLException {
        skipTo(each.chainEntry.seq());
        if (each.chainEntry instanceof HashChainEntry.StoredEvent storedEvent) {
            Hash digest = HashChainCalculator.digest(storedEvent.event());
            head = HashChainCalculator.nextHash(head, storedEvent.seq(), digest);
            session.update(
                    "UPDATE event SET digest = ?, hash = ? WHERE id = ?", digest.bytes(), head.bytes(), each.number);
        }
        previousSeq = each.chainEntry.seq();
    }

    /**
     * Records the seqs before {@code seq} as pruned, as far as they precede the first retained seq. Any other gap is
     * damage, and is left for the audit to find.
     */
    private void skipTo(long seq) throws SQLException {
        long prunedUpTo = Math.min(seq, stream.firstSeq) - 1;
        if (prunedUpTo > previousSeq) {
            session.update(
                    "INSERT INTO forgotten (stream, last_seq, first_seq, hash) VALUES (?, ?, ?, ?)",
                    stream.id,
                    prunedUpTo,
                    previousSeq + 1,
                    head.bytes());
        }
    }

    private record StreamRow(long id, String name, long firstSeq, long lastSeq) {}

    private record NumberedEntry(HashChainEntry chainEntry, long number) {}
}
